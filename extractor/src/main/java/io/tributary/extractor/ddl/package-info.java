/** What Tributary has to know of a DDL statement: its kind, the tables that it names, and where their names stand. */
package io.tributary.extractor.ddl;
