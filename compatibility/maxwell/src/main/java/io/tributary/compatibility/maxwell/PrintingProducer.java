package io.tributary.compatibility.maxwell;

import com.zendesk.maxwell.MaxwellContext;
import com.zendesk.maxwell.producer.AbstractProducer;
import com.zendesk.maxwell.producer.ProducerFactory;
import com.zendesk.maxwell.row.RawJSONString;
import com.zendesk.maxwell.row.RowMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** Maxwell's output as R and T lines; ends the process at the workload's last row. */
public final class PrintingProducer extends AbstractProducer {
    /** Maxwell makes it by name. */
    public static final class Factory implements ProducerFactory {
        @Override
        public AbstractProducer createProducer(MaxwellContext context) {
            return new PrintingProducer(context);
        }
    }

    private PrintingProducer(MaxwellContext context) {
        super(context);
    }

    @Override
    public void push(RowMap row) {
        String table = row.getDatabase() + "." + row.getTable();
        if (!table.startsWith("shop.") && !table.startsWith("docs.")) {
            return;
        }
        System.out.println("R\t" + table + "\t" + row.getData("id") + "\t" + row.getRowType() + "\t"
                + text(row.getData()) + "\t" + text(row.getOldData()));
        if (row.isTXCommit()) {
            System.out.println("T");
        }
        if (table.equals("shop.done")) {
            System.out.flush();
            Runtime.getRuntime().halt(0);
        }
    }

    /** The columns and their values; Maxwell's JSON values have no text of their own. */
    private static Map<String, Object> text(Map<String, Object> columns) {
        Map<String, Object> shown = new LinkedHashMap<>(columns);
        shown.replaceAll((name, value) -> value instanceof RawJSONString document ? document.json : value);
        return shown;
    }
}
