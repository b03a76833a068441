/** Messages in the JSON form of Debezium's connector for MySQL, with or without a schema in each message. */
package io.tributary.sink.debezium;
