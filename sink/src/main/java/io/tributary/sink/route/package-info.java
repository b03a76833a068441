/** To which topic and partition a message is sent. */
package io.tributary.sink.route;
