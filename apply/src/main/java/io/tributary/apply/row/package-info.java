/** Rows of transactions as statements for the target, and the tables that the target has for them. */
package io.tributary.apply.row;
