package io.tributary.node.command.support;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.common.config.Secret;
import java.util.List;
import org.junit.jupiter.api.Test;

class RedactionTest {
    private final Redaction redaction = new Redaction(
            List.of(new Secret("gehe\"im"), new Secret("gehe\"im-longer"), new Secret("p"), new Secret("")));

    @Test
    void replacesEveryKnownSecretWhereverItIs() {
        assertEquals("a *** b *** c", redaction.apply("a gehe\"im-longer b gehe\"im c"));
        assertEquals("{\"x\":\"***\"}", redaction.apply("{\"x\":\"gehe\\\"im\"}"), "as JSON writes it");
        assertEquals("apple pie", redaction.apply("apple pie"), "a short secret is in every word");
    }

    @Test
    void replacesWhatStandsWhereAPasswordUsuallyIs() {
        assertEquals("http://user:***@host/p", redaction.apply("http://user:word@host/p"));
        assertEquals("http://host:8080/p", redaction.apply("http://host:8080/p"));
        assertEquals(
                "CREATE USER a IDENTIFIED BY '***', b IDENTIFIED WITH 'x' AS '***'",
                redaction.apply("CREATE USER a IDENTIFIED BY 'it''s\\'x', b IDENTIFIED WITH 'x' AS 'hash'"));
        assertEquals("shard.s1.password = ***", redaction.apply("shard.s1.password = word"));
        assertEquals("\"secret-key\":\"***\",\"a\":1", redaction.apply("\"secret-key\":\"word\",\"a\":1"));
        assertEquals("serve.password  ***  line 3", redaction.apply("serve.password  ***  line 3"));
    }
}
