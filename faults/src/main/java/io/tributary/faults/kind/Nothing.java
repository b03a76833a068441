package io.tributary.faults.kind;

import io.tributary.faults.site.TestCluster;

/** No fault: the baseline for the measured times. */
public record Nothing() implements Fault {
    @Override
    public String name() {
        return "nothing";
    }

    @Override
    public String words() {
        return "no fault; the baseline";
    }

    @Override
    public void inject(TestCluster cluster, Injection injection) {
        injection.now();
        injection.repaired();
    }
}
