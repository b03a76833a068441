package io.tributary.system.console;

import io.tributary.testkit.Await;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** Debian's chromium without a window, and what the tests of the console do with it. Closing it ends its processes. */
final class ConsoleBrowser implements AutoCloseable {
    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
    private static final Path SHOTS = Path.of("target", "console");
    private static final int WIDE = 1360;
    private static final int HIGH = 900;
    private static final int PHONE_WIDE = 390;
    private static final int PHONE_HIGH = 844;
    private static final Duration LIMIT = Duration.ofSeconds(40);

    private final ChromeDriver driver;
    private final String axe;

    ConsoleBrowser() {
        if (!Files.isExecutable(DRIVER)) {
            throw new IllegalStateException(
                    "expected " + DRIVER + ", found none: apt-get install chromium chromium-driver");
        }
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, java.util.logging.Level.ALL);
        ChromeOptions options = new ChromeOptions();
        options.addArguments(
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars");
        options.setCapability("goog:loggingPrefs", logs);
        driver = new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(DRIVER.toFile())
                        .build(),
                options);
        axe = resource("/axe.min.js");
        wide();
    }

    private static String resource(String name) {
        try (InputStream in = Objects.requireNonNull(ConsoleBrowser.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void open(String admin) {
        driver.get("http://" + admin + "/");
    }

    void wide() {
        size(WIDE, HIGH, false);
    }

    void phone() {
        size(PHONE_WIDE, PHONE_HIGH, true);
    }

    private void size(int width, int height, boolean isPhone) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", isPhone));
    }

    /** Makes the browser prefer dark or light colours. */
    void dark(boolean isDark) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "features",
                        List.of(Map.of("name", "prefers-color-scheme", "value", isDark ? "dark" : "light"))));
    }

    Object run(String script) {
        return driver.executeScript(script);
    }

    /** The visible text of an element. */
    String text(String id) {
        return String.valueOf(run("return document.getElementById('" + id + "').innerText"));
    }

    /** Waits until an element shows a text. */
    void await(String id, String part) {
        Await.until(() -> part + " in " + id + ", found: " + text(id), LIMIT, () -> text(id).contains(part));
    }

    void click(String id) {
        driver.findElement(By.id(id)).click();
    }

    void type(String id, String text) {
        driver.findElement(By.id(id)).clear();
        driver.findElement(By.id(id)).sendKeys(text);
    }

    void press(CharSequence... keys) {
        new Actions(driver).sendKeys(keys).perform();
    }

    /** Presses the tabulator key, and returns what has the focus then: its id, or its text. */
    String tab() {
        press(Keys.TAB);
        return String.valueOf(
                run("const e = document.activeElement; return e.id || e.textContent.trim() || e.tagName"));
    }

    /** What the rules of WCAG 2.1 AA find on the page as it is shown now; empty if nothing. */
    String accessibilityProblems() {
        run(axe);
        return String.valueOf(driver.executeAsyncScript(
                "const done = arguments[0]; axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']})"
                        + ".then(r => done(r.violations.map(v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 200)"
                        + " + ' ' + (n.any[0]?.message ?? '')).join(' | ')).join('\\n')), e => done('failed ' + e))"));
    }

    /** Whether a person must scroll sideways to read the page. */
    boolean isTooWide() {
        return Boolean.TRUE.equals(
                run("return document.documentElement.scrollWidth > document.documentElement.clientWidth"));
    }

    /** Errors of scripts and refusals by the policy, since the last call; an answer such as 401 is no error. */
    List<String> errors() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .map(LogEntry::getMessage)
                .filter(message -> !message.contains("Failed to load resource") && !message.contains("net::ERR_"))
                .toList();
    }

    /** Keeps a picture of the page as target/console/NAME.png. */
    void shot(String name) throws IOException {
        run("scrollTo(0, 0)");
        Files.createDirectories(SHOTS);
        Files.write(SHOTS.resolve(name + ".png"), driver.getScreenshotAs(OutputType.BYTES));
    }

    /** As {@link #shot}, of the whole page and not only of what is visible. */
    void shotAll(String name) throws IOException {
        run("scrollTo(0, 0)");
        Map<String, Object> taken =
                driver.executeCdpCommand("Page.captureScreenshot", Map.of("captureBeyondViewport", true));
        Files.createDirectories(SHOTS);
        Files.write(SHOTS.resolve(name + ".png"), Base64.getDecoder().decode((String) taken.get("data")));
    }

    @Override
    public void close() {
        driver.quit();
    }
}
