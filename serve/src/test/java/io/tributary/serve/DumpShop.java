package io.tributary.serve;

import io.tributary.testkit.server.MysqlServer;
import java.sql.SQLException;

/** The schema shop of a shard: tables of many kinds of columns, with members, a view, a trigger, an event, a procedure and a function. */
final class DumpShop {
    private DumpShop() {}

    static void create(MysqlServer shard) throws SQLException {
        shard.execute("CREATE DATABASE shop DEFAULT CHARACTER SET utf8mb4");
        for (int i = 1; i <= 2; i++) {
            shard.execute("CREATE TABLE shop.items_" + i + " (id INT PRIMARY KEY, name VARCHAR(20) COLLATE utf8mb4_bin,"
                    + " price DECIMAL(9,2) NOT NULL DEFAULT 1.50, facts JSON, kind ENUM('a','b') DEFAULT 'a',"
                    + " twice DECIMAL(10,2) GENERATED ALWAYS AS (price * 2) STORED) COMMENT 'what is sold'");
        }
        shard.execute(
                "CREATE TABLE shop.orders_1 (id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, item INT,"
                        + " at DATETIME(3) DEFAULT CURRENT_TIMESTAMP(3), note TEXT COMMENT 'free', KEY by_item (item),"
                        + " CONSTRAINT of_item FOREIGN KEY (item) REFERENCES items_1 (id))",
                "CREATE TABLE shop.plain (a INT NOT NULL, b VARBINARY(16), UNIQUE KEY by_a (a)) ROW_FORMAT=COMPRESSED",
                "CREATE VIEW shop.cheap AS SELECT a, b FROM shop.plain WHERE a < 5",
                "CREATE TRIGGER shop.counts BEFORE INSERT ON shop.plain FOR EACH ROW SET NEW.a = NEW.a + 1",
                "CREATE PROCEDURE shop.nothing() SELECT 1",
                "CREATE FUNCTION shop.seven() RETURNS INT DETERMINISTIC RETURN 7",
                "CREATE EVENT shop.nightly ON SCHEDULE EVERY 1 DAY DO DELETE FROM shop.plain");
    }
}
