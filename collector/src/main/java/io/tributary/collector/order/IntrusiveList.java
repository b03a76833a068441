package io.tributary.collector.order;

/** A doubly linked list whose items carry their own links, so that each leaves it without a search. */
final class Chain<T extends Chain.Link<T>> {
    /** An item; in one chain at a time at most. */
    abstract static class Link<T extends Link<T>> {
        private Chain<T> chain;
        private T previous;
        private T next;

        abstract T self();

        /** The item behind it, or null. */
        final T next() {
            return next;
        }

        /** Takes it out of its chain, if it is in one. */
        final void unlink() {
            if (chain != null) {
                chain.remove(self());
            }
        }

        final boolean isIn(Chain<T> which) {
            return chain == which;
        }
    }

    private T first;
    private T last;
    private int size;

    /** The item that was appended before all others, or null. */
    T first() {
        return first;
    }

    int size() {
        return size;
    }

    void append(T item) {
        item.unlink();
        Link<T> link = item;
        link.chain = this;
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
            Link<T> behind = link.next;
            behind.previous = link.previous;
        }
        link.chain = null;
        link.previous = null;
        link.next = null;
        size--;
    }
}
