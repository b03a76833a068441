/** The server side: readers log in, ask, and get the binlog. No thread per connection. */
package io.tributary.mysql.protocol.server;
