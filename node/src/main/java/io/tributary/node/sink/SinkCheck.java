package io.tributary.node.sink;

import io.tributary.backup.store.S3Config;
import io.tributary.common.config.Config;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.node.reader.ReaderCheck;
import io.tributary.sink.registry.SchemaRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The check of what a sink uses: its libraries, the nodes, the brokers, the registry, and the store of large messages. Writes nothing. */
public final class SinkCheck {
    private final SinkConfig keys;
    private final S3Config s3;

    /** @param config of a node with the role sink */
    public SinkCheck(Config config) {
        this.keys = config.get(SinkConfig.class);
        this.s3 = config.get(S3Config.class);
    }

    /** What prevents a start: one line each. */
    public List<String> problems() {
        List<String> problems = new ArrayList<>();
        SinkLibraries.problem().ifPresent(problems::add);
        try {
            var unused = BrokerSettings.of(keys.kafka());
            ClaimObjects.open(keys.delivery(), s3).ifPresent(ClaimObjects::close);
        } catch (TributaryException e) {
            problems.add(e.getMessage());
        }
        return problems;
    }

    /** What does not answer now, or has settings that do not fit, which does not prevent a start: one line each. */
    public List<String> warnings(MysqlClient client) {
        List<String> warnings = new ArrayList<>(ReaderCheck.warnings("sink.nodes", keys.nodes(), client));
        keys.snapshotServer()
                .flatMap(server -> ReaderCheck.warning("sink.snapshot", server, client))
                .ifPresent(warnings::add);
        if (SinkLibraries.problem().isPresent()) {
            return warnings;
        }
        try {
            BrokerCheck.of(keys).forEach(line -> warnings.add("sink.brokers: warning: " + line));
            claims().ifPresent(warnings::add);
            registry().forEach(line -> warnings.add("sink.registry: warning: " + line));
        } catch (TributaryException e) {
            warnings.add("sink.kafka: warning: " + e.getMessage());
        }
        return warnings;
    }

    private Optional<String> claims() {
        try (ClaimObjects store = ClaimObjects.open(keys.delivery(), s3).orElse(null)) {
            if (store != null) {
                store.check();
            }
            return Optional.empty();
        } catch (TributaryException e) {
            return Optional.of("sink.claim: warning: " + e.getMessage());
        }
    }

    private List<String> registry() {
        return keys.messages().protocol() == SinkProtocol.AVRO
                ? new SchemaRegistry(keys.messages().registry().access()).problems()
                : List.of();
    }
}
