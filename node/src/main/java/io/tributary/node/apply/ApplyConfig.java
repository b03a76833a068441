package io.tributary.node.apply;

import io.tributary.apply.ApplyBackend;
import io.tributary.apply.ApplyDependency;
import io.tributary.apply.ApplyNames;
import io.tributary.apply.ApplyOrder;
import io.tributary.apply.ApplyPlan;
import io.tributary.common.config.ByteSize;
import io.tributary.common.config.HostPort;
import io.tributary.common.config.Key;
import io.tributary.common.config.Secret;
import io.tributary.common.gtid.GtidSet;
import io.tributary.mysql.protocol.client.TlsMode;
import io.tributary.node.reader.ReadNodes;
import io.tributary.replay.session.Peer;
import io.tributary.serve.filter.TableFilter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The configuration keys of a node that applies the binlog of other nodes to a target. */
public record ApplyConfig(From from, To to, Selection selection, Way way, Limits limits) {
    /** The nodes from which the stream is read. */
    public record From(
            @Key(
                    value = "apply.nodes",
                    required = true,
                    live = true,
                    about =
                            "MySQL addresses (serve.listen) of the nodes whose binlog is applied, such as those of all Dumpers"
                                    + " of a cluster; one of them is read, and the next one when it does not answer.")
            List<HostPort> addresses,

            @Key(
                    value = "apply.user",
                    byDefault = "tributary",
                    live = true,
                    about = "Account on the nodes with the right to replicate.")
            String user,

            @Key(value = "apply.password", live = true, secret = true, about = "Password of apply.user.")
            Secret password,

            @Key(
                    value = "apply.tls",
                    byDefault = "preferred",
                    live = true,
                    about = "How connections to the nodes use TLS.")
            TlsMode tls) {
        public From {
            addresses = List.copyOf(addresses);
            if (addresses.isEmpty()) {
                throw new IllegalArgumentException("apply.nodes: expected at least one address, found none");
            }
        }
    }

    /** The target. */
    public record To(
            @Key(
                    value = "apply.target",
                    required = true,
                    live = true,
                    about = "Address of the server to which the binlog is applied.")
            HostPort address,

            @Key(
                    value = "apply.target.user",
                    byDefault = "tributary",
                    live = true,
                    about = "Account on the target; docs/apply.md lists its rights.")
            String user,

            @Key(value = "apply.target.password", live = true, secret = true, about = "Password of apply.target.user.")
            Secret password,

            @Key(
                    value = "apply.target.tls",
                    byDefault = "preferred",
                    live = true,
                    about = "How connections to the target use TLS.")
            TlsMode tls,

            @Key(
                    value = "apply.name",
                    byDefault = "tributary",
                    about =
                            "Name of the progress on the target: 1 to 32 letters, digits, - and _. Several streams to one target"
                                    + " need a name each.")
            String name) {
        private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,32}");

        public To {
            if (!NAME.matcher(name).matches()) {
                throw new IllegalArgumentException(
                        "apply.name: expected 1 to 32 letters, digits, - and _, found '" + name + "'");
            }
        }
    }

    /** What is applied. */
    public record Selection(
            @Key(
                    value = "apply.tables",
                    about = "Patterns of the tables that are applied, such as 'shop.*,!shop.log_*'; not set: all.")
            Optional<String> tables,

            @Key(
                    value = "apply.rename",
                    about = "Other names on the target: schema:schema or schema.table:schema.table.")
            List<String> renames,

            @Key(
                    value = "apply.start",
                    about =
                            "A GTID set that is not applied, if the target has no progress: the place of the stream that the"
                                    + " tables of the target have.")
            Optional<String> start) {
        public Selection {
            renames = List.copyOf(renames);
            try {
                var unused = tables.map(TableFilter::parse);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("apply.tables: " + e.getMessage(), e);
            }
            try {
                var unused = start.map(GtidSet::parse);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("apply.start: " + e.getMessage(), e);
            }
            var unused = ApplyNames.of(table -> true, schema -> true, renames);
        }

        private ApplyNames names() {
            TableFilter filter = tables.map(TableFilter::parse).orElse(TableFilter.ALL);
            return ApplyNames.of(filter::reads, schema -> readsAll(filter, schema), renames);
        }

        private static boolean readsAll(TableFilter filter, String schema) {
            return filter.isAll()
                    || filter.readsSchema(schema)
                            && filter.excluded().isEmpty()
                            && filter.included().stream().allMatch(TableFilter.Rule::isOfSchema);
        }
    }

    /** How it is applied. */
    public record Way(
            @Key(
                    value = "apply.backend",
                    byDefault = "events",
                    about =
                            "events: rows are sent as binlog events, for MySQL and MariaDB; sql: as INSERT, UPDATE and DELETE, for"
                                    + " every compatible server.")
            ApplyBackend backend,

            @Key(
                    value = "apply.order",
                    byDefault = "none",
                    about =
                            "none: the changes of each row are in order; group: from time to time the target has all transactions"
                                    + " up to one of them and no later one; strict: always.")
            ApplyOrder order,

            @Key(
                    value = "apply.dependency",
                    byDefault = "writeset",
                    about =
                            "What may be applied at the same time: writeset: transactions that change different keys; stream: as"
                                    + " the binlog states (binlog.parallel); none: nothing.")
            ApplyDependency dependency,

            @Key(
                    value = "apply.overwrite",
                    byDefault = "false",
                    about =
                            "Rows overwrite what is in their way, and numbers of rows are not checked: for a target that was"
                                    + " copied without a place in the stream (apply.backend=sql).")
            boolean overwrites) {}

    /** The limits of the applier. */
    public record Limits(
            @Key(
                    value = "apply.workers",
                    byDefault = "8",
                    min = "1",
                    max = "64",
                    about = "Sessions on the target that apply transactions at the same time.")
            int workers,

            @Key(
                    value = "apply.batch",
                    byDefault = "8",
                    min = "1",
                    max = "1000",
                    about = "Transactions that a session applies together, at most.")
            int batch,

            @Key(
                    value = "apply.group",
                    byDefault = "1000",
                    min = "1",
                    max = "1000000",
                    about = "Transactions between two points of apply.order=group, at most.")
            int group,

            @Key(
                    value = "apply.memory",
                    byDefault = "64MiB",
                    min = "1MiB",
                    about =
                            "Bytes of transactions that were read and have not committed on the target, at most; a larger"
                                    + " transaction is applied alone, in pieces.")
            ByteSize memory,

            @Key(
                    value = "apply.timeout",
                    byDefault = "1min",
                    live = true,
                    min = "15s",
                    max = "1d",
                    about =
                            "How long the target may take for the answer to one packet of rows, and how long a node may send"
                                    + " nothing. Nodes send a heartbeat every 10 seconds.")
            Duration timeout,

            @Key(
                    value = "apply.retry",
                    byDefault = "10s",
                    live = true,
                    min = "100ms",
                    max = "1h",
                    about = "Longest pause before the applier tries again after an error; the first one is 0.1 s.")
            Duration retry) {}

    /** The nodes that are read. */
    ReadNodes nodes() {
        return new ReadNodes(
                from.addresses, new ReadNodes.Login(from.user, from.password, from.tls), limits.timeout);
    }

    /** The target with the account there. */
    Peer target() {
        return Peer.target(new ReadNodes.Login(to.user, to.password, to.tls).at(to.address), limits.timeout);
    }

    /** What the applier does. */
    ApplyPlan plan() {
        return new ApplyPlan(
                to.name,
                target(),
                selection.names(),
                selection.start.map(GtidSet::parse),
                new ApplyPlan.Settings(
                        way.backend,
                        way.order,
                        way.dependency,
                        way.overwrites,
                        new ApplyPlan.Limits(limits.workers, limits.batch, limits.group, limits.memory.bytes())));
    }
}
