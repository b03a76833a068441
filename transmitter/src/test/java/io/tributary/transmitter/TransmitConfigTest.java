package io.tributary.transmitter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.common.config.ByteSize;
import io.tributary.common.config.ConfigReader;
import io.tributary.common.config.HostPort;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The keys as an operator writes them. */
class TransmitConfigTest {
    @Test
    void hasDefaultsAndReadsWhatIsSet() {
        TransmitConfig config = new ConfigReader(List.of(TransmitConfig.class))
                .read("test", List.of("transmit.task=task.example:4000"), Map.of())
                .get(TransmitConfig.class);
        assertEquals(new HostPort("task.example", 4000), config.task());
        assertEquals(new HostPort("127.0.0.1", 3320), config.listen());
        assertEquals(ByteSize.parse("32MiB"), config.limits().credit());
    }
}
