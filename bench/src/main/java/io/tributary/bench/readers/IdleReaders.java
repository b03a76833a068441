package io.tributary.bench.readers;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.tributary.common.gtid.GtidSet;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.testkit.server.ChildProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A separate process whose readers have received everything and are idle. */
final class IdleReaders {
    private IdleReaders() {}

    /** @param arguments port, user, password, number of readers, the GTIDs that they have */
    public static void main(String[] arguments) throws IOException {
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        MysqlClient client = new MysqlClient(loop);
        Endpoint endpoint = ServedTail.plain("127.0.0.1", Integer.parseInt(arguments[0]), arguments[1], arguments[2]);
        GtidSet known = GtidSet.parse(arguments[4]);
        List<Reader> readers = new ArrayList<>();
        for (int id = 1; id <= Integer.parseInt(arguments[3]); id++) {
            readers.add(Reader.after(client, endpoint, known, 10_000 + id));
        }
        System.out.println("ready " + readers.size());
        System.in.read(); // until the bench ends it
        readers.forEach(Reader::close);
        loop.shutdownGracefully().awaitUninterruptibly();
    }

    /** The resident KiB of this process per idle reader of its server, measured with this many readers. */
    static double kibEach(ServedTail tail, int count) throws IOException {
        long before = residentKib();
        Endpoint endpoint = tail.endpoint();
        try (ChildProcess process = ChildProcess.start(new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-Xmx512m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        IdleReaders.class.getName(),
                        Integer.toString(endpoint.port()),
                        endpoint.credentials().user(),
                        endpoint.credentials().password(),
                        Integer.toString(count),
                        tail.files().executed().line())
                .redirectError(ProcessBuilder.Redirect.INHERIT))) {
            BufferedReader out = new BufferedReader(
                    new InputStreamReader(process.process().getInputStream(), StandardCharsets.UTF_8));
            if (out.readLine() == null) {
                throw new IOException("the process of the idle readers ended at its start");
            }
            return (double) (residentKib() - before) / count;
        }
    }

    private static long residentKib() throws IOException {
        System.gc();
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .sum();
    }
}
