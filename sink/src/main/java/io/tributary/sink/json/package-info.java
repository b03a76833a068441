/** Values of rows as JSON, written from the bytes of a row to one array of bytes that grows. */
package io.tributary.sink.json;
