package io.tributary.serve;

import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.tls.TlsFiles;
import io.tributary.serve.users.UsersFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Checks the files of users and certificates before a start; it creates none. */
public final class ServeCheck {
    private ServeCheck() {}

    /** The problems, one line for each unusable file. */
    public static List<String> problems(ServeConfig config, Path folder) {
        List<String> problems = new ArrayList<>();
        ServeTlsConfig tls = config.tls();
        if (tls.enabled() && tls.certificate().isPresent()) {
            note(problems, () -> new TlsFiles(tls.certificate().get(), tls.key().orElseThrow(), tls.ca()));
        }
        note(problems, () -> {
            Path users = folder.resolve(UsersFile.NAME);
            if ((!Files.exists(users) || UsersFile.read(users).isEmpty())
                    && config.password().isEmpty()) {
                problems.add("nobody can log in: there are no users and no serve.password | tributary user add");
            }
        });
        return problems;
    }

    private static void note(List<String> problems, Runnable check) {
        try {
            check.run();
        } catch (TributaryException e) {
            problems.add(e.line());
        }
    }
}
