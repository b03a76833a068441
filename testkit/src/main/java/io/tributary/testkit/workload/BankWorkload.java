package io.tributary.testkit.workload;

import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/**
 * A workload of transfers between the accounts of a bank on several shards: local transactions, and XA transactions over two
 * or more shards.
 *
 * <p>Schema {@value #SCHEMA}, the same on every shard. {@code accounts}: the sum of all balances never changes; {@code seq}
 * increases with each update of a row. {@code transfers}: one row per branch of each transaction, with the transaction's
 * unique id, its number of branches, whether it is XA, and the client's clock just before the commit. {@code vouchers}:
 * rows that XA transactions move between shards under the same key. It continues when a shard is killed and restarted. After
 * it is stopped, no branch is in doubt.
 */
public final class BankWorkload implements Workload {
    public static final String SCHEMA = "bank";

    private static final String ACCOUNTS =
            "CREATE TABLE bank.accounts (id BIGINT PRIMARY KEY, balance BIGINT NOT NULL, "
                    + "seq BIGINT NOT NULL, note VARCHAR(60) NOT NULL DEFAULT '')";
    private static final String TRANSFERS = "CREATE TABLE bank.transfers (id BIGINT NOT NULL, shard INT NOT NULL, "
            + "branches INT NOT NULL, xa TINYINT NOT NULL, amount BIGINT NOT NULL, at_micros BIGINT NOT NULL, "
            + "PRIMARY KEY (id, shard))";
    private static final String VOUCHERS =
            "CREATE TABLE bank.vouchers (id BIGINT PRIMARY KEY, seq BIGINT NOT NULL, holder BIGINT NOT NULL)";
    private static final int ROWS_PER_INSERT = 1000;

    private final List<MysqlServer> shards;
    private final BankOptions options;
    private final Commits commits;
    private final Load load;
    private final AtomicLong nextTransfer = new AtomicLong(1);
    private final LongAdder[] local;
    private final LongAdder[] branches;
    private final LongAdder xa = new LongAdder();
    private final LongAdder rolledBack = new LongAdder();
    private final LongAdder unknown = new LongAdder();
    private volatile List<Integer> inUse;

    public BankWorkload(List<MysqlServer> shards, BankOptions options) {
        this(shards, options, Commits.PLAIN);
    }

    /** A bank whose coordinator sets commit timestamps. */
    public BankWorkload(List<MysqlServer> shards, BankOptions options, TsoCommits commits) {
        this(shards, options, (Commits) commits);
    }

    private BankWorkload(List<MysqlServer> shards, BankOptions options, Commits commits) {
        this.shards = List.copyOf(shards);
        this.options = options;
        this.commits = commits;
        this.local = adders(shards.size());
        this.branches = adders(shards.size());
        this.inUse = IntStream.range(0, shards.size()).boxed().toList();
        this.load = new Load(
                "bank", options.threads(), options.perSecond(), number -> new BankTeller(this, this.shards, number));
    }

    private static LongAdder[] adders(int count) {
        LongAdder[] adders = new LongAdder[count];
        Arrays.setAll(adders, i -> new LongAdder());
        return adders;
    }

    @Override
    public void prepare() throws SQLException {
        for (int shard : inUse) {
            try (Sql sql = shards.get(shard).sql()) {
                sql.execute("CREATE DATABASE bank", ACCOUNTS, TRANSFERS, VOUCHERS);
                insert(sql, "accounts", shard, options.accountsPerShard(), BankOptions.FIRST_BALANCE + ",0,''");
                insert(sql, "vouchers", shard, options.vouchersPerShard(), "0,0");
            }
        }
    }

    /** Creates a shard's tables without rows and without an entry in its binlog: the other shards already have them. */
    public void prepareTables(int shard) throws SQLException {
        try (Sql sql = shards.get(shard).sql()) {
            sql.execute("SET sql_log_bin = 0", "CREATE DATABASE bank", ACCOUNTS, TRANSFERS, VOUCHERS);
        }
    }

    /** Opens the accounts of a shard whose tables exist. */
    public void openAccounts(int shard) throws SQLException {
        try (Sql sql = shards.get(shard).sql()) {
            insert(sql, "accounts", shard, options.accountsPerShard(), BankOptions.FIRST_BALANCE + ",0,''");
        }
    }

    /** Makes the tellers use only these shards, at least two. Only these are prepared. Not while the tellers work. */
    public void use(List<Integer> some) {
        inUse = List.copyOf(some);
    }

    List<Integer> inUse() {
        return inUse;
    }

    private void insert(Sql sql, String table, int shard, int count, String rest) throws SQLException {
        for (int first = 0; first < count; first += ROWS_PER_INSERT) {
            StringJoiner rows = new StringJoiner(",", "INSERT INTO bank." + table + " VALUES ", "");
            for (int i = first; i < Math.min(count, first + ROWS_PER_INSERT); i++) {
                rows.add("(" + rowId(shard, i) + "," + rest + ")");
            }
            sql.execute(rows.toString());
        }
    }

    /** The key of a shard's i-th row, unique over all shards. */
    long rowId(int shard, int i) {
        return (long) i * shards.size() + shard;
    }

    @Override
    public Load load() {
        return load;
    }

    /** The sum of all balances, which never changes. */
    public long total() {
        return (long) shards.size() * options.accountsPerShard() * BankOptions.FIRST_BALANCE;
    }

    /** The current figures; may be called at any time. */
    public BankFigures figures() {
        return new BankFigures(
                Arrays.stream(local).map(LongAdder::sum).toList(),
                Arrays.stream(branches).map(LongAdder::sum).toList(),
                xa.sum(),
                rolledBack.sum(),
                unknown.sum());
    }

    BankOptions options() {
        return options;
    }

    Commits commits() {
        return commits;
    }

    long nextTransfer() {
        return nextTransfer.getAndIncrement();
    }

    void localCommitted(int shard) {
        local[shard].increment();
    }

    void xaCommitted(List<Integer> over) {
        over.forEach(shard -> branches[shard].increment());
        xa.increment();
    }

    void rolledBack() {
        rolledBack.increment();
    }

    void outcomeUnknown() {
        unknown.increment();
    }
}
