/** A client of a schema registry with Confluent's REST interface. */
package io.tributary.sink.registry;
