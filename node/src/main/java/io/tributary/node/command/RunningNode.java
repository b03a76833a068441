package io.tributary.node.command;

import io.tributary.common.config.Config;
import io.tributary.common.error.TributaryException;
import io.tributary.dumper.BinlogConfig;
import io.tributary.dumper.StoredCut;
import io.tributary.node.admin.AdminConfig;
import io.tributary.node.check.Listening;
import io.tributary.node.role.NodeConfig;
import java.net.HttpURLConnection;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is in use of the folders and ports of a configuration, and whether a node that runs with it is who uses them.
 *
 * @param isThere whether a node runs here with this configuration: it answers at admin.listen and, where it keeps files, their lock is held
 * @param problems what somebody else uses, one line each
 */
record RunningNode(boolean isThere, List<String> problems) {
    static RunningNode of(ConfigFile file, Config config) {
        Optional<String> holder = Optional.empty();
        List<String> problems = new ArrayList<>();
        boolean keepsFiles = config.get(NodeConfig.class).keepsFiles();
        try {
            holder = keepsFiles
                            && Files.isDirectory(config.get(BinlogConfig.class).directory())
                    ? StoredCut.holder(config.get(BinlogConfig.class).directory())
                    : holder;
        } catch (TributaryException e) {
            problems.add(e.getMessage());
        }
        Map<String, String> ports = new Listening(config).problems();
        boolean isThere = ports.containsKey("admin.listen") && (holder.isPresent() || !keepsFiles) && answers(file);
        if (!isThere) {
            problems.addAll(ports.values());
            holder.ifPresent(who -> problems.add("binlog.directory: expected a folder that no node uses, found "
                    + config.get(BinlogConfig.class).directory() + ", whose lock is held by " + who
                    + ", and no node that answers at admin.listen "
                    + config.get(AdminConfig.class).listen() + " | stop that node, or name another folder"));
        }
        return new RunningNode(isThere, problems);
    }

    /** Whether it is a node that answers, and not something else that has the port. */
    private static boolean answers(ConfigFile file) {
        try {
            HttpResponse<String> status = new AdminClient(file).get("/status");
            return status.statusCode() == HttpURLConnection.HTTP_OK
                    && status.body().contains("tributary");
        } catch (TributaryException e) { // who has the port is no node of ours: told as a port that is in use
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
