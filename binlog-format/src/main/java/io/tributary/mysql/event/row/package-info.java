/** The columns of the rows that a table map describes, and how many bytes their values have. */
package io.tributary.mysql.event.row;
