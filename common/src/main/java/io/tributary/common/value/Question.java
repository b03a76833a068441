package io.tributary.common.value;

import io.tributary.common.error.ErrorCode;

/**
 * The reason why a transaction or statement of one shard cannot be written as it was logged, so that an operator has to decide. It holds
 * that shard, not the node.
 *
 * @param code the problem
 * @param message what was expected and found, on which shard, at which position
 */
public record Question(ErrorCode code, String message) {}
