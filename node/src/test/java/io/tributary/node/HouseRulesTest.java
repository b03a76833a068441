package io.tributary.node;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.StageRunner;
import java.util.Arrays;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.Timer;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Checks the house rules (docs/internals/house-rules.md) on the classes of all modules of a node. */
class HouseRulesTest {
    private static final List<String> STAGES =
            List.of("extractor", "merger", "collector", "transmitter", "binlog", "serve", "backup");

    /** Words without meaning in a class name. */
    private static final Pattern EMPTY_WORD =
            Pattern.compile(".*(Manager|Utils?|Helper|Base|Abstract|Impl|Info|Data|Context)([A-Z].*)?");

    /** The runner's private thread class. */
    private static final String STAGE_THREAD = "io.tributary.common.pipeline.StageThread";

    /** Names that a format defines: the chunk between Begin and End in formats.md. */
    private static final Set<String> GIVEN_NAMES = Set.of("io.tributary.common.value.Chunk$Data");

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(HouseRulesTest::isOfTheProduct)
            .importPackages("io.tributary");

    /** Excludes classes that a tool generates from a .proto file. */
    private static final DescribedPredicate<JavaClass> WRITTEN_BY_HAND =
            DescribedPredicate.describe("written by hand", type -> !isGenerated(type));

    private static boolean isOfTheProduct(Location location) {
        return !location.contains("/tributary-testkit/")
                && !location.contains("-tests.jar")
                && !location.contains("/testkit/")
                && !location.contains("/tributary-bench/");
    }

    private static boolean isGenerated(JavaClass type) {
        JavaClass outer = type;
        while (outer.getEnclosingClass().isPresent()) {
            outer = outer.getEnclosingClass().get();
        }
        return outer.getPackageName().endsWith(".proto")
                || outer.getSimpleName().endsWith("Grpc");
    }

    @Test
    void lowerModulesDoNotDependOnUpperOnes() {
        String[] stages = STAGES.stream().map(name -> in(name)).toArray(String[]::new);
        check(noClasses()
                .that(resideInAnyPackage(in("common"), in("rpc")))
                .should()
                .dependOnClassesThat(resideInAnyPackage(in("mysql"), in("store"), in("schema"), in("node"))
                        .or(resideInAnyPackage(stages))));
        check(noClasses()
                .that(resideInAnyPackage(in("common"), in("mysql"), in("store"), in("schema")))
                .should()
                .dependOnClassesThat(resideInAPackage(in("rpc"))));
        check(noClasses()
                .that(resideInAnyPackage(in("mysql"), in("store"), in("schema")))
                .should()
                .dependOnClassesThat(resideInAnyPackage(stages).or(resideInAPackage(in("node")))));
        check(noClasses()
                .that(resideInAPackage(in("mysql")))
                .should()
                .dependOnClassesThat(resideInAnyPackage(in("store"), in("schema"))));
        check(noClasses()
                .that(resideInAPackage(in("schema")))
                .should()
                .dependOnClassesThat(resideInAPackage(in("store"))));
        check(noClasses()
                .that(resideInAPackage(in("store")))
                .should()
                .dependOnClassesThat(resideInAnyPackage(in("mysql"), in("schema"))));
        check(noClasses().that(resideInAnyPackage(stages)).should().dependOnClassesThat(resideInAPackage(in("node"))));
    }

    @Test
    void commonDoesNotDependOnTheNetwork() {
        check(noClasses()
                .that(resideInAPackage(in("common")))
                .should()
                .dependOnClassesThat(resideInAnyPackage("io.grpc..", "io.netty..")));
    }

    /** What serves readers may use the files that it serves. */
    @Test
    void stagesDoNotDependOnEachOther() {
        for (String stage : STAGES) {
            String[] others = STAGES.stream()
                    .filter(other -> !other.equals(stage) && !(stage.equals("serve") && other.equals("binlog")))
                    .map(HouseRulesTest::in)
                    .toArray(String[]::new);
            check(noClasses()
                    .that(resideInAPackage(in(stage)))
                    .should()
                    .dependOnClassesThat(resideInAnyPackage(others))
                    .allowEmptyShould(true));
        }
    }

    /** The commands seed and verify read shards as clients; no stage knows of them. */
    @Test
    void onlyTheNodeUsesTheSeed() {
        check(noClasses()
                .that(resideOutsideOfPackages(in("seed"), in("node")))
                .should()
                .dependOnClassesThat(resideInAPackage(in("seed"))));
        String[] others = STAGES.stream()
                .filter(stage -> !stage.equals("extractor"))
                .map(HouseRulesTest::in)
                .toArray(String[]::new);
        check(noClasses().that(resideInAPackage(in("seed"))).should().dependOnClassesThat(resideInAnyPackage(others)));
    }

    /** An applier reads the stream as a client; what it shares with the seed is in replay. */
    @Test
    void onlyTheNodeUsesTheApplier() {
        check(noClasses()
                .that(resideOutsideOfPackages(in("apply"), in("node")))
                .should()
                .dependOnClassesThat(resideInAPackage(in("apply"))));
        check(noClasses()
                .that(resideOutsideOfPackages(
                        in("replay"), in("seed"), in("apply"), in("changes"), in("sink"), in("node")))
                .should()
                .dependOnClassesThat(resideInAPackage(in("replay"))));
        String[] others = STAGES.stream()
                .filter(stage -> !stage.equals("extractor"))
                .map(HouseRulesTest::in)
                .toArray(String[]::new);
        check(noClasses()
                .that(resideInAnyPackage(in("replay"), in("apply")))
                .should()
                .dependOnClassesThat(resideInAnyPackage(others)
                        .or(resideInAnyPackage(in("seed"), in("node"), in("tso"), in("rpc")))));
        check(noClasses()
                .that(resideInAPackage(in("seed")))
                .should()
                .dependOnClassesThat(resideInAPackage(in("apply"))));
    }

    /** A sink reads the stream as a client, too. */
    @Test
    void onlyTheNodeUsesTheSink() {
        check(noClasses()
                .that(resideOutsideOfPackages(in("sink"), in("node")))
                .should()
                .dependOnClassesThat(resideInAPackage(in("sink"))));
        check(noClasses()
                .that(resideOutsideOfPackages(in("changes"), in("sink"), in("node")))
                .should()
                .dependOnClassesThat(resideInAPackage(in("changes"))));
        String[] others = STAGES.stream()
                .filter(stage -> !stage.equals("extractor"))
                .map(HouseRulesTest::in)
                .toArray(String[]::new);
        check(noClasses()
                .that(resideInAnyPackage(in("changes"), in("sink")))
                .should()
                .dependOnClassesThat(resideInAnyPackage(others)
                        .or(resideInAnyPackage(in("seed"), in("apply"), in("node"), in("tso"), in("rpc")))));
    }

    /** The libraries of Kafka and Avro are in an archive of their own: a node with another role has none. */
    @Test
    void onlyTheSinkUsesKafkaAndAvro() {
        check(noClasses()
                .that(resideOutsideOfPackages(in("sink"), in("node.sink")))
                .should()
                .dependOnClassesThat(resideInAnyPackage("org.apache.kafka..", "org.apache.avro..", "com.fasterxml..")));
        check(noClasses()
                .that(resideInAPackage(in("node.sink")))
                .and()
                .haveSimpleNameEndingWith("Config")
                .should()
                .dependOnClassesThat(resideInAnyPackage("org.apache.kafka..", "org.apache.avro..")));
    }

    /** A program that embeds the TSO client must not depend on other parts of Tributary. */
    @Test
    void theTsoServiceDependsOnlyOnCommonAndRpc() {
        String[] others = STAGES.stream().map(HouseRulesTest::in).toArray(String[]::new);
        check(noClasses()
                .that(resideInAPackage(in("tso")))
                .should()
                .dependOnClassesThat(resideInAnyPackage(in("mysql"), in("store"), in("schema"), in("node"))
                        .or(resideInAnyPackage(others))));
        check(noClasses()
                .that(resideInAnyPackage(others)
                        .or(resideInAnyPackage(in("common"), in("rpc"), in("mysql"), in("store"), in("schema"))))
                .should()
                .dependOnClassesThat(resideInAPackage(in("tso"))));
    }

    @Test
    void packagesHaveNoCycle() {
        slices().matching("io.tributary.(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void staticFieldsAreImmutable() {
        check(fields().that()
                .areDeclaredInClassesThat(WRITTEN_BY_HAND)
                .and()
                .areStatic()
                .should()
                .beFinal()
                .andShould(notBeMutable()));
    }

    @Test
    void onlyMainExits() {
        check(callsOnlyFrom(
                "end the process",
                access -> isMethod(access, System.class, "exit") || isMethod(access, Runtime.class, "exit", "halt"),
                type -> type.getFullName().equals(Main.class.getName())));
    }

    /**
     * Main creates one thread for the JVM's shutdown hooks, which accept only threads; the S3 client blocks, with one thread per part; the commands seed
     * and verify and the applier block, with one thread per connection.
     */
    @Test
    void onlyTheRunnerCreatesThreads() {
        List<Class<?>> makers = List.of(
                Thread.class,
                Executors.class,
                ThreadPoolExecutor.class,
                ScheduledThreadPoolExecutor.class,
                ForkJoinPool.class,
                Timer.class);
        check(callsOnlyFrom(
                "make threads",
                access -> makers.stream().anyMatch(maker -> isConstructor(access, maker))
                        || isMethod(access, Executors.class)
                        || isMethod(access, ForkJoinPool.class, "commonPool")
                        || isMethod(access, CompletableFuture.class, "runAsync", "supplyAsync")
                        || isMethod(access, Collection.class, "parallelStream"),
                type -> isOrIsIn(type, StageRunner.class)
                        || type.getFullName().equals(STAGE_THREAD)
                        || isOrIsIn(type, Main.class)
                        || type.getFullName().equals("io.tributary.backup.store.S3ObjectStore")
                        || type.getFullName().equals("io.tributary.node.replica.WorkerThreads")));
        check(noClasses()
                .that()
                .doNotHaveFullyQualifiedName(STAGE_THREAD)
                .should()
                .beAssignableTo(Thread.class));
    }

    @Test
    void onlyTheClockReadsTheTime() {
        check(callsOnlyFrom(
                "read a clock",
                access -> isMethod(access, System.class, "currentTimeMillis", "nanoTime")
                        || access.getTargetOwner().getPackageName().equals("java.time")
                                && access.getTarget().getName().equals("now")
                        || isMethod(access, java.time.Clock.class)
                        || isConstructor(access, Date.class),
                type -> isOrIsIn(type, Clock.class)));
    }

    /** Readers query SELECT UUID(), so the server side creates one. */
    @Test
    void onlyLoginsCreateRandomNumbers() {
        check(callsOnlyFrom(
                "create random numbers",
                access -> isConstructor(access, Random.class)
                        || isConstructor(access, java.util.SplittableRandom.class)
                        || isMethod(access, ThreadLocalRandom.class)
                        || isMethod(access, Math.class, "random")
                        || isMethod(access, UUID.class, "randomUUID"),
                type -> resideInAPackage("io.tributary.serve..").test(type)));
        check(callsOnlyFrom(
                "create secure random numbers",
                access -> isConstructor(access, java.security.SecureRandom.class),
                type -> resideInAPackage("io.tributary.mysql..").test(type)));
    }

    @Test
    void allLoggingUsesSlf4j() {
        check(noClasses()
                .that(WRITTEN_BY_HAND)
                .and()
                .resideOutsideOfPackage("io.tributary.node.log")
                .should()
                .dependOnClassesThat(resideInAPackage("java.util.logging..")));
        check(callsOnlyFrom(
                "print",
                access -> isMethod(access, Throwable.class, "printStackTrace"),
                type -> type.getFullName().equals("io.tributary.node.log.LineFormat")));
        check(noClasses()
                .that()
                .resideOutsideOfPackage("io.tributary.node..")
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err"));
    }

    @Test
    void classNamesHaveNoEmptyWords() {
        check(classes().that(WRITTEN_BY_HAND).should(new ArchCondition<>("have no empty word in their names") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                if (EMPTY_WORD.matcher(type.getSimpleName()).matches() && !GIVEN_NAMES.contains(type.getName())) {
                    events.add(SimpleConditionEvent.violated(type, type.getName() + " has an empty word in its name"));
                }
            }
        }));
    }

    private static String in(String module) {
        return "io.tributary." + module + "..";
    }

    private static void check(ArchRule rule) {
        rule.check(CLASSES);
    }

    private static ArchCondition<JavaField> notBeMutable() {
        return new ArchCondition<>("not be mutable") {
            @Override
            public void check(JavaField field, ConditionEvents events) {
                JavaClass type = field.getRawType();
                boolean changes = type.getPackageName().equals("java.util.concurrent.atomic")
                                && !type.getSimpleName().endsWith("FieldUpdater")
                        || type.isAssignableTo(ThreadLocal.class)
                        || type.isAssignableTo(StringBuilder.class)
                        || (type.isAssignableTo(Map.class) || type.isAssignableTo(Collection.class))
                                && !type.getModifiers().contains(JavaModifier.ABSTRACT);
                if (changes) {
                    events.add(SimpleConditionEvent.violated(field, field.getFullName() + " can change"));
                }
            }
        };
    }

    private static ArchRule callsOnlyFrom(
            String what,
            java.util.function.Predicate<JavaAccess<?>> call,
            java.util.function.Predicate<JavaClass> allowed) {
        return classes().that(WRITTEN_BY_HAND).should(new ArchCondition<>("not " + what) {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                if (allowed.test(type)) {
                    return;
                }
                type.getAccessesFromSelf().stream()
                        .filter(call)
                        .forEach(access -> events.add(SimpleConditionEvent.violated(access, access.getDescription())));
                type.getMethodReferencesFromSelf().stream()
                        .filter(call)
                        .forEach(access -> events.add(SimpleConditionEvent.violated(access, access.getDescription())));
                type.getConstructorReferencesFromSelf().stream()
                        .filter(call)
                        .forEach(access -> events.add(SimpleConditionEvent.violated(access, access.getDescription())));
            }
        });
    }

    /** @param names none = any method */
    private static boolean isMethod(JavaAccess<?> access, Class<?> owner, String... names) {
        return access.getTargetOwner().isEquivalentTo(owner)
                && !(access.getTarget() instanceof AccessTarget.FieldAccessTarget)
                && (names.length == 0
                        || Arrays.asList(names).contains(access.getTarget().getName()));
    }

    private static boolean isConstructor(JavaAccess<?> access, Class<?> owner) {
        return access.getTargetOwner().isEquivalentTo(owner)
                && access.getTarget().getName().equals("<init>");
    }

    private static boolean isOrIsIn(JavaClass type, Class<?> outer) {
        return type.getName().equals(outer.getName()) || type.getName().startsWith(outer.getName() + "$");
    }
}
