/** The server side: readers log in, send statements, and receive the binlog. No thread per connection. */
package io.tributary.mysql.protocol.server;
