/** Messages in the JSON form of Alibaba Canal's flat messages, as TiCDC writes them. */
package io.tributary.sink.canal;
