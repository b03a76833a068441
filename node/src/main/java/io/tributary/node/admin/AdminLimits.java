package io.tributary.node.admin;

import io.tributary.common.pipeline.ByteBudget;
import java.time.Duration;

/**
 * The limits for the requests of a connection.
 *
 * @param hosts the host names to which requests may be sent
 * @param access the login that requests need
 * @param budget bytes of answers of all connections together
 * @param timeout for a complete request to arrive
 */
record AdminLimits(HostCheck hosts, AdminAccess access, ByteBudget budget, Duration timeout) {}
