/** What has to hold of a site at rest, and what was found. */
package io.tributary.faults.check;
