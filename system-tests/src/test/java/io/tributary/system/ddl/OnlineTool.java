package io.tributary.system.ddl;

import java.util.List;
import java.util.Locale;

/**
 * The statements of an online schema change tool, for a table t with the columns id and v; a few rows change while they run.
 *
 * @param texts the statements, with %1$s for the schema, %2$s for the items of the ALTER, %3$d for the key of a new row
 */
record OnlineTool(List<String> texts) {
    /** gh-ost 1.1: go/logic/applier.go. */
    static final OnlineTool GH_OST = new OnlineTool(List.of(
            "create /* gh-ost */ table `%1$s`.`_t_ghc` (id bigint unsigned auto_increment,"
                    + " hint varchar(64) charset ascii not null, value varchar(4096) charset ascii not null,"
                    + " primary key(id), unique key hint_uidx(hint)) auto_increment=256 comment='x'",
            "insert /* gh-ost */ into `%1$s`.`_t_ghc` (id, hint, value) values (NULL, 'state', 'x')",
            "create /* gh-ost */ table `%1$s`.`_t_gho` like `%1$s`.`t`",
            "alter /* gh-ost */ table `%1$s`.`_t_gho` %2$s",
            "insert /* gh-ost `%1$s`.`t` */ ignore into `%1$s`.`_t_gho` (id, v)"
                    + " select id, v from `%1$s`.`t` lock in share mode",
            "INSERT INTO %1$s.t VALUES (%3$d, 2)",
            "replace /* gh-ost `%1$s`.`_t_gho` */ into `%1$s`.`_t_gho` (id, v) values (%3$d, 2)",
            "create /* gh-ost */ table `%1$s`.`_t_del` (id int auto_increment primary key)"
                    + " engine=InnoDB comment='ghost-cut-over-sentry'",
            "drop /* gh-ost */ table if exists `%1$s`.`_t_del`",
            "rename /* gh-ost */ table `%1$s`.`t` to `%1$s`.`_t_del`, `%1$s`.`_t_gho` to `%1$s`.`t`",
            "drop /* gh-ost */ table if exists `%1$s`.`_t_ghc`",
            "drop /* gh-ost */ table if exists `%1$s`.`_t_del`"));

    /** pt-online-schema-change 3. */
    static final OnlineTool PT_ONLINE_SCHEMA_CHANGE = new OnlineTool(List.of(
            "CREATE TABLE `%1$s`.`_t_new` (\n  `id` int NOT NULL,\n  `v` int DEFAULT NULL,\n"
                    + "  PRIMARY KEY (`id`)\n) ENGINE=InnoDB",
            "ALTER TABLE `%1$s`.`_t_new` %2$s",
            "CREATE TRIGGER `%1$s`.`pt_osc_%1$s_t_del` AFTER DELETE ON `%1$s`.`t` FOR EACH ROW"
                    + " DELETE IGNORE FROM `%1$s`.`_t_new` WHERE `%1$s`.`_t_new`.`id` <=> OLD.`id`",
            "CREATE TRIGGER `%1$s`.`pt_osc_%1$s_t_upd` AFTER UPDATE ON `%1$s`.`t` FOR EACH ROW"
                    + " REPLACE INTO `%1$s`.`_t_new` (`id`, `v`) VALUES (NEW.`id`, NEW.`v`)",
            "CREATE TRIGGER `%1$s`.`pt_osc_%1$s_t_ins` AFTER INSERT ON `%1$s`.`t` FOR EACH ROW"
                    + " REPLACE INTO `%1$s`.`_t_new` (`id`, `v`) VALUES (NEW.`id`, NEW.`v`)",
            "INSERT LOW_PRIORITY IGNORE INTO `%1$s`.`_t_new` (`id`, `v`) SELECT `id`, `v`"
                    + " FROM `%1$s`.`t` LOCK IN SHARE MODE /*pt-online-schema-change 1 copy table*/",
            "INSERT INTO %1$s.t VALUES (%3$d, 2), (%3$d + 1, 2)",
            "UPDATE %1$s.t SET v = v + 1 WHERE id = %3$d",
            "DELETE FROM %1$s.t WHERE id = %3$d + 1",
            "ANALYZE TABLE `%1$s`.`_t_new` /* pt-online-schema-change */",
            "RENAME TABLE `%1$s`.`t` TO `%1$s`.`_t_old`, `%1$s`.`_t_new` TO `%1$s`.`t`",
            "DROP TABLE IF EXISTS `%1$s`.`_t_old`",
            "DROP TRIGGER IF EXISTS `%1$s`.`pt_osc_%1$s_t_del`",
            "DROP TRIGGER IF EXISTS `%1$s`.`pt_osc_%1$s_t_upd`",
            "DROP TRIGGER IF EXISTS `%1$s`.`pt_osc_%1$s_t_ins`"));

    /**
     * The statements of a whole run on one shard.
     *
     * @param items the text after ALTER TABLE t
     * @param id the id of a row that is inserted meanwhile; id + 1 may be used too
     */
    String[] statements(String schema, String items, int id) {
        return texts.stream()
                .map(text -> String.format(Locale.ROOT, text, schema, items, id))
                .toArray(String[]::new);
    }
}
