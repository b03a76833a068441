/** The definitions of all tables of a shard at one time, in little memory. */
package io.tributary.schema.list;
