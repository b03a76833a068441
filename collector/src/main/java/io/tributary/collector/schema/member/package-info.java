/** The members of each logical table, and the statements that each of them has sent. */
package io.tributary.collector.schema.member;
