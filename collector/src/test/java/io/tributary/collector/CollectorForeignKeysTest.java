package io.tributary.collector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.collector.schema.ShardTables;
import io.tributary.collector.writeset.KeyRows;
import io.tributary.common.value.Ddl.Effect;
import io.tributary.common.value.Ddl.Target;
import io.tributary.common.value.DdlKind;
import io.tributary.common.value.TableName;
import io.tributary.schema.list.TableTexts;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** last_committed of parents and children of foreign keys, with statements that change either of them. */
class CollectorForeignKeysTest {
    private static final String PARENT = "CREATE TABLE shop.parent (id INT PRIMARY KEY)";
    private static final String CHILD = child("parent", "");
    private static final String OTHER = "CREATE TABLE shop.other (id INT PRIMARY KEY)";

    private final WritesetOutput output = new WritesetOutput();

    private static String child(String parent, String actions) {
        return "CREATE TABLE shop.child (id INT PRIMARY KEY, parent_id INT, CONSTRAINT f FOREIGN KEY (parent_id)"
                + " REFERENCES shop." + parent + " (id)" + actions + ")";
    }

    @AfterEach
    void close() {
        output.close();
    }

    /** Requires that rows of the child depend on their rows of the parent, and on no others. */
    private void requireDependent(String parent, String child) {
        output.insert(0, parent, 100);
        output.insert(1, child, 100, null);
        long seven = output.insert(0, parent, 7);
        long eight = output.insert(0, parent, 8);
        assertTrue(output.lastCommitted(eight) < seven, "parents do not depend on each other");
        assertEquals(seven, output.lastCommitted(output.insert(1, child, 107, 7)));
        assertEquals(eight, output.lastCommitted(output.insert(1, child, 108, 8)));
    }

    /** Requires that a table's transactions depend on all before them, and all after them on them. */
    private void requireAlone(String table, Integer... row) {
        long before = output.insert(1, OTHER, 1000 + (int) output.insert(1, OTHER, -1));
        long own = output.insert(0, table, row);
        assertEquals(before, output.lastCommitted(own));
        assertEquals(own, output.lastCommitted(output.insert(1, OTHER, 2000 + (int) own)));
    }

    private void requireNotAlone(String table, Integer... row) {
        output.insert(0, table, row);
        long before = output.insert(1, OTHER, 3000 + (int) output.insert(1, OTHER, -2));
        assertTrue(output.lastCommitted(output.insert(0, table, row)) < before);
    }

    @Test
    void aChildThatIsOlderThanItsParent() {
        output.listed();
        output.create(CHILD);
        output.insert(1, CHILD, 1, null);
        output.create(PARENT);
        long seven = output.insert(0, PARENT, 7);
        assertTrue(output.lastCommitted(output.insert(1, CHILD, 2, 7)) >= seven);
        requireDependent(PARENT, CHILD);
    }

    @Test
    void aParentThatIsRenamed() {
        output.listed(PARENT, CHILD);
        output.insert(1, CHILD, 1, null);
        output.rename("parent", "parent_new");
        requireDependent("CREATE TABLE shop.parent_new (id INT PRIMARY KEY)", CHILD);
    }

    @Test
    void aParentThatIsRenamedByAlterTable() {
        output.listed(PARENT, CHILD);
        output.statement(
                new WritesetOutput.Statement(
                        DdlKind.FORWARD, false, "ALTER TABLE shop.parent RENAME TO shop.parent_new"),
                new Target(Effect.RENAMES, KeyRows.name("parent")),
                new Target(Effect.BECOMES, KeyRows.name("parent_new")));
        requireDependent("CREATE TABLE shop.parent_new (id INT PRIMARY KEY)", CHILD);
    }

    @Test
    void aChildThatIsRenamed() {
        output.listed(PARENT, CHILD);
        output.insert(1, CHILD, 1, null);
        output.rename("child", "child_new");
        requireDependent(PARENT, CHILD.replace("shop.child", "shop.child_new"));
    }

    @Test
    void aTableThatReferencesItselfAndIsRenamed() {
        String tree = "CREATE TABLE shop.tree (id INT PRIMARY KEY, up INT, FOREIGN KEY (up) REFERENCES shop.tree (id))";
        String renamed = tree.replace("shop.tree", "shop.wood");
        output.listed(tree);
        output.rename("tree", "wood");
        output.insert(0, renamed, 1, null);
        long seven = output.insert(0, renamed, 7, null);
        long eight = output.insert(1, renamed, 8, null);
        assertTrue(output.lastCommitted(eight) < seven, "it is not alone");
        assertEquals(seven, output.lastCommitted(output.insert(1, renamed, 107, 7)));
    }

    @Test
    void aTableThatReferencesItselfAndWhoseColumnsChangeTheirNames() {
        String tree =
                "CREATE TABLE shop.tree (id INT PRIMARY KEY, up INT, k INT NOT NULL, UNIQUE KEY u (k), FOREIGN KEY (up)"
                        + " REFERENCES shop.tree (k))";
        String renamed =
                "CREATE TABLE shop.tree (k INT PRIMARY KEY, up INT, id INT NOT NULL, UNIQUE KEY u (id), FOREIGN KEY (up)"
                        + " REFERENCES shop.tree (id))";
        output.listed(tree);
        output.alter(DdlKind.FORWARD, true, "tree", "RENAME COLUMN id TO k, RENAME COLUMN k TO id");
        output.insert(0, renamed, 1, null, 101);
        long seven = output.insert(0, renamed, 2, null, 7);
        assertTrue(output.lastCommitted(output.insert(1, renamed, 7, null, 102)) < seven);
        assertEquals(seven, output.lastCommitted(output.insert(1, renamed, 3, 7, 103)));
    }

    @Test
    void parentsThatChangeTheirNames() {
        String other = "CREATE TABLE shop.other (id INT PRIMARY KEY, n INT)";
        output.listed(PARENT, other, CHILD);
        output.insert(1, CHILD, 1, null);
        output.rename("parent", "t", "other", "parent", "t", "other");
        String nowParent = "CREATE TABLE shop.other (id INT PRIMARY KEY)";
        requireDependent(nowParent, CHILD);
        String noParent = "CREATE TABLE shop.parent (id INT PRIMARY KEY, n INT)";
        output.insert(0, noParent, 1, 1);
        long nine = output.insert(0, noParent, 9, 1);
        assertTrue(output.lastCommitted(output.insert(1, CHILD, 109, 9)) < nine, "it references the other one");
    }

    @Test
    void aReferenceWithCascadeFollowsTheNameOfItsParent() {
        String cascade = child("parent", " ON DELETE CASCADE");
        output.listed(PARENT, OTHER, cascade);
        requireAlone(PARENT, 1);
        output.rename("parent", "parent_new");
        requireAlone("CREATE TABLE shop.parent_new (id INT PRIMARY KEY)", 1);
        output.create(PARENT);
        requireNotAlone(PARENT, 1);
    }

    @Test
    void aForeignKeyThatIsAddedAndDropped() {
        String plain = "CREATE TABLE shop.child (id INT PRIMARY KEY, parent_id INT)";
        output.listed(PARENT, OTHER, plain);
        requireNotAlone(PARENT, 1);
        output.alter(
                DdlKind.LATE,
                false,
                "child",
                "ADD CONSTRAINT f FOREIGN KEY (parent_id) REFERENCES shop.parent (id) ON DELETE CASCADE");
        requireAlone(PARENT, 1);
        output.alter(DdlKind.EARLY, false, "child", "DROP FOREIGN KEY f");
        requireNotAlone(PARENT, 1);
        output.alter(
                DdlKind.LATE, false, "child", "ADD CONSTRAINT f FOREIGN KEY (parent_id) REFERENCES shop.parent (id)");
        requireDependent(PARENT, CHILD);
    }

    @Test
    void aParentThatIsCreatedAgainWithAnotherKey() {
        String two = "CREATE TABLE shop.parent (n INT PRIMARY KEY, id INT NOT NULL, UNIQUE KEY u (id))";
        output.listed(PARENT, OTHER, CHILD);
        output.insert(1, CHILD, 1, null);
        output.drop("parent");
        output.insert(1, CHILD, 2, null);
        output.create(two);
        output.insert(0, two, 100, 100);
        output.insert(1, CHILD, 100, null);
        long seven = output.insert(0, two, 1, 7);
        assertEquals(seven, output.lastCommitted(output.insert(1, CHILD, 107, 7)));
        output.drop("parent");
        output.create("CREATE TABLE shop.parent (n INT PRIMARY KEY, id INT NOT NULL, KEY i (id))");
        requireAlone("CREATE TABLE shop.parent (n INT PRIMARY KEY, id INT NOT NULL, KEY i (id))", 1, 7);
    }

    @Test
    void aParentWhosePrimaryKeyGetsAnotherType() {
        output.listed(PARENT, OTHER, CHILD);
        requireDependent(PARENT, CHILD);
        String text = "CREATE TABLE shop.parent (id INT UNSIGNED PRIMARY KEY)";
        output.alter(DdlKind.FORWARD, true, "parent", "MODIFY id INT UNSIGNED NOT NULL");
        requireAlone(text, 1);
        output.alter(DdlKind.FORWARD, true, "child", "MODIFY parent_id INT UNSIGNED");
        requireDependent(text, CHILD.replace("parent_id INT,", "parent_id INT UNSIGNED,"));
    }

    @Test
    void aParentWhoseKeyColumnIsRenamed() {
        output.listed(PARENT, OTHER, CHILD);
        requireDependent(PARENT, CHILD);
        output.alter(DdlKind.FORWARD, true, "parent", "RENAME COLUMN id TO number");
        requireDependent("CREATE TABLE shop.parent (number INT PRIMARY KEY)", CHILD);
    }

    @Test
    void aDefinitionThatAShardIsAskedForNamesThePhysicalParent() {
        String parent = "CREATE TABLE shop.parent_0 (id INT PRIMARY KEY)";
        TableName physical = KeyRows.name("child_0");
        for (int shard = 0; shard < WritesetOutput.SHARDS; shard++) {
            output.list(
                    shard,
                    List.of(
                            new ShardTables.Name(KeyRows.name("parent"), KeyRows.name("parent_0")),
                            new ShardTables.Name(KeyRows.name("child"), physical)),
                    new TableTexts.Builder()
                            .add(KeyRows.name("parent_0"), parent)
                            .build());
        }
        output.answers(physical, CHILD.replace("shop.child", "child_0").replace("shop.parent", "parent_0"));
        output.insert(1, physical, CHILD, 1, null);
        output.insert(1, physical, CHILD, 2, null);
        output.insert(0, KeyRows.name("parent_0"), PARENT, 100);
        long seven = output.insert(0, KeyRows.name("parent_0"), PARENT, 7);
        long eight = output.insert(0, KeyRows.name("parent_0"), PARENT, 8);
        assertTrue(output.lastCommitted(eight) < seven, "parents do not depend on each other");
        assertEquals(seven, output.lastCommitted(output.insert(1, physical, CHILD, 107, 7)));
    }

    @Test
    void anUnknownParentWhoseChildrenChangeWithIt() {
        output.listed(OTHER, child("parent", " ON DELETE SET NULL"));
        requireAlone(PARENT, 1);
    }
}
