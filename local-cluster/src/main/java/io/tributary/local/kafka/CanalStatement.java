package io.tributary.local.kafka;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Executes what a message in canal-json says. A row must have exactly the effect that it had on its shard: a duplicate or a lost one is an error. */
final class CanalStatement {
    private final JsonNode message;

    CanalStatement(JsonNode message) {
        this.message = message;
    }

    /** Whether it is the message of a row. */
    boolean isRow() {
        return !message.get("isDdl").asBoolean();
    }

    /** @throws SQLException also if the target's row is not the one of the message */
    void execute(Connection target) throws SQLException {
        if (!isRow()) {
            String schema = quoted(message.get("database").asText());
            try (var statement = target.createStatement()) {
                statement.execute("CREATE DATABASE IF NOT EXISTS " + schema);
                statement.execute("USE " + schema);
                statement.execute(message.get("sql").asText());
            }
            return;
        }
        switch (message.get("type").asText()) {
            case "INSERT" -> insert(target);
            case "UPDATE" -> update(target);
            case "DELETE" -> delete(target);
            default -> throw new SQLException("expected INSERT, UPDATE or DELETE, found " + message);
        }
    }

    private void insert(Connection target) throws SQLException {
        JsonNode row = message.get("data").get(0);
        List<String> names = names(row);
        String sql = "INSERT INTO " + table() + " ("
                + names.stream().map(CanalStatement::quoted).collect(Collectors.joining(", ")) + ") VALUES ("
                + names.stream().map(name -> "?").collect(Collectors.joining(", ")) + ")";
        change(target, sql, row, names);
    }

    private void update(Connection target) throws SQLException {
        JsonNode row = message.get("data").get(0);
        List<String> names = names(row);
        String set = names.stream().map(name -> quoted(name) + " = ?").collect(Collectors.joining(", "));
        try (PreparedStatement statement = target.prepareStatement("UPDATE " + table() + " SET " + set + where())) {
            int at = bind(statement, 1, row, names);
            bind(statement, at, message.get("old").get(0), keys());
            requireOne(statement.executeUpdate());
        }
    }

    private void delete(Connection target) throws SQLException {
        change(target, "DELETE FROM " + table() + where(), message.get("data").get(0), keys());
    }

    private void change(Connection target, String sql, JsonNode row, List<String> names) throws SQLException {
        try (PreparedStatement statement = target.prepareStatement(sql)) {
            bind(statement, 1, row, names);
            requireOne(statement.executeUpdate());
        }
    }

    private void requireOne(int rows) throws SQLException {
        if (rows != 1) {
            throw new SQLException("expected that the target has the row of this message once, found " + rows + " rows: "
                    + message);
        }
    }

    private String table() {
        return quoted(message.get("database").asText()) + "."
                + quoted(message.get("table").asText());
    }

    private List<String> keys() {
        List<String> keys = new ArrayList<>();
        message.get("pkNames").forEach(name -> keys.add(name.asText()));
        return keys;
    }

    private String where() {
        return keys().stream().map(name -> quoted(name) + " = ?").collect(Collectors.joining(" AND ", " WHERE ", ""));
    }

    private static List<String> names(JsonNode row) {
        List<String> names = new ArrayList<>();
        row.fieldNames().forEachRemaining(names::add);
        return names;
    }

    /** Returns the number of the next parameter. */
    private int bind(PreparedStatement statement, int first, JsonNode row, List<String> names) throws SQLException {
        int at = first;
        for (String name : names) {
            JsonNode value = row.get(name);
            if (value.isNull()) {
                statement.setNull(at, Types.VARCHAR);
            } else if (message.get("sqlType").get(name).asInt() == Types.BLOB) {
                statement.setBytes(at, value.asText().getBytes(StandardCharsets.ISO_8859_1));
            } else {
                statement.setString(at, value.asText());
            }
            at++;
        }
        return at;
    }

    private static String quoted(String name) {
        return "`" + name.replace("`", "``") + "`";
    }
}
