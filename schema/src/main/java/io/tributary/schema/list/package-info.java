/** The definitions of all tables of a shard at one moment, in little memory. */
package io.tributary.schema.list;
