package io.tributary.node.command.client;

import io.tributary.binlog.StoredCut;
import io.tributary.binlog.file.BinlogConfig;
import io.tributary.common.config.Config;
import io.tributary.common.error.TributaryException;
import io.tributary.node.admin.AdminConfig;
import io.tributary.node.check.PortCheck;
import io.tributary.node.role.NodeConfig;
import java.net.HttpURLConnection;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The state of the directories and ports of a configuration: whether a node that runs with this configuration uses them, or another process.
 *
 * @param isThere whether a node runs here with this configuration: it answers at admin.listen and, if it keeps files, their lock is held
 * @param problems directories and ports that another process uses, one line each
 */
public record RunningNode(boolean isThere, List<String> problems) {
    public static RunningNode of(ConfigFile file, Config config) {
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
        Map<String, String> ports = new PortCheck(config).problems();
        boolean isThere = ports.containsKey("admin.listen") && (holder.isPresent() || !keepsFiles) && answers(file);
        if (!isThere) {
            problems.addAll(ports.values());
            holder.ifPresent(who -> problems.add("binlog.directory: expected a directory that no node uses, found "
                    + config.get(BinlogConfig.class).directory() + ", whose lock is held by " + who
                    + ", and no node that answers at admin.listen "
                    + config.get(AdminConfig.class).listen() + " | stop that node, or configure another directory"));
        }
        return new RunningNode(isThere, problems);
    }

    /** Whether a node answers, and not another program on the same port. */
    private static boolean answers(ConfigFile file) {
        try {
            HttpResponse<String> status = new AdminClient(file).get("/status");
            return status.statusCode() == HttpURLConnection.HTTP_OK
                    && status.body().contains("tributary");
        } catch (TributaryException e) { // another program has the port: reported as a port in use
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
