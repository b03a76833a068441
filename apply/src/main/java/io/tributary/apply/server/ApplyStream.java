package io.tributary.apply.server;

import io.tributary.common.gtid.Sid;

/**
 * The stream that is applied to a target.
 *
 * @param name of its progress on the target, 1 to 32 letters, digits, - and _
 * @param sid the UUID of its transactions
 * @param isStrict whether its transactions commit in their order
 */
public record ApplyStream(String name, Sid sid, boolean isStrict) {}
