package io.tributary.sink.encode;

import io.tributary.sink.LargeMessages;
import io.tributary.sink.SinkPlan;
import io.tributary.sink.route.TopicNames;

/**
 * How workers make messages; shared by all of them.
 *
 * @param messages what is sent
 * @param topics which topic a table has
 * @param large what is done with messages that are too large
 * @param messageBytes the most bytes of a key and a value
 */
public record EncodePlan(SinkPlan.Messages messages, TopicNames topics, LargeMessages large, int messageBytes) {}
