/** The server's certificate: read from files, read again when they change, made where there is none. */
package io.tributary.mysql.protocol.tls;
