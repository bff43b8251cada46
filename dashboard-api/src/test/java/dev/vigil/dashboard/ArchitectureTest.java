package dev.vigil.dashboard;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "dev.vigil.dashboard", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
    @ArchTest
    static final ArchRule SHOULD_IMPORT_HTTP_IN_ITS_EDGE_ONLY = noClasses()
            .that()
            .resideOutsideOfPackage("dev.vigil.dashboard.http")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.javalin..", "org.eclipse.jetty..", "jakarta.servlet..", "java.net.http..");

    @ArchTest
    static final ArchRule SHOULD_IMPORT_KAFKA_IN_ITS_EDGE_ONLY = noClasses()
            .that()
            .resideOutsideOfPackage("dev.vigil.dashboard.kafka")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.kafka..");

    @ArchTest
    static final ArchRule SHOULD_IMPORT_AVRO_IN_ITS_EDGE_ONLY = noClasses()
            .that()
            .resideOutsideOfPackage("dev.vigil.dashboard.avro")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.avro..");

    @ArchTest
    static final ArchRule SHOULD_HAVE_NO_CYCLES =
            slices().matching("dev.vigil.dashboard.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule SHOULD_ASK_THE_INJECTED_CLOCK =
            noClasses().should().callMethod(System.class, "currentTimeMillis");
}
