package dev.vigil.sparkcheck;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.SparkSession;

/**
 * Runs SQL statements in a local Spark with Iceberg. Arguments: the JDBC address of the catalog, its name, the warehouse, a
 * file for the answers, and the statements. The file gets one line per row, as JSON, and an empty line after each
 * statement.
 */
public final class SparkSqlToFile {
    private SparkSqlToFile() {}

    public static void main(String[] args) throws IOException {
        String catalog = "spark.sql.catalog." + args[1];
        List<String> lines = new ArrayList<>();
        try (SparkSession spark = SparkSession.builder()
                .master("local[2]")
                .config("spark.ui.enabled", "false")
                .config("spark.sql.shuffle.partitions", "2")
                .config("spark.sql.session.timeZone", "America/New_York")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.driver.host", "127.0.0.1")
                .config(catalog, "org.apache.iceberg.spark.SparkCatalog")
                .config(catalog + ".type", "jdbc")
                .config(catalog + ".uri", args[0])
                .config(catalog + ".jdbc.schema-version", "V1")
                .config(catalog + ".warehouse", args[2])
                .getOrCreate()) {
            for (int i = 4; i < args.length; i++) {
                lines.addAll(spark.sql(args[i]).toJSON().collectAsList());
                lines.add("");
            }
        }
        Files.write(Path.of(args[3]), lines, StandardCharsets.UTF_8);
    }
}
