package io.tributary.sink.encode;

import io.tributary.sink.LargeMessages;
import io.tributary.sink.message.MessageFormat;
import io.tributary.sink.route.DispatchRules;
import io.tributary.sink.route.TopicNames;

/**
 * How workers make messages; shared by all of them.
 *
 * @param format the protocol
 * @param rules which dispatcher a table has
 * @param topics which topic a table has
 * @param large what is done with messages that are too large
 * @param messageBytes the most bytes of a key and a value
 */
public record EncodePlan(
        MessageFormat format, DispatchRules rules, TopicNames topics, LargeMessages large, int messageBytes) {}
