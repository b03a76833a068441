/** Makes messages of rows, in parallel and in order: the reader fills slots with events, workers encode them, the sender takes them in order. */
package io.tributary.sink.encode;
