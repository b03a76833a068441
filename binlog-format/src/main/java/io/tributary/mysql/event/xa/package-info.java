/** Branches of distributed (XA) transactions: the event that ends the rows of one, and the XA statements of QUERY events. */
package io.tributary.mysql.event.xa;
