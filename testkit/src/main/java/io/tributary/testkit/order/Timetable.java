package io.tributary.testkit.order;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.DoublePredicate;

/** The planned events of a simulation, in the order of their times; with equal times, in the order of planning. */
public final class Timetable {
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingDouble(Event::time).thenComparingLong(Event::number));
    private long planned;

    /** An event at a time. */
    public interface Action {
        void run(double now);
    }

    private record Event(double time, long number, Action action) {}

    public void at(double time, Action action) {
        events.add(new Event(time, planned++, action));
    }

    /** Runs the events until none is left or {@code isOver} returns true; it is called after each event with its time. */
    public void run(DoublePredicate isOver) {
        while (!events.isEmpty()) {
            Event event = events.remove();
            event.action.run(event.time);
            if (isOver.test(event.time)) {
                return;
            }
        }
    }
}
