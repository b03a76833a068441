package io.tributary.extractor.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which tables belong to online schema change tools. */
class HiddenTablesTest {
    private final HiddenTables all = new HiddenTables(HiddenTables.TOOLS);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "_t_gho",
                "_t_ghc",
                "_t_ghk",
                "_t_del",
                "_t_20240101120000_del",
                "_t_new",
                "___t_old",
                "_a_b_chkpnt",
                "_vt_hld_6ace8bcef73211ea87e9f875a4d24e90_20200915120410_",
                "_vt_vrp_6ace8bcef73211ea87e9f875a4d24e90_20200915120410_"
            })
    void hides(String table) {
        assertTrue(all.hides(table));
    }

    @ParameterizedTest
    @ValueSource(strings = {"t", "t_gho", "_gho", "_t", "t_new", "_new", "_t_newer", "_vt_hld_x_1_", "_t_chkpnt2"})
    void doesNotHide(String table) {
        assertFalse(all.hides(table));
    }

    @Test
    void acceptsToolsAndRegularExpressions() {
        HiddenTables some = new HiddenTables(List.of("gh-ost", "tmp_\\d+"));
        assertTrue(some.hides("_t_gho"));
        assertTrue(some.hides("tmp_12"));
        assertFalse(some.hides("_t_new"));
        assertFalse(some.hidesTrigger("pt_osc_d_t_del"));
        assertTrue(all.hidesTrigger("pt_osc_d_t_del"));
        assertFalse(HiddenTables.NONE.hides("_t_gho"));
    }

    @Test
    void findsTheTableOfACopy() {
        assertTrue(all.isCopyOf("_t_gho", "t"));
        assertTrue(all.isCopyOf("_t_20240101120000_del", "t"));
        assertTrue(all.isCopyOf("__t_new", "T"));
        assertTrue(all.isCopyOf("_vt_vrp_6ace8bcef73211ea87e9f875a4d24e90_20200915120410_", "any"));
        assertFalse(all.isCopyOf("_t_gho", "u"));
    }

    @Test
    void refusesAnInvalidRegularExpression() {
        TributaryException e = assertThrows(TributaryException.class, () -> new HiddenTables(List.of("(")));
        assertEquals(ErrorCode.CONFIG_INVALID, e.code());
        assertTrue(e.getMessage().contains("ddl.hidden"), e.getMessage());
    }
}
