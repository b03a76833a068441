package io.tributary.local.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.config.HostPort;
import java.util.List;
import org.junit.jupiter.api.Test;

class TransferOptionsTest {
    private static final String[] SHARDS = {"--shard", "h:1", "--shard", "h:2"};

    private static TransferOptions parse(String... more) {
        String[] all = new String[SHARDS.length + more.length];
        System.arraycopy(SHARDS, 0, all, 0, SHARDS.length);
        System.arraycopy(more, 0, all, SHARDS.length, more.length);
        return TransferOptions.parse(all);
    }

    @Test
    void readsEveryOption() {
        TransferOptions options =
                parse("--tso", "t:9", "--user", "u", "--password", "p", "--workers", "2", "--seconds", "3");
        assertEquals(
                new TransferOptions(
                        new HostPort("t", 9), List.of(new HostPort("h", 1), new HostPort("h", 2)), "u", "p", 2, 3),
                options);
    }

    @Test
    void namesTheWrongOption() {
        refuses("unknown option: --tos", "--tos", "t:9");
        refuses("no value for --tso", "--tso");
        refuses("expected --tso", "--user", "u");
        refuses("--seconds 1 to 86400", "--tso", "t:9", "--seconds", "0");
    }

    private static void refuses(String message, String... more) {
        IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class, () -> parse(more));
        assertTrue(refusal.getMessage().contains(message), refusal.getMessage());
    }
}
