/** The members of each logical table, the statements that each of them has sent, and the tables that reference it. */
package io.tributary.collector.schema.member;
