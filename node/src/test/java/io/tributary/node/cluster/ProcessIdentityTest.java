package io.tributary.node.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Only a process that has certainly ended is reported as gone. */
class ProcessIdentityTest {
    private ProcessIdentity own;

    @BeforeEach
    void find() {
        Optional<ProcessIdentity> found = ProcessIdentity.own();
        assumeTrue(found.isPresent(), "not on this system");
        own = found.get();
    }

    private ProcessIdentity process(long pid) {
        return new ProcessIdentity(own.machine(), own.namespace(), pid);
    }

    @Test
    void aProcessThatHasEndedIsGone() throws Exception {
        Process sleeper = new ProcessBuilder("sleep", "600").start();
        try {
            assertFalse(process(sleeper.pid()).isGoneFor(own), "it runs");
            sleeper.destroyForcibly().waitFor();
            assertTrue(process(sleeper.pid()).isGoneFor(own));
        } finally {
            sleeper.destroyForcibly();
        }
    }

    /** The first process of a container has the same number each time. */
    @Test
    void aProcessThatHadTheNumberOfThisOneIsGone() {
        assertTrue(process(own.pid()).isGoneFor(own));
    }

    @Test
    void aProcessElsewhereIsNotReportedAsGone() {
        assertFalse(new ProcessIdentity("another", own.namespace(), own.pid()).isGoneFor(own));
        assertFalse(new ProcessIdentity(own.machine(), "another", own.pid()).isGoneFor(own));
    }

    @Test
    void isReadAsItWasWritten() {
        assertEquals(Optional.of(own), ProcessIdentity.parse(own.toString()));
        assertEquals(Optional.empty(), ProcessIdentity.parse("7 8"));
        assertEquals(Optional.empty(), ProcessIdentity.parse("a b c"));
    }
}
