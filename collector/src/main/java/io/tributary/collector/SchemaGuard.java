package io.tributary.collector;

import io.tributary.collector.order.DdlLedger;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Ddl;
import io.tributary.common.value.TableName;
import io.tributary.common.value.TableRef;
import io.tributary.common.value.Token;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that the rows of a table have one shape at a time in the output. A DDL statement that changes columns makes the
 * shape unknown; the first rows from a shard that has had the statement say what it is. Rows from a shard that has not had
 * it must be of that shape already.
 */
final class SchemaGuard {
    private static final Logger LOG = LoggerFactory.getLogger(SchemaGuard.class);

    private final DdlLedger ddls;
    private final List<String> shardNames;
    private final boolean passes;
    private final Map<TableName, Table> tables = new HashMap<>();
    private final Map<TableRef, Table> tablesOfRefs = new HashMap<>();

    /** The shape in force; null while unknown. */
    private static final class Table {
        private TableRef inForce;
        private boolean warned;
    }

    SchemaGuard(DdlLedger ddls, List<String> shardNames, DdlMixed mixed) {
        this.ddls = ddls;
        this.shardNames = List.copyOf(shardNames);
        this.passes = mixed == DdlMixed.PASS;
    }

    /**
     * The rows of this token stand next in the output.
     *
     * @throws TributaryException SCHEMA_MIXED
     */
    void check(Token token) {
        List<TableRef> refs = token.tables();
        for (int i = 0; i < refs.size(); i++) {
            TableRef ref = refs.get(i);
            Table table = tablesOfRefs.get(ref);
            if (table == null) {
                table = tables.computeIfAbsent(new TableName(ref.schema(), ref.table()), any -> new Table());
                tablesOfRefs.put(ref, table);
            }
            if (table.inForce != ref) {
                otherShape(table, ref, token);
            }
        }
    }

    private void otherShape(Table table, TableRef ref, Token token) {
        List<Ddl> missing = missing(ref, token.shard());
        if (table.inForce == null && missing.isEmpty()) {
            table.inForce = ref;
            table.warned = false;
            return;
        }
        String problem = problem(table, ref, token, missing);
        if (!passes) {
            throw new TributaryException(ErrorCode.SCHEMA_MIXED, problem);
        }
        if (!table.warned) {
            table.warned = true;
            LOG.warn("{} (passed on because ddl.mixed=pass; not said again for this table)", problem);
        }
    }

    /** Emitted statements that change this table's columns and have not come from the shard. */
    private List<Ddl> missing(TableRef ref, int shard) {
        List<Ddl> missing = new ArrayList<>();
        for (Ddl ddl : ddls.missingOn(shard)) {
            if (ddl.changesColumns() && ddl.tables().stream().anyMatch(name -> isOf(name, ref))) {
                missing.add(ddl);
            }
        }
        return missing;
    }

    private static boolean isOf(TableName name, TableRef ref) {
        return name.schema().equals(ref.schema())
                && (name.table().isEmpty() || name.table().equals(ref.table()));
    }

    /** A statement has been emitted: the shapes of its tables are unknown if it changes columns. */
    void emitted(Ddl ddl) {
        if (!ddl.changesColumns()) {
            return;
        }
        for (TableName name : ddl.tables()) {
            tables.forEach((key, table) -> {
                boolean wholeSchema = name.table().isEmpty() && name.schema().equals(key.schema());
                if (wholeSchema || name.equals(key)) {
                    table.inForce = null;
                }
            });
        }
        tablesOfRefs.clear(); // else every shape that ever was would stay
    }

    private String problem(Table table, TableRef ref, Token token, List<Ddl> missing) {
        String shard = shardNames.get(token.shard());
        StringJoiner statements = new StringJoiner(", ");
        missing.forEach(ddl -> statements.add("DDL " + ddl.digest() + " on " + ddl.tables()));
        String inForce = table.inForce == null ? "a shape not seen yet" : "shape " + table.inForce.id();
        String why = missing.isEmpty()
                ? "no DDL on this table came between"
                : "shard " + shard + " has not logged " + statements;
        return "table " + ref.schema() + "." + ref.table() + ": expected rows of " + inForce + ", found shape "
                + ref.id()
                + " from shard " + shard + " in " + token.sid() + ":" + token.gno() + ", " + token.file() + " before "
                + token.end() + "; " + why;
    }
}
