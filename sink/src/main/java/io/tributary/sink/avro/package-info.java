/**
 * Rows as Avro with a schema registry. {@link io.tributary.sink.avro.RecordSchemas} makes the schemas of a table,
 * {@link io.tributary.sink.avro.AvroColumn} writes values straight from the bytes of a row.
 */
package io.tributary.sink.avro;
