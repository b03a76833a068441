package io.tributary.node.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.tributary.common.config.HostPort;
import io.tributary.node.process.StopSignal;
import io.tributary.rpc.GrpcTlsConfig;
import io.tributary.rpc.Rpc;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Certificates of the command, used between a real server and a real client. */
class CertsCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    private int init(String place, String... nodes) {
        CommandLine line = TributaryCommand.commandLine(new StopSignal());
        line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        String[] arguments = new String[nodes.length + 4];
        System.arraycopy(
                new String[] {"certs", "init", "--folder", folder.resolve(place).toString()}, 0, arguments, 0, 4);
        System.arraycopy(nodes, 0, arguments, 4, nodes.length);
        return line.execute(arguments);
    }

    private GrpcTlsConfig node(String place, String name) {
        Path own = folder.resolve(place).resolve(name);
        return new GrpcTlsConfig(
                Optional.of(own.resolve("node.pem")),
                Optional.of(own.resolve("node-key.pem")),
                Optional.of(own.resolve("ca.pem")),
                Optional.empty(),
                false);
    }

    private static ServingStatus ask(GrpcTlsConfig client, GrpcTlsConfig server) {
        Server running = Rpc.start(
                Rpc.of(server).server(new HostPort("127.0.0.1", 0).resolve()).build(), "here", new HostPort("h", 0));
        ManagedChannel channel = Rpc.of(client)
                .channel(new HostPort("127.0.0.1", running.getPort()))
                .build();
        try {
            return HealthGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(30, TimeUnit.SECONDS)
                    .check(HealthCheckRequest.getDefaultInstance())
                    .getStatus();
        } finally {
            Rpc.end(channel, Duration.ofSeconds(5));
            Rpc.end(running, Duration.ofSeconds(5));
        }
    }

    private String mode(String file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(file)));
    }

    @Test
    void nodesOfOneCaTrustOnlyEachOther() throws IOException {
        assertEquals(0, init("a", "task-1=127.0.0.1,localhost,::1", "dumper-1=127.0.0.1"), err.toString());
        assertEquals(0, init("a", "dumper-2=127.0.0.1"), err.toString());
        assertEquals(0, init("b", "stranger=127.0.0.1"), err.toString());

        assertEquals(ServingStatus.SERVING, ask(node("a", "dumper-1"), node("a", "task-1")));
        assertEquals(
                ServingStatus.SERVING, ask(node("a", "task-1"), node("a", "dumper-2")), "made later, of the same CA");
        assertThrows(StatusRuntimeException.class, () -> ask(node("b", "stranger"), node("a", "task-1")));
    }

    @Test
    void onlyTheOwnerCanReadKeysAndThePropertiesArePrintedForEachNode() throws IOException {
        assertEquals(0, init("a", "task-1=10.0.0.11"), err.toString());
        for (String key : List.of("a/ca-key.pem", "a/task-1/node-key.pem")) {
            assertEquals("rw-------", mode(key), key);
        }
        for (String certificate : List.of("a/ca.pem", "a/task-1/node.pem", "a/task-1/ca.pem")) {
            assertEquals("rw-r-----", mode(certificate), certificate);
        }
        assertTrue(out.toString().contains("# task-1, reached at 10.0.0.11"), out.toString());
        for (String key : List.of("certificate = ", "key = ", "ca = ")) {
            assertTrue(out.toString().contains("grpc.tls." + key), out.toString());
        }
    }

    @Test
    void existingFilesAreNotReplacedAndInvalidNodesAreRefused() throws IOException {
        assertEquals(0, init("a", "task-1=10.0.0.11"), err.toString());
        String before = Files.readString(folder.resolve("a/task-1/node.pem"));
        assertEquals(1, init("a", "dumper-1=10.0.0.21", "task-1=10.0.0.11"));
        assertTrue(err.toString().contains("expected no certificate of that node"), err.toString());
        assertTrue(Files.notExists(folder.resolve("a/dumper-1")), "all or none");
        assertEquals(before, Files.readString(folder.resolve("a/task-1/node.pem")));
        for (String wrong : List.of("../up=h", "n=", "n=a,,b", "=h", "n=a b")) {
            assertEquals(1, init("a", wrong), wrong);
        }
    }
}
