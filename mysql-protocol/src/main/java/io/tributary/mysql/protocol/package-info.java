/**
 * The MySQL client/server protocol: the parts that both sides share (packets, values, OK and ERR). The sides are in
 * {@code client} and {@code server}, the login of both in {@code auth}.
 *
 * <pre>
 *   client.MysqlClient ──> client.MysqlConnection ──> client.BinlogStream        (shards: queries, a dump)
 *   server.MysqlServer ──> server.Session, server.CommandHandler ──> server.EventSink   (readers: statements, a dump)
 * </pre>
 *
 * Source of the formats: MySQL's "Client/Server Protocol" pages (dev.mysql.com/doc/dev/mysql-server/latest/PAGE_PROTOCOL.html).
 */
package io.tributary.mysql.protocol;
