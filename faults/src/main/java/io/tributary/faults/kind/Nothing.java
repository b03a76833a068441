package io.tributary.faults.kind;

import io.tributary.faults.Fault;
import io.tributary.faults.Strike;
import io.tributary.faults.site.Site;

/** No fault at all: what the measured times are to be compared with. */
public record Nothing() implements Fault {
    @Override
    public String name() {
        return "nothing";
    }

    @Override
    public String words() {
        return "no fault, to compare with";
    }

    @Override
    public void inject(Site site, Strike strike) {
        strike.now();
        strike.healed();
    }
}
