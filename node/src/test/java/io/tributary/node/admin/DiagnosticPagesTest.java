package io.tributary.node.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.tributary.common.config.Secret;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DiagnosticPagesTest {
    private static final AdminAccess LOGIN =
            new AdminAccess(Optional.of("ops"), Optional.of(new Secret("geheim")), Optional.empty(), Optional.empty());

    private final ConfigReload config = () -> new ConfigReload.Outcome(List.of(), List.of());

    @Test
    void anotherMachineNeedsALogin() throws Exception {
        InetAddress own = InetAddress.getLoopbackAddress();
        InetAddress other = InetAddress.getByAddress(new byte[] {10, 0, 0, 1});
        DiagnosticPages open = new DiagnosticPages(AdminAccess.OPEN, config);
        for (String page : List.of("/config", "/threads", "/log")) {
            assertTrue(DiagnosticPages.isOneOfThem(page));
            assertEquals(HttpResponseStatus.FORBIDDEN, open.answer(page, other).status(), page);
        }
        assertEquals(HttpResponseStatus.OK, open.answer("/threads", own).status());
        assertEquals(
                HttpResponseStatus.OK,
                new DiagnosticPages(LOGIN, config).answer("/threads", other).status());
        assertTrue(open.answer("/threads", own).text().contains("DiagnosticPagesTest.anotherMachineNeedsALogin"));
        assertEquals(
                HttpResponseStatus.SERVICE_UNAVAILABLE,
                open.answer("/config", own).status());
    }
}
