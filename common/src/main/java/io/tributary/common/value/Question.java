package io.tributary.common.value;

import io.tributary.common.error.ErrorCode;

/**
 * Why a transaction or statement of one shard cannot be written as it was logged, so that an operator has to decide. It holds that
 * shard, not the node.
 *
 * @param code what is wrong
 * @param message what was expected, what was found, on which shard, at which position
 */
public record Question(ErrorCode code, String message) implements DdlOrQuestion {}
