package io.tributary.node.admin;

import io.tributary.common.pipeline.ByteBudget;
import java.time.Duration;

/**
 * What bounds the requests of each connection.
 *
 * @param hosts to which names they may be sent
 * @param access who is answered
 * @param budget of all connections together
 * @param timeout for a whole request to arrive
 */
record AdminLimits(HostCheck hosts, AdminAccess access, ByteBudget budget, Duration timeout) {}
