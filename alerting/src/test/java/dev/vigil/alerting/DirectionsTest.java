package dev.vigil.alerting;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Each technology stays in its own package, and only the service knows them all. */
@AnalyzeClasses(packages = "dev.vigil.alerting", importOptions = ImportOption.DoNotIncludeTests.class)
final class DirectionsTest {
    @ArchTest
    static final ArchRule OKHTTP_ONLY_IN_HTTP = noClasses()
            .that()
            .resideOutsideOfPackage("dev.vigil.alerting.http")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("okhttp3..", "okio..", "com.standardwebhooks..");

    @ArchTest
    static final ArchRule ROCKSDB_ONLY_IN_ROCKSDB = noClasses()
            .that()
            .resideOutsideOfPackage("dev.vigil.alerting.rocksdb")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.rocksdb..");

    @ArchTest
    static final ArchRule KAFKA_ONLY_IN_KAFKA_AND_THE_SERVICE = noClasses()
            .that()
            .resideOutsideOfPackages("dev.vigil.alerting.kafka", "dev.vigil.alerting.service")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.kafka..");

    @ArchTest
    static final ArchRule NO_CYCLES =
            slices().matching("dev.vigil.alerting.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule PURE_PARTS_KNOW_NO_EDGE = noClasses()
            .that()
            .resideInAnyPackage("dev.vigil.alerting", "dev.vigil.alerting.cases")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.vigil.alerting.http..",
                    "dev.vigil.alerting.kafka..",
                    "dev.vigil.alerting.receiver..",
                    "dev.vigil.alerting.rocksdb..",
                    "dev.vigil.alerting.service..");

    @ArchTest
    static final ArchRule NO_CLOCK_OF_ITS_OWN = noClasses()
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(java.time.Clock.class);
}
