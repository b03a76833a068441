/**
 * The order in which several sessions apply transactions. {@link io.tributary.apply.schedule.ApplySchedule} starts a batch as soon as all
 * unfinished batches before it that have one of its keys are finished; {@link io.tributary.apply.schedule.Dependencies} finds those.
 */
package io.tributary.apply.schedule;
