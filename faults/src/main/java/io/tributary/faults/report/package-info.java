/** The report of a run, as Markdown and JSON. */
package io.tributary.faults.report;
