package io.tributary.testkit.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PortsTest {
    @TempDir
    Path locks;

    @Test
    void concurrentCallersGetDifferentPorts() throws Exception {
        Ports one = new Ports(locks);
        Ports two = new Ports(locks);
        Set<Integer> ports = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            ports.add(one.next());
            ports.add(two.next());
        }
        assertEquals(40, ports.size());
        one.release();
        two.release();
    }

    @Test
    void aPortInUseIsSkipped() throws Exception {
        Ports before = new Ports(locks);
        int first = before.next();
        before.release();
        Ports ports = new Ports(locks); // the same block again, from its start
        try (ServerSocket taken = new ServerSocket(first, 1, InetAddress.getLoopbackAddress())) {
            assertNotEquals(taken.getLocalPort(), ports.next());
        }
        ports.release();
    }
}
