/** Bytes: absolute little-endian access to buffers and arrays. */
package io.tributary.common.io;
