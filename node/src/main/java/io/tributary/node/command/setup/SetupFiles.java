package io.tributary.node.command.setup;

import io.tributary.mysql.protocol.auth.GeneratedPassword;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The texts of the configuration file and of the SQL files of a setup. Each shard has a password of its own. */
final class SetupFiles {
    private final Setup setup;
    private final GeneratedPassword generated = new GeneratedPassword();
    private final Map<ShardAddress, String> passwords = new LinkedHashMap<>();

    SetupFiles(Setup setup) {
        this.setup = setup;
        setup.shards().forEach(shard -> passwords.put(shard, generated.next()));
    }

    /** The configuration file. It contains the passwords. */
    String configuration() {
        StringBuilder text = new StringBuilder("""
                # The configuration of a Tributary node, written by `tributary init`.
                # docs/configuration.md lists every key with its default and bounds. This file contains passwords: keep its mode 600.

                node.role = standalone
                # differs from the server_id of every shard, every replica and every other Tributary
                server.id = %d

                # the binlog: the only durable data of the node; keep it
                binlog.directory = %s
                # payload that does not fit into memory; deleted at every start
                store.directory = %s

                # the address and the first user for replicas, mysqlbinlog and CDC tools; `tributary user add` makes others
                serve.listen = %s
                serve.user = reader
                serve.password = %s

                # /metrics, /status, /health, and the commands of tributary
                admin.listen = %s
                """.formatted(
                        generated.nextServerId(),
                        setup.folder().resolve("binlog"),
                        setup.folder().resolve("spill"),
                        setup.serve(),
                        generated.next(),
                        setup.admin()));
        passwords.forEach((shard, password) -> {
            String key = "shard." + shard.name();
            text.append('\n');
            text.append(key).append(".host = ").append(shard.address().host()).append('\n');
            text.append(key).append(".port = ").append(shard.address().port()).append('\n');
            text.append(key).append(".user = ").append(setup.account().user()).append('\n');
            text.append(key).append(".password = ").append(password).append('\n');
            if (!setup.start().equals("earliest")) {
                text.append(key).append(".start = ").append(setup.start()).append('\n');
            }
        });
        return text.toString();
    }

    /** The statements that create the account on a shard; with MySQL 5.7 to 9.x and MariaDB 10.5 and later. */
    String sql(ShardAddress shard, Path file) {
        String account = setup.account().toString();
        return """
                -- The account of Tributary on shard %s (%s). Run it once, as an administrator, and delete this file, which contains the password:
                --   %s
                CREATE USER %s IDENTIFIED BY '%s';
                -- names and definitions of all tables; the binlog; prepared transactions, which MySQL 8.0 and later guard with a right of their own
                GRANT SELECT, REPLICATION SLAVE, REPLICATION CLIENT /*!80000 , XA_RECOVER_ADMIN */ ON *.* TO %s;
                -- the table of the heartbeat rounds
                GRANT CREATE, ALTER, SELECT, INSERT, UPDATE ON tributary.* TO %s;
                -- optional, see docs/operations.md: definitions are read under a lock of 3 seconds at most, so that none is uncertain
                -- GRANT BACKUP_ADMIN ON *.* TO %s;
                """.formatted(
                        shard.name(),
                        shard.address(),
                        client(shard, file),
                        account,
                        passwords.get(shard),
                        account,
                        account,
                        account);
    }

    /** The command that runs the statements. */
    static String client(ShardAddress shard, Path file) {
        return "mysql -h " + shard.address().host() + " -P " + shard.address().port() + " -u root -p < "
                + quoted(file.toString());
    }

    /** For a shell. */
    private static String quoted(String text) {
        return text.matches("[A-Za-z0-9._/-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
    }
}
