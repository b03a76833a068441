package io.tributary.extractor.ddl;

import io.tributary.common.value.TableName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The net effect of the renames of one statement, executed one after another. Names are physical.
 *
 * @param kept tables of the output that now have another name of the output
 * @param lost tables of the output that now have a name that is left out
 * @param gained tables that were left out and now have a name of the output
 * @param out tables that were left out and now have another name that is left out
 */
record Renames(List<Rename> kept, List<Rename> lost, List<Rename> gained, List<Rename> out) {
    /** One table's old and new name. */
    record Rename(TableName from, TableName to) {}

    static Renames of(List<Rename> steps, Predicate<TableName> isLeftOut) {
        Map<TableName, TableName> origins = new LinkedHashMap<>();
        for (Rename step : steps) {
            TableName origin = origins.getOrDefault(step.from(), step.from());
            origins.put(step.from(), null);
            origins.put(step.to(), origin);
        }
        Renames net = new Renames(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        origins.forEach((name, origin) -> {
            if (origin != null && !origin.equals(name)) {
                net.add(new Rename(origin, name), isLeftOut.test(origin), isLeftOut.test(name));
            }
        });
        return net;
    }

    private void add(Rename rename, boolean wasLeftOut, boolean isLeftOut) {
        if (!wasLeftOut) {
            (isLeftOut ? lost : kept).add(rename);
        } else {
            (isLeftOut ? out : gained).add(rename);
        }
    }
}
