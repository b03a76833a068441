package io.tributary.node.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Only a process that has certainly ended is reported as gone. */
class ProcessMarkTest {
    private ProcessMark own;

    @BeforeEach
    void find() {
        Optional<ProcessMark> found = ProcessMark.own();
        assumeTrue(found.isPresent(), "not on this system");
        own = found.get();
    }

    private ProcessMark process(long pid) {
        return new ProcessMark(own.machine(), own.namespace(), pid);
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
        assertFalse(new ProcessMark("another", own.namespace(), own.pid()).isGoneFor(own));
        assertFalse(new ProcessMark(own.machine(), "another", own.pid()).isGoneFor(own));
    }

    @Test
    void isReadAsItWasWritten() {
        assertEquals(Optional.of(own), ProcessMark.parse(own.toString()));
        assertEquals(Optional.empty(), ProcessMark.parse("7 8"));
        assertEquals(Optional.empty(), ProcessMark.parse("a b c"));
    }
}
