package io.tributary.dumper.serve;

/** Session 7 of user repl. */
record FixedSession(String schema) implements SqlExpression.SessionFacts {
    @Override
    public long threadId() {
        return 7;
    }

    @Override
    public String user() {
        return "repl@127.0.0.1";
    }

    @Override
    public String version() {
        return "8.0.31-tributary";
    }

    @Override
    public boolean readsAll() {
        return true;
    }

    @Override
    public String newUuid() {
        return FixedStatus.UUID;
    }
}
