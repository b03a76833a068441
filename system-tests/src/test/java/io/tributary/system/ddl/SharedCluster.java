package io.tributary.system.ddl;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A cluster that the cases of a class share; a case that fails takes it away, and the next one gets a new one. */
final class SharedCluster implements BeforeEachCallback, AfterTestExecutionCallback, AfterAllCallback {
    private final Maker maker;
    private DdlCluster cluster;
    private int made;

    /** Starts a cluster. */
    @FunctionalInterface
    interface Maker {
        /** @param number how many there were before, for the name of a folder */
        DdlCluster start(int number) throws Exception;
    }

    SharedCluster(Maker maker) {
        this.maker = maker;
    }

    DdlCluster get() {
        return cluster;
    }

    /** The next case gets a new one. */
    void discard() {
        close();
    }

    @Override
    public void beforeEach(ExtensionContext context) throws Exception {
        if (cluster == null) {
            cluster = maker.start(made++);
        }
        cluster.mark();
    }

    @Override
    public void afterTestExecution(ExtensionContext context) {
        if (context.getExecutionException().isPresent()) {
            close();
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        close();
    }

    private void close() {
        if (cluster != null) {
            cluster.close();
            cluster = null;
        }
    }
}
