package io.tributary.compatibility;

import io.tributary.testkit.compare.StatementsReading;
import io.tributary.testkit.server.MysqlRelease;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The clients that run as programs: go-mysql, the zongjis of Node.js, the libraries of Rust, python-mysql-replication, PyMySQL, the taps of Singer. */
final class Programs {
    private static final String PIPELINEWISE = "pipelinewise-tap-mysql";

    private Programs() {}

    static List<Client> all() {
        return List.of(
                goMysql("canal", "canal, position", "canal: `Dump.ExecutionPath` empty, that is no first copy of rows"),
                goMysql("gtid", "syncer, GTID", "`BinlogSyncerConfig` as it is"),
                new ProgramClient(
                        "go-mysql",
                        "backup, raw, position",
                        "backup: `RawModeEnabled`, `HeartbeatPeriod` 0",
                        Toolchain::go,
                        new GoBackup()),
                zongji("@vlasky/zongji"),
                zongji("@powersync/mysql-zongji"),
                rust("mysql_async", "position"),
                rust("mysql_async", "gtid"),
                rust("mysql_cdc", "position"),
                rust("mysql_cdc", "gtid"),
                python("gtid", "GTID", "`auto_position=\"\"`"),
                python("position", "position", "`log_file`, `log_pos`, `resume_stream=True`"),
                new ProgramClient(
                        "PyMySQL",
                        "statements",
                        "package `cryptography`, for caching_sha2_password without TLS",
                        Compared.ANSWERS,
                        () -> Toolchain.python("PyMySQL"),
                        new PythonStatements()),
                tap(
                        "tap-mysql",
                        "position",
                        "LOG_BASED, position, second half",
                        Compared.CHANGES,
                        "a state with `log_file`, `log_pos`; without the tables with JSON; package `cryptography`, for caching_sha2_password without TLS"),
                tap(
                        PIPELINEWISE,
                        "position",
                        "LOG_BASED, position, second half",
                        Compared.CHANGES,
                        "a state with `log_file`, `log_pos`; without the tables with JSON"),
                tap(
                        PIPELINEWISE,
                        "gtid",
                        "LOG_BASED, GTID, second half",
                        Compared.CHANGES,
                        "`use_gtid`, a state with `gtid`; without the tables with JSON"));
    }

    private static Client goMysql(String mode, String words, String settings) {
        return new ProgramClient("go-mysql", words, settings, Toolchain::go, source -> goLine(mode, source));
    }

    private static Client zongji(String required) {
        return new ProgramClient(
                required,
                "position, second half",
                "`filename`, `position`",
                () -> Toolchain.node(required),
                source -> List.of(
                        "node",
                        Toolchain.nodeReader().toString(),
                        required,
                        Integer.toString(source.port()),
                        source.user().name(),
                        source.user().password(),
                        source.half().file(),
                        Long.toString(source.half().position())));
    }

    private static Client rust(String library, String mode) {
        return new ProgramClient(
                library,
                mode.equals("gtid") ? "GTID" : mode,
                "no TLS",
                () -> Toolchain.rust(library),
                source -> line(List.of(Toolchain.rustProgram().toString(), library), mode, source));
    }

    /** Clients that copy the tables of the workload, at its end. */
    static List<Client> copies() {
        return List.of(
                tap(
                        PIPELINEWISE,
                        "copy",
                        "LOG_BASED, the copy",
                        Compared.COPY,
                        "`serve.select=true` in Tributary; no state; all tables selected, without columns of VARBINARY, which the tap reads by"
                                + " `hex()`; `session_sqls` with `SET NAMES utf8mb4`: without it a MySQL server answers ? for characters of four bytes"));
    }

    private static Client tap(String tap, String mode, String words, Compared compared, String settings) {
        return new ProgramClient(
                tap,
                words,
                settings,
                compared,
                () -> Toolchain.tap(tap),
                source -> List.of(
                        Toolchain.tapPython(tap).toString(),
                        Toolchain.tapReader().toString(),
                        mode,
                        Integer.toString(source.port()),
                        source.user().name(),
                        source.user().password(),
                        source.half().file(),
                        Long.toString(source.half().position()),
                        source.half().gtids(),
                        source.folder().toString()));
    }

    private static Client python(String mode, String words, String settings) {
        return new ProgramClient(
                "python-mysql-replication",
                words,
                settings,
                () -> Toolchain.python("mysql-replication"),
                source -> pythonLine(mode, source));
    }

    private static List<String> goLine(String mode, Source source) {
        return line(List.of(Toolchain.goProgram().toString()), mode, source);
    }

    private static List<String> pythonLine(String mode, Source source) {
        return line(
                List.of(Toolchain.python().toString(), Toolchain.pythonReader().toString()), mode, source);
    }

    private static List<String> line(List<String> program, String mode, Source source) {
        List<String> line = new ArrayList<>(program);
        line.addAll(List.of(
                mode,
                Integer.toString(source.port()),
                source.user().name(),
                source.user().password(),
                Source.FIRST_FILE,
                source.folder().toString()));
        return line;
    }

    /** Raw copies, which mysqlbinlog reads. */
    private static final class GoBackup implements ProgramClient.Command {
        @Override
        public List<String> line(Source source) {
            return goLine("backup", source);
        }

        @Override
        public List<String> lines(Source source, Path output) throws IOException {
            return BinlogText.lines(BinlogToolClient.rawCopies(MysqlRelease.MYSQL_8_0_33, "", source.folder()));
        }
    }

    /** Statements, of whose answers the columns count. */
    private static final class PythonStatements implements ProgramClient.Command {
        @Override
        public List<String> line(Source source) {
            return pythonLine("statements", source);
        }

        @Override
        public String input() {
            return String.join("\n", StatementsReading.script()) + "\n";
        }
    }
}
