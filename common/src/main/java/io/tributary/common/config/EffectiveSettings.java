package io.tributary.common.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Makes the list of effective settings of records of keys. */
final class EffectiveSettings {
    private final Map<String, Setting> settings;
    private final Placeholders placeholders;

    EffectiveSettings(Map<String, Setting> settings, Placeholders placeholders) {
        this.settings = settings;
        this.placeholders = placeholders;
    }

    /** Every key of the records once, in the order of their declaration; of a family those of the members that are set. */
    List<EffectiveSetting> of(Iterable<Class<? extends Record>> types) {
        Map<String, EffectiveSetting> found = new LinkedHashMap<>();
        for (Class<? extends Record> type : types) {
            for (DeclaredKey declared : DeclaredKey.of(type)) {
                for (String key : names(declared)) {
                    found.computeIfAbsent(key, absent -> setting(key, declared.key()));
                }
            }
        }
        return List.copyOf(found.values());
    }

    private List<String> names(DeclaredKey declared) {
        int open = declared.name().indexOf(DeclaredKey.OPEN_NAME);
        if (open < 0) {
            return List.of(declared.name());
        }
        String prefix = declared.name().substring(0, open);
        String after = declared.name().substring(open + DeclaredKey.OPEN_NAME.length());
        Set<String> members = new LinkedHashSet<>();
        for (String set : settings.keySet()) {
            int end = set.indexOf('.', prefix.length());
            if (set.startsWith(prefix) && end > prefix.length()) {
                members.add(prefix + set.substring(prefix.length(), end) + after);
            }
        }
        return List.copyOf(members);
    }

    private EffectiveSetting setting(String key, Key declared) {
        Setting set = settings.get(key);
        if (set == null) {
            return new EffectiveSetting(key, declared.byDefault(), EffectiveSetting.DEFAULT, declared);
        }
        List<String> origin = new ArrayList<>(List.of(set.line() > 0 ? "line " + set.line() : "command line"));
        for (String placeholder : Placeholders.of(set.text())) {
            String name = placeholder.substring(placeholder.indexOf(':') + 1, placeholder.length() - 1);
            origin.add((placeholder.startsWith("${env:") ? "environment " : "file ") + name);
        }
        String value = value(set);
        return new EffectiveSetting(
                key,
                declared.secret() && !value.isEmpty() ? EffectiveSetting.HIDDEN : value,
                String.join(", ", origin),
                declared);
    }

    /** "" if a file of a placeholder has gone since the record was made. */
    private String value(Setting set) {
        try {
            return placeholders.replace(set.text());
        } catch (IllegalArgumentException e) {
            return "";
        }
    }
}
