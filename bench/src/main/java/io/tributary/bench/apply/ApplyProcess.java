package io.tributary.bench.apply;

import io.tributary.mysql.protocol.client.TlsMode;
import io.tributary.testkit.server.ChildProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** {@link ApplyProgram} as a process, which does one job at a time. */
final class ApplyProcess implements AutoCloseable {
    private final ChildProcess process;
    private final Writer jobs;
    private final BufferedReader answers;

    /** Starts it; the code is not compiled yet. */
    ApplyProcess(TlsMode tls) {
        process = ChildProcess.start(new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-Xmx512m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ApplyProgram.class.getName(),
                        tls.name())
                .redirectError(ProcessBuilder.Redirect.INHERIT));
        jobs = new OutputStreamWriter(process.process().getOutputStream(), StandardCharsets.UTF_8);
        answers = new BufferedReader(new InputStreamReader(process.process().getInputStream(), StandardCharsets.UTF_8));
    }

    /** Does a job; throws if it fails. */
    ApplyOutcome run(ApplyJob job) throws IOException {
        jobs.write(job.line() + "\n");
        jobs.flush();
        String answer = answers.readLine();
        if (answer == null) {
            throw new IOException("the process of the applier has ended");
        }
        return ApplyOutcome.parse(answer);
    }

    long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        process.close();
    }
}
