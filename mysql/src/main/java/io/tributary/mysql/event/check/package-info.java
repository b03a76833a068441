/** The check of an event of any type, for tools and tests. */
package io.tributary.mysql.event.check;
