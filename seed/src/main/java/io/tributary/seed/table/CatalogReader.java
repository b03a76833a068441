package io.tributary.seed.table;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.TableName;
import io.tributary.extractor.check.TableNames;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.replay.session.Peer;
import io.tributary.schema.compare.Conformity;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.definition.TableKey;
import io.tributary.schema.list.SchemaDefault;
import io.tributary.schema.write.CreateTable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Reads a catalog. The definition of a table is the one in the binlog (SHOW TRIBUTARY SCHEMA), because the events from the end of the binlog on have
 * its columns. The statement that creates it is a member's own one if it creates the same table, because that has comments, partitions and storage
 * options too.
 */
final class CatalogReader {
    private static final Comparator<TableName> ORDER =
            Comparator.comparing(TableName::schema).thenComparing(TableName::table);
    private final MysqlClient client;
    private final List<Peer> shards;
    private final TableNames names;
    private final List<ShardListing> listings = new ArrayList<>();
    private final Map<TableName, List<ShardTable>> members = new TreeMap<>(ORDER);
    private final Map<TableName, LogicalView> views = new LinkedHashMap<>();
    private final Map<String, SchemaDefault> schemas = new TreeMap<>();
    private final Map<String, SchemaDefault> ofMembers = new TreeMap<>();
    private final TreeSet<String> leftOut = new TreeSet<>();

    CatalogReader(MysqlClient client, List<Peer> shards, TableNames names) {
        this.client = client;
        this.shards = List.copyOf(shards);
        this.names = names;
    }

    /** @param definitions reads the definitions in force, also of tables that are not in the given list */
    TableCatalog read(Function<Collection<TableName>, Map<TableName, TableDefinition>> definitions) {
        try {
            for (Peer shard : shards) {
                ShardListing listing = ShardListing.open(client, shard, names);
                listings.add(listing);
                list(listing);
            }
            Map<TableName, TableDefinition> known = definitions.apply(members.keySet());
            TreeSet<TableName> all = new TreeSet<>(ORDER);
            all.addAll(known.keySet());
            all.addAll(members.keySet());
            List<LogicalTable> tables = new ArrayList<>();
            for (TableName name : all) {
                table(name, Optional.ofNullable(known.get(name))).ifPresent(tables::add);
            }
            tables.forEach(this::addSchema);
            return new TableCatalog(
                    tables, List.copyOf(schemas.values()), List.copyOf(views.values()), List.copyOf(leftOut));
        } finally {
            listings.forEach(ShardListing::close);
        }
    }

    // ---- shards

    private void list(ShardListing listing) {
        Map<String, SchemaDefault> defaults = new HashMap<>();
        for (SchemaDefault schema : listing.schemas()) {
            defaults.put(schema.schema(), schema);
            names.logical(new TableName(schema.schema(), ""))
                    .ifPresent(logical -> add(schemas, logical.schema(), schema));
        }
        for (TableName physical : listing.tables()) {
            names.logical(physical).ifPresent(logical -> {
                members.computeIfAbsent(logical, same -> new ArrayList<>())
                        .add(new ShardTable(listing.shard(), physical));
                add(ofMembers, logical.schema(), defaults.get(physical.schema()));
            });
        }
        for (TableName physical : listing.views()) {
            names.logical(physical).ifPresent(logical -> addView(listing, physical, logical));
        }
    }

    private static void add(Map<String, SchemaDefault> to, String logical, SchemaDefault physical) {
        if (physical != null) {
            to.putIfAbsent(logical, new SchemaDefault(logical, physical.charset(), physical.collation()));
        }
    }

    private void addView(ShardListing listing, TableName physical, TableName logical) {
        if (views.containsKey(logical)) {
            return;
        }
        if (!physical.equals(logical)) {
            leftOut.add("view " + logical + ": its text has the names of " + listing.shard());
            return;
        }
        ShardListing.ViewText shown = listing.view(physical);
        if (shown.text().isEmpty()) {
            leftOut.add("view " + logical + ": " + shown.refusal());
        } else {
            views.put(logical, new LogicalView(logical, shown.text()));
        }
    }

    static TributaryException unreadable(TableName name, Peer from) {
        return new TributaryException(
                ErrorCode.SEED_FAILED,
                from + ": expected the definition of " + name
                        + ", found a CREATE TABLE that cannot be read; leave the table out by a table filter");
    }

    // ---- tables

    private Optional<LogicalTable> table(TableName name, Optional<TableDefinition> known) {
        List<ShardTable> own = members.getOrDefault(name, List.of());
        Peer asked = null;
        for (ShardTable member : own) {
            if (member.shard().equals(asked)) {
                continue; // members of one shard are made by the same statements
            }
            asked = member.shard();
            Optional<LogicalCreate> create = create(member, name);
            Optional<TableDefinition> live = create.flatMap(LogicalCreate::definition);
            if (create.isPresent() && live.isEmpty() && known.isEmpty()) {
                throw unreadable(name, member.shard());
            }
            if (live.isPresent()
                    && known.map(table -> isSame(table, live.get())).orElse(true)) {
                return Optional.of(
                        new LogicalTable(known.orElse(live.get()), create.get().statement(), own));
            }
        }
        return known.map(table -> new LogicalTable(table, canonical(table), own));
    }

    private Optional<LogicalCreate> create(ShardTable member, TableName name) {
        return listings.stream()
                .filter(listing -> listing.shard().equals(member.shard()))
                .findFirst()
                .flatMap(listing -> listing.create(member.physical()))
                .map(shown -> new LogicalCreate(shown, member.physical(), name, this::logical));
    }

    private TableName logical(TableName physical) {
        return names.logical(physical).orElse(physical);
    }

    /** Whether they have equal rows, keys and constraints; names of constraints are specific to a shard. */
    private static boolean isSame(TableDefinition known, TableDefinition live) {
        return live.columns().equals(known.columns())
                && live.collation().equals(known.collation())
                && keys(live).equals(keys(known))
                && Conformity.differences(live, known).isEmpty();
    }

    /** A key that a server created for a foreign key has the foreign key's name, and none here. */
    private static List<TableKey> keys(TableDefinition table) {
        return table.keys().stream()
                .map(key -> table.foreignKeys().stream()
                                .anyMatch(foreign -> foreign.name().equals(key.name()))
                        ? key.named("")
                        : key)
                .toList();
    }

    private static String canonical(TableDefinition table) {
        TableName bare = new TableName("", table.name().table());
        return CreateTable.text(
                new TableDefinition(bare, table.columns(), table.keys(), table.constraints(), table.collation()));
    }

    /** A table without a schema of its name on any shard gets the defaults of the schema of its first member. */
    private void addSchema(LogicalTable table) {
        String schema = table.name().schema();
        SchemaDefault standard = new SchemaDefault(schema, "utf8mb4", "utf8mb4_0900_ai_ci");
        schemas.putIfAbsent(schema, ofMembers.getOrDefault(schema, standard));
    }
}
