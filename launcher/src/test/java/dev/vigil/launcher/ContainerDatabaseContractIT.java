package dev.vigil.launcher;

import dev.vigil.launcher.ComposeFile.Mount;
import dev.vigil.launcher.ComposeFile.Service;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIf;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.MountableFile;

/** The image, the command and the scripts of {@code docker-compose.yml}, which psql runs in the container. */
@EnabledIf(value = DockerEngine.CONDITION, disabledReason = DockerEngine.MISSING)
final class ContainerDatabaseContractIT extends DatabaseContract {
    private static PostgreSQLContainer database;

    @BeforeAll
    static void start() {
        Service deployed = Objects.requireNonNull(ComposeFile.read().services().get("postgres"));
        database = new PostgreSQLContainer(DockerImageName.parse(deployed.image()))
                .withDatabaseName(deployed.environment().get("POSTGRES_DB"))
                .withUsername("postgres")
                .withPassword("postgres");
        database.withEnv("VIGIL_DB_PASSWORD", PASSWORD);
        database.withCommand(deployed.command().toArray(String[]::new));
        for (Mount mount : deployed.mounts()) {
            if (!mount.isVolume()) {
                database.withCopyFileToContainer(
                        MountableFile.forHostPath(Repository.file(mount.source())), mount.target());
            }
        }
        database.start();
    }

    @AfterAll
    static void stop() {
        database.stop();
    }

    @Override
    String jdbcUrl() {
        return database.getJdbcUrl();
    }

    @Override
    Connection connectAsOwner() throws SQLException {
        return DriverManager.getConnection(jdbcUrl(), database.getUsername(), database.getPassword());
    }
}
