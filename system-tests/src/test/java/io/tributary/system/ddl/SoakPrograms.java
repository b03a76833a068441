package io.tributary.system.ddl;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A random series of statements about views, routines, triggers and events over a table that has the same name on each shard: the bodies of
 * programs are not parsed, so names in them are not mapped. Every shard runs all of them in this order, with the same texts.
 */
final class SoakPrograms {
    private static final String TABLE = "p";

    private final Random random;
    private final String schema;
    private final List<SoakStep> steps = new ArrayList<>();
    private final List<String> views = new ArrayList<>();
    private final List<String> routines = new ArrayList<>();
    private final List<String> triggers = new ArrayList<>();
    private final List<String> events = new ArrayList<>();
    private int number;

    private SoakPrograms(String schema, Random random) {
        this.schema = schema;
        this.random = random;
    }

    /** The series, whose first step creates the table, with columns id and v. */
    static List<SoakStep> of(String schema, int changes, Random random) {
        SoakPrograms programs = new SoakPrograms(schema, random);
        programs.add("create", "CREATE TABLE @ (id BIGINT NOT NULL PRIMARY KEY, v INT)");
        List<Runnable> kinds =
                List.of(programs::view, programs::routine, programs::trigger, programs::event, programs::column);
        while (programs.steps.size() <= changes) {
            kinds.get(random.nextInt(kinds.size())).run();
        }
        return programs.steps;
    }

    private void add(String kind, String statement) {
        String name = schema + "." + TABLE;
        steps.add(new SoakStep(kind, List.of(List.of(statement)), name, name, List.of()));
    }

    private String name(String prefix) {
        number++;
        return prefix + number;
    }

    private String qualified(String name) {
        return schema + "." + name;
    }

    /** In one of two cases a random name, otherwise null; null means that a new one is created. */
    private String existing(List<String> names) {
        return names.isEmpty() || random.nextBoolean() ? null : names.get(random.nextInt(names.size()));
    }

    private void view() {
        String old = existing(views);
        if (old == null) {
            String created = name("view");
            views.add(created);
            add("view", "CREATE VIEW " + qualified(created) + " AS SELECT id, v FROM @ WHERE v > " + number);
            return;
        }
        switch (random.nextInt(3)) {
            case 0 -> add("change view", "ALTER VIEW " + qualified(old) + " AS SELECT id FROM @");
            case 1 -> add("replace view", "CREATE OR REPLACE VIEW " + qualified(old) + " AS SELECT v FROM @");
            default -> {
                views.remove(old);
                add("drop view", "DROP VIEW " + (random.nextBoolean() ? "IF EXISTS " : "") + qualified(old));
            }
        }
    }

    private void routine() {
        String old = existing(routines);
        if (old != null) {
            routines.remove(old);
            String type = old.startsWith("function") ? "FUNCTION " : "PROCEDURE ";
            add("drop routine", "DROP " + type + qualified(old));
            return;
        }
        if (random.nextBoolean()) {
            String created = name("function");
            routines.add(created);
            add(
                    "function",
                    "CREATE FUNCTION " + qualified(created) + "(a INT) RETURNS INT DETERMINISTIC RETURN a + " + number);
            return;
        }
        String created = name("procedure");
        routines.add(created);
        add(
                "procedure",
                "CREATE PROCEDURE " + qualified(created)
                        + "(IN a INT)\nBEGIN\n  DELETE FROM @ WHERE v < a;\n  SELECT COUNT(*)" + " FROM @;\nEND");
    }

    private void trigger() {
        String old = existing(triggers);
        if (old != null) {
            triggers.remove(old);
            add("drop trigger", "DROP TRIGGER " + qualified(old));
            return;
        }
        String created = name("trigger");
        triggers.add(created);
        add(
                "trigger",
                "CREATE TRIGGER " + qualified(created) + " BEFORE " + (random.nextBoolean() ? "INSERT" : "UPDATE")
                        + " ON @ FOR EACH ROW SET NEW.v = NEW.v + 1");
    }

    private void event() {
        String old = existing(events);
        if (old != null) {
            events.remove(old);
            add("drop event", "DROP EVENT " + qualified(old));
            return;
        }
        String created = name("event");
        events.add(created);
        add(
                "event",
                "CREATE EVENT " + qualified(created) + " ON SCHEDULE EVERY 1 YEAR DISABLE DO DELETE FROM @ WHERE v = "
                        + number);
    }

    private void column() {
        add("column", "ALTER TABLE @ ADD COLUMN " + name("c") + " INT DEFAULT 3");
    }
}
