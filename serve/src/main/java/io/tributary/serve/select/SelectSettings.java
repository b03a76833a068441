package io.tributary.serve.select;

import java.time.Duration;

/**
 * The settings of a reader's session that have an effect on its SELECTs.
 *
 * @param timeZone in which it writes and gets TIMESTAMP values
 * @param longest maximum duration of one SELECT
 */
record SelectSettings(String timeZone, Duration longest) {}
