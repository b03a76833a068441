/** The compressed form of a connection: packets inside of compressed packets (MySQL manual, "Compressed Packet"). */
package io.tributary.mysql.protocol.compress;
