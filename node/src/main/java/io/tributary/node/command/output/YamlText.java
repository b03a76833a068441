package io.tributary.node.command.output;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.representer.Representer;
import org.yaml.snakeyaml.resolver.Resolver;

/** Writes values as YAML, and reads JSON, which is a part of YAML. */
public final class YamlText {
    private static final int MOST_CHARS = 64 << 20;

    private YamlText() {}

    /** A value of maps, lists, texts, numbers, booleans and null as one document. */
    public static String of(Object value) {
        return yaml().dump(plain(value));
    }

    /**
     * Reads JSON: maps keep the order of their keys.
     *
     * @throws org.yaml.snakeyaml.error.YAMLException if it is not well-formed, or longer than 64 Mi characters
     */
    public static Object parse(String json) {
        return yaml().load(json);
    }

    private static Yaml yaml() {
        LoaderOptions loading = new LoaderOptions();
        loading.setCodePointLimit(MOST_CHARS);
        DumperOptions dumping = new DumperOptions();
        dumping.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
        dumping.setWidth(Integer.MAX_VALUE);
        dumping.setSplitLines(false);
        dumping.setNonPrintableStyle(DumperOptions.NonPrintableStyle.ESCAPE);
        return new Yaml(new SafeConstructor(loading), new Representer(dumping), dumping, loading, new Resolver());
    }

    /** Texts instead of other objects: no tag of a class may be in the document. */
    private static Object plain(Object value) {
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> copy = new LinkedHashMap<>();
            map.forEach((key, each) -> copy.put(key.toString(), plain(each)));
            return copy;
        }
        if (value instanceof Collection<?> items) {
            List<Object> copy = new ArrayList<>();
            items.forEach(each -> copy.add(plain(each)));
            return copy;
        }
        boolean isNumber = value instanceof Number && !(value instanceof Double number && !Double.isFinite(number));
        if (value instanceof Double) {
            return isNumber ? value : null; // as JsonText
        }
        return value == null || isNumber || value instanceof Boolean ? value : value.toString();
    }
}
