/** Rows without their schemas, which are in messages of their own: TiCDC's simple protocol, version 1, in JSON. */
package io.tributary.sink.simple;
