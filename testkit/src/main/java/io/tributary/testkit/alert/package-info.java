/** The alert rules over metrics of real parts. */
package io.tributary.testkit.alert;
