package io.tributary.collector;

import io.tributary.collector.order.DdlLedger;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.value.Ddl;
import io.tributary.common.value.TableName;
import io.tributary.common.value.TableRef;
import io.tributary.common.value.Token;
import io.tributary.store.Catalogue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that the rows of a table have one shape at a time in the output. A DDL statement that changes columns makes the
 * shape unknown; the first rows from a shard that has had the statement say what it is. Rows from a shard that has not had
 * it must be of that shape already. The catalogue keeps what is in force, for any number of tables.
 */
final class SchemaGuard {
    private static final Logger LOG = LoggerFactory.getLogger(SchemaGuard.class);
    private static final int ACCEPTED = 1 << 12;
    private static final int MOST_WARNED = 1 << 12;

    private final DdlLedger ddls;
    private final List<String> shardNames;
    private final boolean passes;

    /** The id of the shape in force by table; none while it is unknown. */
    private final Catalogue inForce;

    /** Ids in force that were asked for lately, each where its low bits say. */
    private final long[] accepted = new long[ACCEPTED];

    private final Set<TableName> warned = new HashSet<>();

    /** @param tables empty; nobody else uses it */
    SchemaGuard(DdlLedger ddls, List<String> shardNames, DdlMixed mixed, Catalogue tables) {
        this.ddls = ddls;
        this.shardNames = new ArrayList<>(shardNames);
        this.passes = mixed == DdlMixed.PASS;
        this.inForce = tables;
    }

    /** One more shard. */
    void join(int shard, String name) {
        while (shardNames.size() <= shard) {
            shardNames.add(name);
        }
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
            if (accepted[slot(ref)] != ref.id()) {
                check(ref, token);
            }
        }
    }

    private static int slot(TableRef ref) {
        return (int) ref.id() & ACCEPTED - 1;
    }

    private void check(TableRef ref, Token token) {
        byte[] name = key(ref.schema(), ref.table());
        long known = inForce.find(name);
        if (known != ref.id()) {
            if (!otherShape(known, ref, token)) {
                return;
            }
            inForce.put(name, ref.id());
        }
        accepted[slot(ref)] = ref.id();
    }

    /** Whether the shape is in force from here on. */
    private boolean otherShape(long known, TableRef ref, Token token) {
        List<Ddl> missing = missing(ref, token.shard());
        TableName name = new TableName(ref.schema(), ref.table());
        if (known == 0 && missing.isEmpty()) {
            warned.remove(name);
            return true;
        }
        String problem = problem(known, ref, token, missing);
        if (!passes) {
            throw new TributaryException(ErrorCode.SCHEMA_MIXED, problem);
        }
        if (warned.size() < MOST_WARNED && warned.add(name)) {
            LOG.warn("{} (passed on because ddl.mixed=pass; not said again for this table)", problem);
        }
        return false;
    }

    /** Ends behind the table's name, so that a schema's tables are those whose keys begin with the schema's. */
    private static byte[] key(String schema, String table) {
        return (schema + "\0" + table + "\0").getBytes(StandardCharsets.UTF_8);
    }

    /** Emitted statements that change this table's columns and have not come from the shard. */
    private List<Ddl> missing(TableRef ref, int shard) {
        List<Ddl> missing = new ArrayList<>();
        for (Ddl ddl : ddls.missingOn(shard)) {
            if (ddl.parts().get(0).reshapes()
                    && ddl.parts().get(0).targets().stream().map(each -> each.logical()).toList().stream()
                            .anyMatch(name -> isOf(name, ref))) {
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
        if (!ddl.parts().get(0).reshapes()) {
            return;
        }
        for (TableName name : ddl.parts().get(0).targets().stream()
                .map(each -> each.logical())
                .toList()) {
            if (name.table().isEmpty()) {
                inForce.removeAll((name.schema() + "\0").getBytes(StandardCharsets.UTF_8));
            } else {
                forget(key(name.schema(), name.table()));
            }
        }
        Arrays.fill(accepted, 0);
    }

    private void forget(byte[] table) {
        if (inForce.find(table) != 0) {
            inForce.put(table, 0);
        }
    }

    private String problem(long known, TableRef ref, Token token, List<Ddl> missing) {
        String shard = shardNames.get(token.shard());
        StringJoiner statements = new StringJoiner(", ");
        missing.forEach(ddl -> statements.add("DDL " + ddl.parts().get(0).id() + " on "
                + ddl.parts().get(0).targets().stream()
                        .map(each -> each.logical())
                        .toList()));
        String shape = known == 0 ? "a shape not seen yet" : "shape " + known;
        String why = missing.isEmpty()
                ? "no DDL on this table came between"
                : "shard " + shard + " has not logged " + statements;
        return "table " + ref.schema() + "." + ref.table() + ": expected rows of " + shape + ", found shape "
                + ref.id()
                + " from shard " + shard + " in " + Gtid.text(token.sid(), token.gno()) + ", " + token.file()
                + " before "
                + token.end() + "; " + why;
    }
}
