package io.tributary.seed.folder;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.TableName;
import io.tributary.schema.sql.SqlNames;
import io.tributary.seed.table.LogicalTable;

/** Writes what completes a dump: how it is loaded and how replication begins, and at last the metadata. */
public final class DumpGuide {
    /** The file that shows that a dump is complete. */
    static final String METADATA = "metadata";

    /** The file with the replay. */
    public static final String REPLAY = "replay.sql";

    private static final String SCHEMA = "tributary_seed";

    private final DumpFolder folder;
    private final GtidSet place;
    private final Source source;

    /**
     * Where a replica of the dump replicates from.
     *
     * @param host of the node as the target reaches it
     * @param user with which it replicates; its password is in no file
     */
    public record Source(String host, int port, String user) {}

    /** @param place the GTIDs of the stream that the dump has with its replay: one UUID, from 1 on, or none */
    public DumpGuide(DumpFolder folder, GtidSet place, Source source) {
        this.folder = folder;
        this.place = place;
        this.source = source;
    }

    /** The name of a table that only a loaded replay leaves on the target: at most 64 characters. */
    private String marker() {
        return SqlNames.name(SCHEMA) + "."
                + SqlNames.name("replayed "
                        + (place.isEmpty()
                                ? "0"
                                : place.sids().get(0) + ":"
                                        + place.last(place.sids().get(0))));
    }

    /** The end of the replay: replica.sql refuses a target on which it has not run. */
    public String endOfReplay() {
        return "CREATE DATABASE IF NOT EXISTS " + SqlNames.name(SCHEMA) + ";\n" + "CREATE TABLE IF NOT EXISTS "
                + marker() + " (id INT PRIMARY KEY);\n";
    }

    /**
     * Completes the dump. When it returns, the dump is on disk.
     *
     * @param longest bytes of the longest statement
     */
    public void complete(DumpContent content, long longest) {
        new DumpDefinitions(folder, content).write();
        folder.file("replica.sql").completeWith(replica());
        folder.script("load.sh").completeWith(load());
        folder.file("README.txt").completeWith(readme(longest));
        folder.inDump(METADATA).completeWith(metadata(content));
    }

    private String replica() {
        return "-- An error that the table 'replayed ...' does not exist: replay.sql has not been loaded completely. Load it first.\n"
                + "SET SESSION sql_log_bin = 0;\n"
                + "CREATE DATABASE IF NOT EXISTS " + SqlNames.name(SCHEMA) + ";\n"
                + "SELECT id FROM " + marker() + ";\n"
                + (place.isEmpty()
                        ? ""
                        : "SET @@GLOBAL.gtid_purged = /*!80000 '+'*/ " + SqlNames.literal(place.line()) + ";\n")
                + "-- MySQL 8.0.23 and later\n"
                + "/*!80023 " + change("REPLICATION SOURCE", "SOURCE") + ", GET_SOURCE_PUBLIC_KEY = 1 */;\n"
                + "-- Older versions: run this statement. From 8.0 on add: , GET_MASTER_PUBLIC_KEY = 1\n"
                + "-- " + change("MASTER", "MASTER") + ";\n"
                + "DROP DATABASE " + SqlNames.name(SCHEMA) + ";\n";
    }

    private String change(String what, String prefix) {
        return "CHANGE " + what + " TO " + prefix + "_HOST = " + SqlNames.literal(source.host()) + ", " + prefix
                + "_PORT = " + source.port() + ", " + prefix + "_USER = " + SqlNames.literal(source.user()) + ", "
                + prefix + "_AUTO_POSITION = 1";
    }

    private static String load() {
        return """
                #!/bin/sh
                # Loads the dump into an empty server with the mysql client. Arguments are those of mysql, such as:
                #   ./load.sh --defaults-extra-file=target.cnf
                # JOBS: files that are loaded at the same time, 4 by default. MYSQL: the client.
                set -eu
                cd "$(dirname "$0")"
                client=${MYSQL:-mysql}
                if [ ! -f dump/metadata ]; then
                    echo "load.sh: expected dump/metadata, found none: this seed is not complete" >&2
                    exit 1
                fi
                run() {
                    file=$1
                    shift
                    "$client" "$@" --default-character-set=binary --max-allowed-packet=1G < "$file"
                }
                run schema.sql "$@"
                # Each file is one transaction. After a deadlock with another file it is loaded again.
                export client
                find dump -name '*.sql' ! -name '*-schema.sql' ! -name '*-schema-create.sql' -print0 | sort -z | xargs -0 -r -P "${JOBS:-4}" -I{} sh -c '
                    file=$1
                    shift
                    left=20
                    until errors=$({ cat "$file" && echo "COMMIT;" || echo "the file could not be read;"; } | "$client" "$@" --default-character-set=binary \\
                        --max-allowed-packet=1G --init-command="SET SESSION sql_log_bin = 0, autocommit = 0" 2>&1); do
                        left=$((left - 1))
                        case $left:$errors in
                            0:*) ;;
                            *"ERROR 1213"* | *"ERROR 1205"*) continue ;;
                        esac
                        echo "load.sh: $file: $errors" >&2
                        exit 255
                    done
                ' load {} "$@"
                run replay.sql "$@"
                run views.sql "$@" --force || echo "load.sh: not all views were made: see the errors above" >&2
                run replica.sql "$@"
                echo "loaded; set the password and start: see README.txt"
                """;
    }

    private String readme(long longest) {
        return """
                This folder has the rows of all shards and the place in the stream of Tributary from which a replica resumes.

                The target: an empty MySQL server with gtid_mode = ON, enforce_gtid_consistency = ON, a server_id of its own,
                max_allowed_packet of at least %d, and a version that is not older than that of the shards. Use an account with
                ALL ON *.* WITH GRANT OPTION, such as root. target.cnf has its host, port, user and password in a section [client].

                The rows were read at different times. They are right only after replay.sql has been loaded.

                With the mysql client:

                    ./load.sh --defaults-extra-file=target.cnf

                With myloader:

                    myloader --defaults-file=target.cnf -d dump      (0.10: -h HOST -P PORT -u USER -p PASSWORD -d dump)
                    mysql --defaults-extra-file=target.cnf --max-allowed-packet=1G < replay.sql
                    mysql --defaults-extra-file=target.cnf --force < views.sql
                    mysql --defaults-extra-file=target.cnf < replica.sql

                Each command must end without an error before the next one. replay.sql may be loaded again from its beginning.
                If the dump was loaded only in part, make the target empty and begin again.

                Then replication starts after %s:

                    mysql> CHANGE REPLICATION SOURCE TO SOURCE_PASSWORD = '...';
                    mysql> START REPLICA;
                """.formatted(packet(longest), place.isEmpty() ? "no transaction" : place.line());
    }

    private static long packet(long longest) {
        long least = 4 << 20;
        return longest + 1024 <= least ? least : Long.highestOneBit(longest + 1024) << 1;
    }

    private String metadata(DumpContent content) {
        StringBuilder text = new StringBuilder("# Made by tributary seed. It is complete.\n"
                + "# The rows are right only after replay.sql has been loaded. Then the server has:\n"
                + "# executed_gtid_set_after_replay = " + place.line() + "\n"
                + "[config]\nquote-character = BACKTICK\n");
        for (LogicalTable table : content.tables()) {
            TableName name = table.name();
            if (folder.names().isReplaced(name.table())) {
                text.append("\n[`")
                        .append(folder.names().of(name.schema()))
                        .append("`.`")
                        .append(folder.names().of(name.table()))
                        .append("`]\nreal_table_name=")
                        .append(name.table())
                        .append('\n');
            }
        }
        return text.toString();
    }
}
