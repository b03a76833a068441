package io.tributary.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tributary.local.NodeProcess;
import io.tributary.testkit.server.MysqlTools;
import io.tributary.testkit.server.PythonTool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The docs site can be built from docs/: each page is in its menu, and each link and picture exists. */
class DocsSiteIT {
    @Test
    void theSiteIsBuiltFromAllPagesWithoutABrokenLink() throws IOException {
        assumeTrue(PythonTool.isHere(), "skipped: Python with pip is not installed");
        Path home = NodeProcess.projectHome();
        MysqlTools.Outcome outcome =
                MysqlTools.run(List.of(home.resolve("bin/site").toString()));
        assertEquals(0, outcome.status(), outcome.output());

        Path site = home.resolve("target/site");
        try (Stream<Path> pages = Files.walk(home.resolve("docs"))) {
            for (Path page :
                    pages.filter(path -> path.toString().endsWith(".md")).toList()) {
                String name = home.resolve("docs").relativize(page).toString();
                Path built =
                        site.resolve(name.replaceAll("README\\.md$", "index.md").replaceAll("\\.md$", ".html"));
                assertTrue(Files.exists(built), built::toString);
            }
        }
        String concepts = Files.readString(site.resolve("concepts.html"));
        assertTrue(concepts.contains("pictures/overview.svg"), concepts);
        assertTrue(Files.exists(site.resolve("pictures/overview.svg")));
    }
}
