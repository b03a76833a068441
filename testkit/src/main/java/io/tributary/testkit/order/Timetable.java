package io.tributary.testkit.order;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.DoublePredicate;

/** What is still to happen in a simulation: in the order of the times, and of the planning where those are equal. */
public final class Timetable {
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingDouble(Event::time).thenComparingLong(Event::number));
    private long planned;

    /** Something that happens at a time. */
    public interface Action {
        void run(double now);
    }

    private record Event(double time, long number, Action action) {}

    public void at(double time, Action action) {
        events.add(new Event(time, planned++, action));
    }

    /** Lets everything happen, until nothing is left or {@code isOver}, which is asked after each with its time. */
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
