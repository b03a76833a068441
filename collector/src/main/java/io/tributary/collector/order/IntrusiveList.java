package io.tributary.collector.order;

/** A doubly linked list whose items contain their own links, so that an item is removed without a search. */
public final class IntrusiveList<T extends IntrusiveList.Link<T>> {
    /** An item; in at most one list at a time. */
    abstract static class Link<T extends Link<T>> {
        private IntrusiveList<T> list;
        private T previous;
        private T next;

        abstract T self();

        /** The item after it, or null. */
        public final T next() {
            return next;
        }

        /** Removes it from its list, if it is in one. */
        public final void unlink() {
            if (list != null) {
                list.remove(self());
            }
        }

        public final boolean isIn(IntrusiveList<T> which) {
            return list == which;
        }
    }

    private T first;
    private T last;
    private int size;

    /** The item that was appended before all others, or null. */
    public T first() {
        return first;
    }

    int size() {
        return size;
    }

    void append(T item) {
        item.unlink();
        Link<T> link = item;
        link.list = this;
        link.previous = last;
        if (last == null) {
            first = item;
        } else {
            Link<T> before = last;
            before.next = item;
        }
        last = item;
        size++;
    }

    private void remove(T item) {
        Link<T> link = item;
        if (link.previous == null) {
            first = link.next;
        } else {
            Link<T> before = link.previous;
            before.next = link.next;
        }
        if (link.next == null) {
            last = link.previous;
        } else {
            Link<T> after = link.next;
            after.previous = link.previous;
        }
        link.list = null;
        link.previous = null;
        link.next = null;
        size--;
    }
}
