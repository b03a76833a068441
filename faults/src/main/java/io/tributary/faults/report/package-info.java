/** What came of the faults, as Markdown and JSON. */
package io.tributary.faults.report;
