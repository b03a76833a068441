package io.tributary.sink.avro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.sink.SinkRig;
import io.tributary.sink.message.FormatOptions;
import io.tributary.sink.registry.RegistryAccess;
import io.tributary.sink.registry.SchemaRegistry;
import io.tributary.testkit.server.ApicurioRegistry;
import io.tributary.testkit.server.MysqlRelease;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tables that change, with a real server and a real registry that compares the schemas. */
class AvroEvolutionTest {
    private static SinkRig rig;
    private static ApicurioRegistry registry;

    @BeforeAll
    static void start() {
        rig = new SinkRig(MysqlRelease.MYSQL_8_0_31);
        registry = ApicurioRegistry.start();
    }

    @AfterAll
    static void stop() {
        registry.close();
        rig.close();
    }

    private final AvroFormat format = new AvroFormat(
            FormatOptions.of("s"),
            AvroOptions.standard(),
            new SchemaRegistry(new RegistryAccess(
                    List.of(registry.address()), Optional.empty(), Optional.empty(), Duration.ofSeconds(20))));
    private byte[] first;

    private static Schema schema(int id) {
        try {
            return new Schema.Parser()
                    .parse(new ObjectMapper()
                            .readTree(registry.get("/schemas/ids/" + id))
                            .get("schema")
                            .asText());
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The last message after statements, in JSON. */
    private String last(String... statements) throws SQLException {
        rig.server().execute(statements);
        List<SinkRig.Message> messages = rig.read(format, "ev");
        byte[] value = messages.get(messages.size() - 1).value();
        if (first == null) {
            first = value;
        }
        return Records.read(value, AvroEvolutionTest::schema).toString();
    }

    /** The first message of a test as a reader with the newest schema reads it. */
    private String firstByNewest(String subject) {
        try {
            String newest = registry.get("/subjects/" + subject + "/versions/latest");
            Schema reader = new Schema.Parser()
                    .parse(new ObjectMapper().readTree(newest).get("schema").asText());
            return Records.read(first, schema(Records.id(first)), reader).toString();
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private TributaryException refused(String... statements) {
        TributaryException error = assertThrows(TributaryException.class, () -> last(statements));
        assertEquals(ErrorCode.SINK_REGISTRY_FAILED, error.code());
        assertTrue(error.getMessage().contains("409"), error.getMessage());
        return error;
    }

    @Test
    void changesThatReadersOfTheNewestSchemaUnderstandAreAccepted() throws SQLException {
        rig.server().execute("CREATE DATABASE ev");
        assertEquals(
                "{\"id\": 1, \"a\": 5}",
                last("CREATE TABLE ev.t (id INT PRIMARY KEY, a INT NOT NULL)", "INSERT INTO ev.t VALUES (1, 5)"));
        registry.compatibility("ev.t-value", "BACKWARD");
        assertEquals(
                "{\"id\": 2, \"a\": 6, \"b\": \"x\"}",
                last("ALTER TABLE ev.t ADD b VARCHAR(9)", "INSERT INTO ev.t VALUES (2, 6, 'x')"));
        assertEquals(
                "{\"id\": 3, \"a\": 9223372036854775807, \"b\": null}",
                last("ALTER TABLE ev.t MODIFY a BIGINT NOT NULL", "INSERT INTO ev.t VALUES (3, ~0 >> 1, NULL)"));
        assertEquals(
                "{\"id\": 4, \"a\": 1, \"b\": \"y\", \"c\": 8}",
                last("ALTER TABLE ev.t ADD c INT NOT NULL DEFAULT 7", "INSERT INTO ev.t VALUES (4, 1, 'y', 8)"));
        assertEquals("{\"id\": 1, \"a\": 5, \"b\": null, \"c\": 7}", firstByNewest("ev.t-value"));
        assertEquals(
                "{\"id\": 5, \"b\": null, \"c\": null}",
                last("ALTER TABLE ev.t DROP a, MODIFY c INT NULL", "INSERT INTO ev.t VALUES (5, NULL, NULL)"));
        assertEquals("{\"id\": 1, \"b\": null, \"c\": null}", firstByNewest("ev.t-value"));
        TributaryException error =
                refused("ALTER TABLE ev.t ADD d INT NOT NULL", "INSERT INTO ev.t VALUES (6, NULL, NULL, 1)");
        assertTrue(error.getMessage().contains("ev.t-value"), error.getMessage());
        registry.compatibility("ev.t-value", "NONE");
        assertEquals(
                "{\"id\": 7, \"b\": null, \"c\": null, \"d\": 2}", last("INSERT INTO ev.t VALUES (7, NULL, NULL, 2)"));
    }
}
