package io.tributary.system.ddl;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A cluster that the test cases of a class share; after a failed case it is closed, and the next case gets a new one. */
final class SharedCluster implements BeforeEachCallback, AfterTestExecutionCallback, AfterAllCallback {
    private final Factory factory;
    private DdlCluster cluster;
    private int started;

    /** Starts clusters. */
    @FunctionalInterface
    interface Factory {
        /** @param number the number of clusters that were started before, for the name of a folder */
        DdlCluster start(int number) throws Exception;
    }

    SharedCluster(Factory factory) {
        this.factory = factory;
    }

    DdlCluster get() {
        return cluster;
    }

    /** Closes the cluster, so that the next case gets a new one. */
    void discard() {
        close();
    }

    @Override
    public void beforeEach(ExtensionContext context) throws Exception {
        if (cluster == null) {
            cluster = factory.start(started++);
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
