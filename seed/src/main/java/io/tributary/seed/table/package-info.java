/** The logical tables of the output with their definitions, and their members on the shards. */
package io.tributary.seed.table;
