package io.tributary.compatibility;

import io.tributary.testkit.compare.Reading;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlServer;
import java.io.IOException;
import java.util.List;

/** Maxwell in its split mode: a server for its own tables, and the source for the stream and for the schema. */
record MaxwellClient() implements Client {
    private static final String PRODUCER = "io.tributary.compatibility.maxwell.PrintingProducer$Factory";

    @Override
    public String name() {
        return "Maxwell";
    }

    @Override
    public String mode() {
        return "split mode, position, second half";
    }

    @Override
    public String version() throws IOException {
        return JvmPrograms.version("maxwell");
    }

    @Override
    public String settings() {
        return "`host` a MySQL server of its own for its state, `replication_host` and `schema_host` Tributary,"
                + " `jdbc_options=sslMode=DISABLED&allowPublicKeyRetrieval=true`; `serve.native-password=true` in Tributary. The newest version of"
                + " Maven Central is an old one; later ones are published elsewhere";
    }

    @Override
    public boolean isOld() {
        return true;
    }

    @Override
    public Reading read(Source source) throws Exception {
        try (MysqlServer own = MysqlServer.start(MysqlOptions.named("maxwell"))) {
            return new ProgramClient(name(), mode(), settings(), this::version, ignored -> line(source, own))
                    .read(source);
        }
    }

    private static List<String> line(Source source, MysqlServer own) throws IOException {
        String name = source.user().name();
        String password = source.user().password();
        return JvmPrograms.java(
                "maxwell",
                "com.zendesk.maxwell.Maxwell",
                server("", own.port(), MysqlServer.ROOT, MysqlServer.ROOT_PASSWORD),
                server("schema_", source.port(), name, password),
                server("replication_", source.port(), name, password),
                List.of(
                        "--jdbc_options=sslMode=DISABLED&allowPublicKeyRetrieval=true",
                        "--custom_producer.factory=" + PRODUCER,
                        "--replica_server_id=4718",
                        "--init_position=" + source.half().file() + ":"
                                + source.half().position()));
    }

    private static List<String> server(String prefix, int port, String user, String password) {
        return List.of(
                "--" + prefix + "host=" + Source.HOST,
                "--" + prefix + "port=" + port,
                "--" + prefix + "user=" + user,
                "--" + prefix + "password=" + password);
    }
}
