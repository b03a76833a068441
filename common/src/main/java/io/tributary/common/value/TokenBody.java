package io.tributary.common.value;

import java.util.List;
import java.util.Objects;

/**
 * What a transaction of a shard's binlog does, with exactly the values that its kind has. If an operator has to decide about it before it can
 * be processed, it has a question and no events, and represents the rest of the transaction: for a PREPARE a branch without rows, for the
 * others nothing.
 */
public sealed interface TokenBody {
    /** The kind of the transaction. */
    TokenKind kind();

    /** The branch (PREPARE, COMMIT, ROLLBACK), else null. */
    default Xid xid() {
        return null;
    }

    /** The events (LOCAL, PREPARE, DDL), else null. */
    default Payload payload() {
        return null;
    }

    /** The shapes of the tables whose rows the payload holds, each once. */
    default List<TableRef> tables() {
        return List.of();
    }

    /** The statement (DDL), else null. */
    default Ddl ddl() {
        return null;
    }

    /** The effect of its statement on hidden tables of its shard (DDL, SKIPPED); {@link HiddenChange#NONE} = none. */
    default HiddenChange hidden() {
        return HiddenChange.NONE;
    }

    /** Why an operator has to decide about it before it can be processed, else null. */
    default Question question() {
        return null;
    }

    /** The heartbeat round's number (ROUND), else 0. */
    default long round() {
        return 0;
    }

    /** The position from which to read it again (PREPARE; ROUND in `tso` order), else null. */
    default ResumePosition before() {
        return null;
    }

    /**
     * The same with other events; the previous payload is not released.
     *
     * @throws IllegalStateException if it has no events
     */
    default TokenBody withPayload(Payload payload, List<TableRef> tables) {
        throw new IllegalStateException("expected a token with events, found " + kind());
    }

    /**
     * The same with a question to the operator and without its events; the payload is not released.
     *
     * @throws IllegalStateException if an operator cannot decide about it
     */
    default TokenBody asking(Question question) {
        throw new IllegalStateException("expected a token that can have a question, found " + kind());
    }

    /**
     * A local transaction, including XA COMMIT ... ONE PHASE.
     *
     * @param payload the events; null = none
     * @param tables the shapes of the tables whose rows the payload holds, each once
     */
    record LocalTransaction(Payload payload, List<TableRef> tables) implements TokenBody {
        @Override
        public TokenKind kind() {
            return TokenKind.LOCAL;
        }

        @Override
        public TokenBody withPayload(Payload newPayload, List<TableRef> newTables) {
            return new LocalTransaction(newPayload, newTables);
        }

        @Override
        public TokenBody asking(Question question) {
            return new AskedLocal(question);
        }
    }

    /**
     * An XA branch that was prepared.
     *
     * @param before the position from which to read it again
     * @param payload the events; null = none
     * @param tables the shapes of the tables whose rows the payload holds, each once
     */
    record PreparedBranch(Xid xid, ResumePosition before, Payload payload, List<TableRef> tables) implements TokenBody {
        public PreparedBranch {
            Objects.requireNonNull(xid, "xid");
            Objects.requireNonNull(before, "before");
        }

        @Override
        public TokenKind kind() {
            return TokenKind.PREPARE;
        }

        @Override
        public TokenBody withPayload(Payload newPayload, List<TableRef> newTables) {
            return new PreparedBranch(xid, before, newPayload, newTables);
        }

        @Override
        public TokenBody asking(Question question) {
            return new AskedPrepare(xid, before, question);
        }
    }

    /** A prepared branch that committed. */
    record CommittedBranch(Xid xid) implements TokenBody {
        public CommittedBranch {
            Objects.requireNonNull(xid, "xid");
        }

        @Override
        public TokenKind kind() {
            return TokenKind.COMMIT;
        }

        @Override
        public TokenBody asking(Question question) {
            return new AskedCommit(xid, question);
        }
    }

    /** A prepared branch that was rolled back. */
    record RolledBackBranch(Xid xid) implements TokenBody {
        public RolledBackBranch {
            Objects.requireNonNull(xid, "xid");
        }

        @Override
        public TokenKind kind() {
            return TokenKind.ROLLBACK;
        }
    }

    /**
     * A heartbeat round.
     *
     * @param round its number
     * @param before the position from which to read it again in `tso` order, else null
     */
    record HeartbeatRound(long round, ResumePosition before) implements TokenBody {
        @Override
        public TokenKind kind() {
            return TokenKind.ROUND;
        }
    }

    /**
     * A DDL statement.
     *
     * @param payload one QUERY event for each part of the statement, then the rows, if any; null = none
     * @param tables the shapes of the tables whose rows the payload holds, each once
     */
    record LoggedDdl(Ddl ddl, Payload payload, List<TableRef> tables) implements TokenBody {
        public LoggedDdl {
            Objects.requireNonNull(ddl, "ddl");
        }

        @Override
        public TokenKind kind() {
            return TokenKind.DDL;
        }

        @Override
        public HiddenChange hidden() {
            return ddl.hidden();
        }

        @Override
        public TokenBody withPayload(Payload newPayload, List<TableRef> newTables) {
            return new LoggedDdl(ddl, newPayload, newTables);
        }

        @Override
        public TokenBody asking(Question question) {
            return new AskedDdl(question);
        }
    }

    /**
     * A transaction that is left out: it only moves the frontier.
     *
     * @param hidden the effect of its statement on hidden tables
     */
    record SkippedTransaction(HiddenChange hidden) implements TokenBody {
        /** A transaction that is left out and has no effect on hidden tables. */
        public static final SkippedTransaction WITHOUT_EFFECT = new SkippedTransaction(HiddenChange.NONE);

        public SkippedTransaction {
            Objects.requireNonNull(hidden, "hidden");
        }

        @Override
        public TokenKind kind() {
            return TokenKind.SKIPPED;
        }
    }

    /** A local transaction about which an operator has to decide. */
    record AskedLocal(Question question) implements TokenBody {
        public AskedLocal {
            Objects.requireNonNull(question, "question");
        }

        @Override
        public TokenKind kind() {
            return TokenKind.LOCAL;
        }
    }

    /**
     * A branch that was prepared, about whose rows an operator has to decide.
     *
     * @param before the position from which to read it again
     */
    record AskedPrepare(Xid xid, ResumePosition before, Question question) implements TokenBody {
        public AskedPrepare {
            Objects.requireNonNull(xid, "xid");
            Objects.requireNonNull(before, "before");
            Objects.requireNonNull(question, "question");
        }

        @Override
        public TokenKind kind() {
            return TokenKind.PREPARE;
        }
    }

    /** The commit of a branch, about which an operator has to decide. */
    record AskedCommit(Xid xid, Question question) implements TokenBody {
        public AskedCommit {
            Objects.requireNonNull(xid, "xid");
            Objects.requireNonNull(question, "question");
        }

        @Override
        public TokenKind kind() {
            return TokenKind.COMMIT;
        }
    }

    /** A DDL statement about which an operator has to decide. */
    record AskedDdl(Question question) implements TokenBody {
        public AskedDdl {
            Objects.requireNonNull(question, "question");
        }

        @Override
        public TokenKind kind() {
            return TokenKind.DDL;
        }
    }
}
