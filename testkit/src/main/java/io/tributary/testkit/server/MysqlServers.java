package io.tributary.testkit.server;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/** Several servers that start at the same time and are closed together. */
public final class MysqlServers implements AutoCloseable, Iterable<MysqlServer> {
    private final List<MysqlServer> servers;

    private MysqlServers(List<MysqlServer> servers) {
        this.servers = servers;
    }

    /** Starts one server for each name, with the testkit's options. */
    public static MysqlServers start(String... names) {
        return start(Arrays.stream(names).map(MysqlOptions::named).toList());
    }

    /** Starts servers and waits until all answer a login; if one fails, all are ended. */
    public static MysqlServers start(List<MysqlOptions> options) {
        MysqlServers servers = new MysqlServers(new ArrayList<>());
        try {
            for (MysqlOptions one : options) {
                servers.servers.add(MysqlServer.launch(one));
            }
            servers.servers.forEach(MysqlServer::awaitReady);
            return servers;
        } catch (RuntimeException e) {
            servers.close();
            throw e;
        }
    }

    public MysqlServer get(int index) {
        return servers.get(index);
    }

    public int size() {
        return servers.size();
    }

    /** All servers, in the order of their names at the start. */
    public List<MysqlServer> all() {
        return List.copyOf(servers);
    }

    @Override
    public Iterator<MysqlServer> iterator() {
        return all().iterator();
    }

    @Override
    public void close() {
        RuntimeException first = null;
        for (MysqlServer server : servers) {
            try {
                server.close();
            } catch (RuntimeException e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
