package dev.vigil.launcher;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;

/** The directions of the modules, of which all are on the launcher's class path; see ARCHITECTURE.md. */
@AnalyzeClasses(packages = "dev.vigil", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    /** Modules by their root packages, and the modules beside themselves and the event model that they may use. */
    private static final Map<String, String[]> DIRECTIONS = new TreeMap<>(Map.of(
            "service",
            new String[] {},
            "scoring",
            new String[] {},
            "engine",
            new String[] {"service", "scoring"},
            "cdc",
            new String[] {"service"},
            "alerting",
            new String[] {"service"},
            "lakehouse",
            new String[] {"service"},
            "backtest",
            new String[] {"service", "scoring", "lakehouse"},
            "dashboard",
            new String[] {"service", "lakehouse", "backtest"},
            "embedded",
            new String[] {}));

    @ArchTest
    void shouldLetModulesUseOnlyWhatTheDesignAllows(com.tngtech.archunit.core.domain.JavaClasses classes) {
        DIRECTIONS.forEach((module, uses) -> rule(module, uses).check(classes));
    }

    private static ArchRule rule(String module, String[] uses) {
        String[] allowed = new String[uses.length + 3];
        for (int i = 0; i < uses.length; i++) {
            allowed[i] = root(uses[i]);
        }
        allowed[uses.length] = root(module);
        allowed[uses.length + 1] = root("event");
        allowed[uses.length + 2] = root("config");
        return noClasses()
                .that(resideInAPackage(root(module)))
                .should()
                .dependOnClassesThat(resideInAPackage("dev.vigil..").and(resideOutsideOfPackages(allowed)));
    }

    private static String root(String module) {
        return "dev.vigil." + module + "..";
    }

    @ArchTest
    static final ArchRule shouldKeepTheEventModelBelowEverything = noClasses()
            .that(resideInAnyPackage("dev.vigil.event..", "dev.vigil.config.."))
            .should()
            .dependOnClassesThat(resideInAPackage("dev.vigil..")
                    .and(resideOutsideOfPackages("dev.vigil.event..", "dev.vigil.config..")));

    @ArchTest
    static final ArchRule shouldKeepTheCorePure = classes()
            .that()
            .resideInAPackage("dev.vigil.scoring..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "dev.vigil.scoring..",
                    "dev.vigil.event..",
                    "dev.vigil.config..",
                    "java.lang..",
                    "java.io",
                    "java.math",
                    "java.nio.charset",
                    "java.security",
                    "java.time..",
                    "java.util",
                    "java.util.function",
                    "java.util.regex",
                    "java.util.stream",
                    "com.fasterxml.jackson..",
                    "com.google.common.collect",
                    "com.google.errorprone.annotations..",
                    "dev.cel..",
                    "org.jspecify.annotations");

    @ArchTest
    static final ArchRule shouldScoreWithoutThreadsClocksOrChance = noClasses()
            .that()
            .resideInAPackage("dev.vigil.scoring..")
            .should()
            .dependOnClassesThat()
            .belongToAnyOf(Thread.class, ThreadLocal.class, Clock.class, Random.class, UUID.class);

    @ArchTest
    static final ArchRule shouldReadTheWallClockInTheLauncherOnly = noClasses()
            .that(resideOutsideOfPackages("dev.vigil.launcher..", "dev.vigil.demo.."))
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(Clock.class, "systemUTC")
            .orShould()
            .callMethod(Clock.class, "systemDefaultZone");

    @ArchTest
    static final ArchRule shouldScoreWithoutReadingAnyClock =
            noClasses().that().resideInAPackage("dev.vigil.scoring..").should().callMethod(System.class, "nanoTime");

    @ArchTest
    static final ArchRule shouldUseKafkaInItsEdgesOnly = edge(
            "org.apache.kafka..",
            "..kafka..",
            "dev.vigil.cdc.debezium..",
            "dev.vigil.embedded..",
            "dev.vigil.launcher..");

    @ArchTest
    static final ArchRule shouldUseRocksDbInItsEdgesOnly = edge("org.rocksdb..", "..rocksdb..");

    @ArchTest
    static final ArchRule shouldUseS3InItsEdgesOnly = edge("software.amazon.awssdk..", "..s3..");

    @ArchTest
    static final ArchRule shouldUseIcebergInItsEdgesOnly = edge("org.apache.iceberg..", "..iceberg..");

    @ArchTest
    static final ArchRule shouldUseDebeziumInItsEdgesOnly = edge("io.debezium..", "..debezium..");

    @ArchTest
    static final ArchRule shouldUseHttpServersInTheirEdgesOnly = edge("io.javalin..", "..http..");

    @ArchTest
    static final ArchRule shouldUseHttpClientsInTheirEdgesOnly = edge("okhttp3..", "..http..");

    private static ArchRule edge(String technology, String... edges) {
        return noClasses()
                .that(resideOutsideOfPackages(edges))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(technology);
    }

    @ArchTest
    static final ArchRule shouldHaveNoCyclesInTheCore =
            slices().matching("dev.vigil.scoring.(*)..").should().beFreeOfCycles();
}
