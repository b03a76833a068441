package io.tributary.extractor.ddl;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Ddl;
import io.tributary.common.value.Ddl.Effect;
import io.tributary.common.value.Ddl.Part;
import io.tributary.common.value.Ddl.Target;
import io.tributary.common.value.DdlKind;
import io.tributary.common.value.TableName;
import io.tributary.extractor.ddl.DdlStatement.Mapped;
import io.tributary.extractor.ddl.DdlStatement.Written;
import io.tributary.extractor.ddl.Renames.Rename;
import io.tributary.schema.sql.SqlNames;
import io.tributary.schema.sql.SqlTokens;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The mapper of one statement: it splits the statement into its parts and writes each with logical names.
 *
 * <p>A statement that removes a table from the output (RENAME to a name in a schema that is left out) is written as DROP TABLE. A statement
 * that would add rows to the output that were never read (RENAME in the other direction) is refused: no statement can do that in the output.
 */
final class StatementMapper {
    /** Options whose value must not be shown. */
    private static final Set<String> SECRETS = Set.of("PASSWORD", "CONNECTION");

    private final DdlStatement statement;
    private final DdlParser parsed;
    private final SqlTokens tokens;
    private final OutputNames names;
    private final List<NameSpan> spans;
    private final String schema;
    private final Edits edits;
    private final Map<Integer, String> generated = new HashMap<>();
    private final List<Part> parts = new ArrayList<>();
    private final List<Written> statements = new ArrayList<>();
    private TableName tablespace;

    StatementMapper(DdlStatement statement, OutputNames names) {
        this.statement = statement;
        this.parsed = statement.parsed();
        this.tokens = statement.tokens();
        this.names = names;
        this.spans = parsed.names();
        this.schema = logicalDefault();
        this.edits = new Edits(tokens);
    }

    Optional<Mapped> map() {
        editNames();
        switch (parsed.kind()) {
            case TABLE -> table();
            case SCHEMA -> ofSchema();
            case PROGRAM -> program();
            case ACCOUNT -> account();
            default -> unknown();
        }
        if (parts.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Mapped(schema, new Ddl(parsed.verb(), shown(), parts), statements, tablespace));
    }

    private String shown() {
        return parsed.kind() == StatementKind.ACCOUNT || holdsSecret()
                ? parsed.verb()
                : statements.stream().map(Written::text).collect(Collectors.joining("; "));
    }

    private boolean holdsSecret() {
        for (int at = 0; at < tokens.size(); at++) {
            if (tokens.isOneOf(at, SECRETS) && tokens.isLiteral(tokens.afterEquals(at + 1))) {
                return true;
            }
        }
        return false;
    }

    /** The schema of unqualified names after mapping: that of the first of them. */
    private String logicalDefault() {
        for (NameSpan span : spans) {
            if (!span.qualified() && !span.name().table().isEmpty()) {
                return names.logical(span.name()).schema();
            }
        }
        String own = statement.defaultSchema();
        return own.isEmpty() ? own : names.logical(new TableName(own, "")).schema();
    }

    private void editNames() {
        for (NameSpan span : spans) {
            TableName logical = names.logical(span.name());
            boolean misplaced = !span.qualified()
                    && !logical.table().isEmpty()
                    && !logical.schema().equals(schema);
            if (span.isWritten() && (misplaced || !logical.equals(span.name()))) {
                edits.replace(span.start(), span.end(), render(logical, span.qualified() || misplaced));
            }
        }
    }

    private String render(TableName logical) {
        return render(logical, !logical.schema().equals(schema));
    }

    private static String render(TableName name, boolean qualified) {
        if (name.table().isEmpty()) {
            return SqlNames.name(name.schema());
        }
        return qualified ? SqlNames.name(name) : SqlNames.name(name.table());
    }

    private Identity identity(String effect) {
        return new Identity(tokens, spans, names::logical, generated).add(effect);
    }

    private Target target(Effect effect, TableName written) {
        return new Target(effect, names.logical(written), names.physical(written));
    }

    private void part(Part part, String text) {
        parts.add(part);
        statements.add(new Written(text, false));
    }

    private void table() {
        switch (parsed.action()) {
            case "CREATE" -> {
                if (parsed.object().equals("INDEX")) {
                    index();
                } else {
                    create();
                }
            }
            case "DROP" -> {
                if (parsed.object().equals("INDEX")) {
                    index();
                } else {
                    drop();
                }
            }
            case "TRUNCATE" -> {
                TableName name = spans.get(0).name();
                String id = identity("TRUNCATE").add(names.logical(name)).digest();
                part(new Part(DdlKind.WAIT, id, false, false, List.of(target(Effect.EMPTIES, name))), edits.whole());
            }
            case "RENAME" -> rename();
            default -> alter();
        }
    }

    /** Writes CREATE TABLE. MariaDB's CREATE OR REPLACE removes rows as DROP does. */
    private void create() {
        TableName name = spans.get(0).name();
        TableCreation.leaveOutTransaction(tokens, parsed.bodyAt(), edits);
        if (TableCreation.leaveOutTablespaces(tokens, parsed.bodyAt(), edits)) {
            tablespace = names.logical(name);
        }
        renameGenerated();
        Identity identity =
                identity(parsed.replaces() ? "REPLACE TABLE" : "CREATE TABLE").add(names.logical(name));
        identity.table(parsed.bodyAt());
        Target created = target(Effect.CREATES, name);
        Part part = parsed.replaces()
                ? new Part(DdlKind.WAIT, identity.digest(), true, false, List.of(target(Effect.REMOVES, name), created))
                : new Part(DdlKind.NEW, identity.digest(), true, parsed.conditional(), List.of(created));
        part(part, edits.whole());
    }

    /** Writes CREATE INDEX or DROP INDEX, which have the same identity as ALTER TABLE. */
    private void index() {
        TableName name = spans.get(0).name();
        Identity identity = identity("ALTER").add(names.logical(name));
        boolean unique = false;
        if (parsed.action().equals("CREATE")) {
            identity.createdIndex(parsed.actionAt(), parsed.bodyAt());
            unique = tokens.isWord(parsed.actionAt(), "UNIQUE");
        } else {
            identity.droppedIndex(tokens.get(parsed.onAt() - 1));
        }
        String id = identity.add(";").digest();
        DdlKind kind = unique ? DdlKind.LATE : DdlKind.EARLY;
        part(new Part(kind, id, false, parsed.conditional(), List.of(target(Effect.CHANGES, name))), edits.whole());
    }

    private void drop() {
        boolean all = true;
        for (NameSpan span : spans) {
            if (names.leavesOut(span.name())) {
                all = false;
            } else {
                dropOne(span.name(), parsed.conditional());
            }
        }
        if (all && spans.size() == 1) {
            statements.set(0, new Written(edits.whole(), false));
        }
    }

    private void dropOne(TableName name, boolean conditional) {
        TableName logical = names.logical(name);
        String id = identity("DROP TABLE").add(logical).digest();
        parts.add(new Part(DdlKind.WAIT, id, true, conditional, List.of(target(Effect.REMOVES, name))));
        statements.add(new Written("DROP TABLE " + (conditional ? "IF EXISTS " : "") + render(logical), true));
    }

    private void rename() {
        List<Rename> steps = new ArrayList<>();
        for (int i = 0; i + 1 < spans.size(); i += 2) {
            steps.add(new Rename(spans.get(i).name(), spans.get(i + 1).name()));
        }
        Renames net = Renames.of(steps, names::leavesOut);
        refuseGained(net);
        net.lost().forEach(lost -> dropOne(lost.from(), false));
        List<Rename> written = new ArrayList<>(steps);
        if (!net.lost().isEmpty()) {
            written.retainAll(net.kept());
        }
        written.removeIf(step -> names.logical(step.from()).equals(names.logical(step.to())));
        boolean onlyLeftOut = written.stream().allMatch(step -> names.leavesOut(step.from()));
        if (net.kept().isEmpty() || written.isEmpty() || onlyLeftOut) {
            return;
        }
        refuseLeftOutSteps(written);
        List<Target> targets = new ArrayList<>();
        Identity identity = identity("RENAME");
        List<String> texts = new ArrayList<>();
        for (Rename step : written) {
            targets.add(target(Effect.RENAMES, step.from()));
            targets.add(target(Effect.BECOMES, step.to()));
            identity.add(names.logical(step.from())).add(names.logical(step.to()));
            texts.add(render(names.logical(step.from())) + " TO " + render(names.logical(step.to())));
        }
        boolean one = steps.size() == 1;
        String text = written.equals(steps) ? edits.whole() : "RENAME TABLE " + String.join(", ", texts);
        part(
                new Part(one ? DdlKind.FORWARD : DdlKind.WAIT, identity.digest(), !one, parsed.conditional(), targets),
                text);
    }

    private void refuseGained(Renames net) {
        for (Rename rename : net.gained()) {
            throw new TributaryException(
                    ErrorCode.DDL_UNSUPPORTED,
                    "expected RENAME of a table of the global binlog, found that " + rename.from()
                            + ", which is left out, is renamed to " + rename.to() + " ("
                            + names.logical(rename.to())
                            + " in the output): its rows were never read. Create the table on the replicas with its rows, then"
                            + " leave the statement out");
        }
    }

    /** Refuses a temporary name in a schema that is left out. */
    private void refuseLeftOutSteps(List<Rename> steps) {
        for (Rename step : steps) {
            if (names.isFiltered().test(names.physical(step.to()).schema())) {
                throw new TributaryException(
                        ErrorCode.DDL_UNSUPPORTED,
                        "expected RENAME with schemas of the global binlog only, found " + step.from() + " TO "
                                + step.to()
                                + ", which is left out, as a step: rename the tables on the replicas, then leave the"
                                + " statement out");
            }
        }
    }

    private void alter() {
        NameSpan main = spans.get(0);
        List<AlterItem> items = AlterItems.read(tokens, parsed.bodyAt());
        AlterParts alter = new AlterParts(tokens, items);
        TableName renamed = alter.isRename() ? lastTarget() : null;
        if (renamed != null && names.leavesOut(main.name()) != names.leavesOut(renamed)) {
            refuseGained(Renames.of(List.of(new Rename(main.name(), renamed)), names::leavesOut));
            dropOne(main.name(), false);
            return;
        }
        if (alter.removesRows()) {
            partitions(items);
            return;
        }
        if (alter.leaveOutTablespaces(edits)) {
            tablespace = names.logical(main.name());
            if (alter.isNothing()) {
                return;
            }
        }
        renameGenerated();
        boolean movesInside = renamed != null && names.logical(main.name()).equals(names.logical(renamed));
        if (movesInside) {
            alter.leaveOutRename(edits);
            if (alter.isNothing()) {
                return;
            }
            renamed = null;
        }
        if (!alter.isSplit()) {
            part(alterPart(alter, alter.all(), main.name(), renamed), edits.whole());
            return;
        }
        part(
                alterPart(alter, alter.early(), main.name(), renamed),
                edits.of(0, parsed.bodyAt()) + " " + alter.text(alter.early(), edits));
        TableName late = renamed == null ? main.name() : renamed;
        part(
                alterPart(alter, alter.late(), late, null),
                "ALTER TABLE " + render(names.logical(late)) + " " + alter.text(alter.late(), edits));
    }

    private TableName lastTarget() {
        TableName last = spans.get(0).name();
        for (NameSpan span : spans) {
            last = span.target() ? span.name() : last;
        }
        return last;
    }

    private Part alterPart(AlterParts alter, List<AlterItem> items, TableName name, TableName renamed) {
        Identity identity;
        if (renamed != null && alter.onlyRenames(items)) { // as RENAME TABLE
            identity = identity("RENAME").add(names.logical(name)).add(names.logical(renamed));
        } else {
            identity = identity("ALTER").add(names.logical(name));
            alter.identify(items, identity);
        }
        List<Target> targets = renamed == null
                ? List.of(target(Effect.CHANGES, name))
                : List.of(target(Effect.RENAMES, name), target(Effect.BECOMES, renamed));
        boolean conditional = parsed.conditional() || alter.isConditional(items);
        return new Part(alter.kind(items), identity.digest(), alter.reshapes(items), conditional, targets);
    }

    /** Writes a statement that removes rows of some partitions, or replaces them by others. */
    private void partitions(List<AlterItem> items) {
        List<Target> targets = new ArrayList<>();
        int leftOut = 0;
        for (NameSpan span : spans) {
            if (span.target()) {
                targets.add(target(Effect.EMPTIES_PARTITIONS, span.name()));
                leftOut += names.leavesOut(span.name()) ? 1 : 0;
            }
        }
        if (leftOut > 0 && leftOut < targets.size()) {
            throw new TributaryException(
                    ErrorCode.DDL_UNSUPPORTED,
                    "expected a partition and a table that are both in the global binlog or both left out, found "
                            + parsed.verb() + " of "
                            + targets.stream()
                                    .map(each -> each.physical().toString())
                                    .toList()
                            + ", one of which is left out: its rows were never read. Change the rows on the replicas by"
                            + " hand, then leave the statement out");
        }
        AlterParts alter = new AlterParts(tokens, items);
        Identity identity = identity("ALTER").add(names.logical(spans.get(0).name()));
        alter.identify(items, identity);
        boolean conditional = parsed.conditional() || alter.isConditional(items);
        part(new Part(DdlKind.WAIT, identity.digest(), alter.reshapes(items), conditional, targets), edits.whole());
    }

    /**
     * Replaces generated names of constraints. InnoDB names a foreign key without a name {@code <table>_ibfk_<n>} and a check
     * {@code <table>_chk_<n>}: with the table's physical name on the shard, with its logical name in the output.
     */
    private void renameGenerated() {
        TableName main = spans.get(0).name();
        String physical = main.table();
        String logical = names.logical(main).table();
        if (physical.equals(logical)) {
            return;
        }
        Pattern pattern = Pattern.compile("(?i)" + Pattern.quote(physical) + "(_(?:ibfk|chk)_\\d+)");
        for (int at = parsed.bodyAt(); at < tokens.size(); at++) {
            boolean named = tokens.isWord(at - 1, "CONSTRAINT")
                    || tokens.isWord(at - 1, "CHECK")
                    || tokens.isWord(at - 1, "KEY");
            if (named && tokens.isName(at)) {
                var matcher = pattern.matcher(tokens.get(at).value());
                if (matcher.matches()) {
                    String name = logical + matcher.group(1);
                    generated.put(tokens.start(at), name);
                    edits.replace(tokens.start(at), tokens.end(at), SqlNames.name(name));
                }
            }
        }
    }

    private void ofSchema() {
        TableName name = spans.get(0).name();
        Identity identity = identity(parsed.action() + " SCHEMA").add(names.logical(name));
        DdlKind kind;
        Effect effect;
        switch (parsed.action()) {
            case "CREATE" -> {
                identity.schema(parsed.bodyAt());
                kind = DdlKind.NEW;
                effect = Effect.CREATES;
            }
            case "DROP" -> {
                kind = DdlKind.WAIT;
                effect = Effect.REMOVES;
            }
            default -> {
                identity.schema(parsed.bodyAt());
                kind = DdlKind.EARLY;
                effect = Effect.CHANGES;
            }
        }
        boolean reshapes = kind != DdlKind.EARLY;
        part(
                new Part(kind, identity.digest(), reshapes, parsed.conditional(), List.of(target(effect, name))),
                edits.whole());
    }

    /** Writes a statement about a program. Its body is not parsed, so the schema of unqualified names is always part of the identity. */
    private void program() {
        Identity identity = identity(schema);
        int head = 0;
        while (head < tokens.size() && tokens.afterIfExists(head) == head && tokens.start(head) < firstName()) {
            head++;
        }
        identity.everything(0, head).everything(tokens.afterIfExists(head), tokens.size());
        List<Target> targets = spans.stream()
                .filter(NameSpan::target)
                .map(span -> target(Effect.CHANGES, span.name()))
                .toList();
        part(new Part(DdlKind.TEXT, identity.digest(), false, parsed.conditional(), targets), edits.whole());
    }

    private int firstName() {
        return spans.isEmpty() ? Integer.MAX_VALUE : spans.get(0).start();
    }

    /** Writes a statement about accounts. The default schema is part of the identity if a right is granted on an unqualified name. */
    private void account() {
        Identity identity = identity("ACCOUNT");
        for (int at = 0; at < tokens.size(); at++) {
            boolean unqualified = tokens.isWord(at, "ON") && !tokens.isSign(at + 2, '.');
            if (unqualified && (parsed.verb().equals("GRANT") || parsed.verb().equals("REVOKE"))) {
                identity.add(schema);
                break;
            }
        }
        identity.everything(0, tokens.size());
        part(new Part(DdlKind.TEXT, identity.digest(), false, false, List.of()), edits.whole());
    }

    private void unknown() {
        String id = identity(schema).everything(0, tokens.size()).digest();
        part(new Part(DdlKind.TEXT, id, true, false, List.of()), edits.whole());
    }
}
