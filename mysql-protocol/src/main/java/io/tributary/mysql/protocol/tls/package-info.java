/** The server's certificate: read from files, read again when they change, created if there is none. */
package io.tributary.mysql.protocol.tls;
