package io.tributary.extractor.ddl;

import io.tributary.common.value.Ddl;
import io.tributary.common.value.DdlKind;
import io.tributary.common.value.TableName;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * A statement that stands as text in a binlog: its kind, what it touches, and how it reads with logical names. Immutable.
 * It knows as much of MySQL's grammar as that needs and no more; whatever it does not know passes as it is and counts as
 * changing columns.
 */
public final class DdlStatement {
    private final String text;
    private final String defaultSchema;
    private final StatementKind kind;
    private final String verb;
    private final List<NameSpan> names;
    private final boolean changesColumns;
    private final boolean createsFromSelect;

    DdlStatement(String text, String defaultSchema, DdlParser parsed) {
        this.text = text;
        this.defaultSchema = defaultSchema;
        this.kind = parsed.kind();
        this.verb = parsed.verb();
        this.names = parsed.names();
        this.changesColumns = parsed.changesColumns();
        this.createsFromSelect = parsed.createsFromSelect();
    }

    /**
     * Reads a statement; never fails.
     *
     * @param defaultSchema the session's schema, "" where it had none
     */
    public static DdlStatement parse(String text, String defaultSchema, SqlMode mode) {
        return new DdlStatement(text, defaultSchema, DdlParser.parse(SqlScanner.scan(text, mode), defaultSchema));
    }

    public StatementKind kind() {
        return kind;
    }

    /** The first words, such as {@code CREATE TABLE}, in upper case: what a message may show of the statement. */
    public String verb() {
        return verb;
    }

    /** Whether it is a CREATE TABLE ... SELECT, which MySQL logs as one transaction of a statement and rows. */
    public boolean createsFromSelect() {
        return createsFromSelect;
    }

    /** True when rows logged before and after it may differ in shape, and when in doubt. */
    public boolean changesColumns() {
        return changesColumns;
    }

    /** The physical tables, schemas and programs that it changes, each once; empty where it names none. */
    public List<TableName> targets() {
        Set<TableName> targets = new LinkedHashSet<>();
        for (NameSpan span : names) {
            if (span.target()) {
                targets.add(span.name());
            }
        }
        return List.copyOf(targets);
    }

    /**
     * The statement with logical names.
     *
     * @param text the text; the very same string when no name changes
     * @param defaultSchema the schema to run it in
     * @param ddl what the order of things has to know
     */
    public record Mapped(String text, String defaultSchema, Ddl ddl) {}

    /** @param mapping physical to logical name; a name with an empty table is a schema */
    public Mapped map(UnaryOperator<TableName> mapping) {
        String schema = logicalDefault(mapping);
        StringBuilder out = new StringBuilder(text.length() + 32);
        int copied = 0;
        boolean changed = false;
        List<Ddl.Target> tables = new ArrayList<>();
        for (NameSpan span : names) {
            TableName logical = mapping.apply(span.name());
            if (span.target() && kind != StatementKind.PROGRAM) {
                tables.add(new Ddl.Target(Ddl.Effect.CHANGES, logical, span.name()));
            }
            boolean misplaced = !span.qualified()
                    && !logical.table().isEmpty()
                    && !logical.schema().equals(schema);
            if (span.isWritten() && (misplaced || !logical.equals(span.name()))) {
                out.append(text, copied, span.start()).append(render(logical, span.qualified() || misplaced));
                copied = span.end();
                changed = true;
            }
        }
        String mapped = changed ? out.append(text, copied, text.length()).toString() : text;
        Ddl.Part part =
                new Ddl.Part(DdlKind.TEXT, digest(schema, mapped).substring(0, 16), changesColumns, false, tables);
        return new Mapped(mapped, schema, new Ddl(verb, mapped, List.of(part)));
    }

    /** Where unqualified names stand after mapping: where the first of them goes. */
    private String logicalDefault(UnaryOperator<TableName> mapping) {
        for (NameSpan span : names) {
            if (!span.qualified() && !span.name().table().isEmpty()) {
                return mapping.apply(span.name()).schema();
            }
        }
        return defaultSchema.isEmpty()
                ? defaultSchema
                : mapping.apply(new TableName(defaultSchema, "")).schema();
    }

    private static String render(TableName name, boolean qualified) {
        if (name.table().isEmpty()) {
            return quote(name.schema());
        }
        return qualified ? quote(name.schema()) + "." + quote(name.table()) : quote(name.table());
    }

    private static String quote(String name) {
        return "`" + name.replace("`", "``") + "`";
    }

    private static String digest(String schema, String text) {
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            sha256.update(schema.getBytes(StandardCharsets.UTF_8));
            sha256.update((byte) 0);
            sha256.update(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(sha256.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
