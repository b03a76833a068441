package io.tributary.node.role;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.binlog.replicate.ReplicateConfig;
import io.tributary.common.config.Config;
import io.tributary.common.config.ConfigReader;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.transmitter.TransmitConfig;
import io.tributary.tso.TsoConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GrpcListenCheckTest {
    private static final List<String> EVERYWHERE = List.of(
            "transmit.listen = 10.1.2.3:3320",
            "dumper.listen = 0.0.0.0:3322",
            "tso.listen = [::]:3321",
            "tso.directory = tso");
    private static final List<String> CERTIFICATES =
            List.of("grpc.tls.certificate = a.pem", "grpc.tls.key = b.pem", "grpc.tls.ca = c.pem");

    private final ConfigReader reader =
            new ConfigReader(List.of(NodeConfig.class, TransmitConfig.class, ReplicateConfig.class, TsoConfig.class));

    private Config config(List<String> lines, String... more) {
        List<String> all = new ArrayList<>(lines);
        all.addAll(List.of(more));
        return reader.read("tributary.properties", all, Map.of());
    }

    /** The keys for which a problem is found. */
    private List<String> found(List<String> lines, String... more) {
        return GrpcListenCheck.problems(config(lines, more)).stream()
                .map(line -> line.substring(0, line.indexOf(' ')))
                .toList();
    }

    @Test
    void checksExactlyTheAddressesOnWhichTheNodeListens() {
        assertEquals(List.of(), found(EVERYWHERE, "node.role = standalone"));
        assertEquals(List.of("transmit.listen"), found(EVERYWHERE, "node.role = task"));
        assertEquals(List.of("transmit.listen"), found(EVERYWHERE, "node.role = relay"));
        assertEquals(List.of(), found(EVERYWHERE, "node.role = dumper"), "it has no followers");
        assertEquals(List.of("dumper.listen"), found(EVERYWHERE, "node.role = dumper", "dumper.followers = 1"));
        assertEquals(List.of("tso.listen"), found(EVERYWHERE, "node.role = standalone", "tso.enabled = true"));
        assertEquals(List.of("transmit.listen", "dumper.listen"), found(EVERYWHERE, "node.roles = task,dumper"));
        assertEquals(List.of("transmit.listen"), found(EVERYWHERE, "node.roles = relay"));
    }

    @Test
    void acceptsLoopbackAndCertificatesAndGrpcInsecure() {
        assertEquals(List.of(), found(List.of("node.roles = task,dumper")), "the defaults are loopback");
        assertEquals(
                List.of(), found(List.of("node.role = task", "transmit.listen = [::1]:3320", "tso.directory = tso")));
        List<String> certified = new ArrayList<>(EVERYWHERE);
        certified.addAll(CERTIFICATES);
        assertEquals(List.of(), found(certified, "node.roles = task,dumper"));
        assertEquals(List.of(), found(EVERYWHERE, "node.roles = task,dumper", "grpc.insecure = true"));
    }

    @Test
    void aRefusedStartNamesEveryAddressAndTheRemedy() {
        Config open = config(EVERYWHERE, "node.roles = task,dumper");
        TributaryException refused = assertThrows(TributaryException.class, () -> GrpcListenCheck.require(open));
        assertEquals(ErrorCode.CONFIG_INVALID, refused.code());
        for (String part : List.of("transmit.listen = 10.1.2.3:3320", "dumper.listen", "tributary certs init")) {
            assertTrue(refused.getMessage().contains(part), refused.getMessage());
        }
        GrpcListenCheck.require(config(EVERYWHERE, "node.roles = task,dumper", "grpc.insecure = true"));
    }
}
