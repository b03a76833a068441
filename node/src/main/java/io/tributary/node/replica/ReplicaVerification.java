package io.tributary.node.replica;

import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.replay.session.Peer;
import io.tributary.seed.change.ChangeSearch;
import io.tributary.seed.table.LogicalTable;
import io.tributary.seed.table.TableCatalog;
import io.tributary.seed.verify.Finding;
import io.tributary.seed.verify.TableResult;
import io.tributary.seed.verify.Verifier;
import io.tributary.seed.verify.VerifyListener;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;

/** Compares replicas of a running node with its shards: for the command and for the schedule. Immutable. */
public final class ReplicaVerification {
    private final MysqlClient client;
    private final StreamKeys keys;
    private final Clock clock;

    public ReplicaVerification(MysqlClient client, StreamKeys keys, Clock clock) {
        this.client = client;
        this.keys = keys;
        this.clock = clock;
    }

    /**
     * Compares one replica; returns after all tables were compared, or throws.
     *
     * @param executor must have a free thread for each of the plan's threads
     * @throws TributaryException CONFIG_INVALID, TARGET_* of the replica, SHARD_* and SQL_FAILED of a shard, NODE_UNREACHABLE, READER_REFUSED
     */
    public void run(VerifyPlan plan, VerifyReport report, ExecutorService executor) {
        Peer node = StreamServers.node(keys.serve());
        try (NodeStream stream = new NodeStream(client, node)) {
            List<Peer> shards = StreamServers.shards(stream.get(), keys.shards());
            List<LogicalTable> tables =
                    TableCatalog.read(client, stream.session(), shards, keys.names()).tables().stream()
                            .filter(table -> !table.members().isEmpty())
                            .filter(table -> plan.tables()
                                    .reads(table.name().schema(), table.name().table()))
                            .toList();
            report.begins(tables.size());
            Findings findings = new Findings(report, plan.search().rows());
            Verifier verifier =
                    new Verifier(plan.replica(), stream, new Verifier.Work(client, plan.options(), findings, clock));
            var unused = verifier.run(tables, executor, plan.threads());
            List<Finding> found = findings.kept();
            if (!found.isEmpty() && plan.search().isOn()) {
                report.searched(new ChangeSearch(client, node, plan.search(), clock).run(found, tables));
            }
        }
    }

    /** Passes everything on, and keeps findings for the search. */
    private static final class Findings implements VerifyListener {
        private final VerifyReport report;
        private final int most;
        private final List<Finding> kept = new ArrayList<>();

        Findings(VerifyReport report, int most) {
            this.report = report;
            this.most = most;
        }

        @Override
        public void chunk(TableName table, long rows) {
            report.chunk(table, rows);
        }

        @Override
        public void found(Finding finding) {
            synchronized (kept) {
                if (finding.isDifference() && kept.size() < most) {
                    kept.add(finding);
                }
            }
            report.found(finding);
        }

        @Override
        public void repaired(TableName table, List<String> settings, List<String> statements) {
            report.repaired(table, settings, statements);
        }

        @Override
        public void ended(TableResult table) {
            report.ended(table);
        }

        List<Finding> kept() {
            synchronized (kept) {
                return List.copyOf(kept);
            }
        }
    }
}
