package io.tributary.node.sink;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.util.List;
import java.util.Optional;

/** Whether the libraries of the sink are in the class path: they are in an archive of their own. */
public final class SinkLibraries {
    private static final List<String> CLASSES = List.of(
            "org.apache.kafka.clients.producer.KafkaProducer",
            "org.apache.avro.Schema",
            "com.fasterxml.jackson.databind.JsonNode");

    private SinkLibraries() {}

    /** The problem with the libraries, if any. */
    public static Optional<String> problem() {
        return problem(SinkLibraries.class.getClassLoader());
    }

    static Optional<String> problem(ClassLoader loader) {
        for (String name : CLASSES) {
            try {
                var unused = Class.forName(name, false, loader);
            } catch (ClassNotFoundException e) {
                return Optional.of("node.role=sink: expected the libraries of the sink in the class path, found no " + name
                        + ": unpack tributary-sink-<version>.tar.gz over the folder of this program, so that its folder"
                        + " lib/sink has them (docs/sink.md, \"Install\")");
            }
        }
        return Optional.empty();
    }

    /** @throws TributaryException CONFIG_INVALID with this problem */
    static void require() {
        problem().ifPresent(problem -> {
            throw new TributaryException(ErrorCode.CONFIG_INVALID, problem);
        });
    }
}
