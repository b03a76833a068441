package io.tributary.common.value;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.proto.JournalWire;
import io.tributary.common.value.HiddenTable.Alter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Converts tables of online schema change tools, and changes of them, to the form of journal.proto and back. */
public final class HiddenForm {
    /** The common prefix of the journal's keys of hidden tables. */
    public static final String PREFIX = "h\0";

    private static final char END = '\0'; // no name contains it

    private HiddenForm() {}

    /** The prefix of the journal's keys of a shard's hidden tables. */
    public static String prefix(String shard) {
        return PREFIX + shard + END;
    }

    /** The journal's key of a hidden table. */
    public static String key(String shard, TableName table) {
        return prefix(shard) + table.schema() + END + table.table();
    }

    /** The shard in a key. */
    public static String shard(String key) {
        return key.substring(PREFIX.length(), key.indexOf(END, PREFIX.length()));
    }

    /** The hidden tables of each shard, by the shard's name, from entries of the journal. */
    public static Map<String, List<HiddenTable>> byShard(Map<String, byte[]> entries) {
        Map<String, List<HiddenTable>> tables = new HashMap<>();
        entries.forEach((key, value) ->
                tables.computeIfAbsent(shard(key), any -> new ArrayList<>()).add(decode(value)));
        return tables;
    }

    /** A hidden table as a value of the journal. */
    public static byte[] encode(HiddenTable table) {
        return wire(table).toByteArray();
    }

    /**
     * Reads what {@link #encode} wrote.
     *
     * @throws TributaryException CUT_UNUSABLE
     */
    public static HiddenTable decode(byte[] value) {
        try {
            return table(JournalWire.HiddenTable.parseFrom(value));
        } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
            throw new TributaryException(
                    ErrorCode.CUT_UNUSABLE, "expected a hidden table in the journal, found " + e.getMessage(), e);
        }
    }

    /** Encodes a change as bytes. */
    public static ByteString change(HiddenChange change) {
        JournalWire.HiddenChange.Builder wire = JournalWire.HiddenChange.newBuilder();
        change.tables().forEach(each -> wire.addTables(wire(each)));
        for (HiddenChange.Rename each : change.renames()) {
            wire.addRenames(JournalWire.HiddenRename.newBuilder()
                    .setKind(JournalWire.HiddenRename.Kind.valueOf(each.kind().name()))
                    .setFromSchema(each.from().schema())
                    .setFromTable(each.from().table())
                    .setToSchema(each.to().schema())
                    .setToTable(each.to().table())
                    .setLogicalSchema(each.logical().schema())
                    .setLogicalTable(each.logical().table()));
        }
        return wire.build().toByteString();
    }

    /**
     * Reads what {@link #change(HiddenChange)} wrote.
     *
     * @throws InvalidProtocolBufferException if the bytes are not a change
     * @throws IllegalArgumentException if a value is of a later version
     */
    public static HiddenChange change(ByteString bytes) throws InvalidProtocolBufferException {
        JournalWire.HiddenChange wire = JournalWire.HiddenChange.parseFrom(bytes);
        return new HiddenChange(
                wire.getTablesList().stream().map(HiddenForm::table).toList(),
                wire.getRenamesList().stream()
                        .map(each -> new HiddenChange.Rename(
                                HiddenChange.Kind.valueOf(each.getKind().name()),
                                new TableName(each.getFromSchema(), each.getFromTable()),
                                new TableName(each.getToSchema(), each.getToTable()),
                                new TableName(each.getLogicalSchema(), each.getLogicalTable())))
                        .toList());
    }

    private static JournalWire.HiddenTable wire(HiddenTable table) {
        JournalWire.HiddenTable.Builder wire = JournalWire.HiddenTable.newBuilder()
                .setSchema(table.name().schema())
                .setTable(table.name().table())
                .setRole(JournalWire.HiddenTable.Role.valueOf(table.role().name()))
                .setDefinition(table.definition());
        if (table.original() != null) {
            wire.setOriginalSchema(table.original().schema())
                    .setOriginalTable(table.original().table());
        }
        for (Alter each : table.alters()) {
            wire.addAlters(JournalWire.HiddenAlter.newBuilder()
                    .setItems(each.items())
                    .setDefaultSchema(each.session().defaultSchema())
                    .setAnsiQuotes(each.session().ansiQuotes())
                    .setBackslashEscapes(each.session().backslashEscapes())
                    .setCharset(each.session().charset())
                    .setVariables(ByteString.copyFrom(
                            each.session().variables().duplicate().rewind())));
        }
        return wire.build();
    }

    private static HiddenTable table(JournalWire.HiddenTable wire) {
        HiddenTable.Role role = HiddenTable.Role.valueOf(wire.getRole().name());
        return new HiddenTable(
                new TableName(wire.getSchema(), wire.getTable()),
                role,
                role == HiddenTable.Role.AWAY ? new TableName(wire.getOriginalSchema(), wire.getOriginalTable()) : null,
                wire.getAltersList().stream().map(HiddenForm::alter).toList(),
                wire.getDefinition());
    }

    private static Alter alter(JournalWire.HiddenAlter wire) {
        return new Alter(
                wire.getItems(),
                new HiddenTable.SessionSettings(
                        wire.getDefaultSchema(),
                        wire.getAnsiQuotes(),
                        wire.getBackslashEscapes(),
                        wire.getCharset(),
                        wire.getVariables().asReadOnlyByteBuffer()));
    }
}
