/** Rows, DDL and watermarks in TiCDC's open-protocol, version 1. */
package io.tributary.sink.open;
