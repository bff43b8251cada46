package dev.vigil.lakehouse.iceberg;

import dev.vigil.lakehouse.HistoryTable;
import dev.vigil.lakehouse.LakehouseConfig;
import dev.vigil.service.ServiceException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;
import org.jspecify.annotations.Nullable;

/**
 * The catalog that holds Vigil's tables. Connects on first use and again after a failure. Safe for any thread; a table
 * belongs to the thread that loaded it.
 */
public final class HistoryCatalog implements AutoCloseable {
    private static final Namespace NAMESPACE = Namespace.of(HistoryTable.NAMESPACE);
    private static final String SQLITE_FILE = "catalog.db";

    private final String name;
    private final Map<String, String> properties;
    private final boolean embedded;
    private final Path sqliteFile;
    private @Nullable Catalog catalog;

    private HistoryCatalog(LakehouseConfig config, Path dataDir) {
        this.name = config.catalog().name();
        this.embedded = config.catalog().isEmbedded();
        this.sqliteFile = dataDir.toAbsolutePath().normalize().resolve(SQLITE_FILE);
        this.properties = properties(config, dataDir);
    }

    /**
     * For a writer: makes the local directories.
     *
     * @param dataDir of the lakehouse; the embedded catalog and warehouse are under it
     * @throws ServiceException if they cannot be made or written
     */
    public static HistoryCatalog forWriting(LakehouseConfig config, Path dataDir) {
        HistoryCatalog catalog = new HistoryCatalog(config, dataDir);
        if (catalog.embedded) {
            catalog.makeWritable(dataDir.toAbsolutePath().normalize());
        }
        String warehouse = catalog.properties.get(CatalogProperties.WAREHOUSE_LOCATION);
        if (warehouse != null && LocalFileIO.isLocal(warehouse)) {
            catalog.makeWritable(LocalFileIO.path(warehouse));
        }
        return catalog;
    }

    /**
     * For a reader, also one in another process than the writer.
     *
     * @throws ServiceException if the embedded catalog is to be read and is not there
     */
    public static HistoryCatalog forReading(LakehouseConfig config, Path dataDir) {
        HistoryCatalog catalog = new HistoryCatalog(config, dataDir);
        if (catalog.embedded && !Files.isRegularFile(catalog.sqliteFile)) {
            throw new ServiceException(
                    "no history at " + dataDir + ": expected the catalog " + SQLITE_FILE + " that a first run makes");
        }
        return catalog;
    }

    private static Map<String, String> properties(LakehouseConfig config, Path dataDir) {
        Map<String, String> properties = new HashMap<>(config.catalog().properties());
        if (config.catalog().isEmbedded()) {
            Path file = dataDir.toAbsolutePath().normalize().resolve(SQLITE_FILE);
            properties.put(CatalogUtil.ICEBERG_CATALOG_TYPE, CatalogUtil.ICEBERG_CATALOG_TYPE_JDBC);
            properties.put(CatalogProperties.URI, "jdbc:sqlite:" + file + "?busy_timeout=30000&journal_mode=WAL");
            properties.put("jdbc.schema-version", "V1");
        }
        String warehouse = config.warehouse();
        if (warehouse != null) {
            properties.put(
                    CatalogProperties.WAREHOUSE_LOCATION,
                    LocalFileIO.isLocal(warehouse) ? LocalFileIO.location(LocalFileIO.path(warehouse)) : warehouse);
        } else if (!CatalogUtil.ICEBERG_CATALOG_TYPE_REST.equals(properties.get(CatalogUtil.ICEBERG_CATALOG_TYPE))) {
            properties.putIfAbsent(
                    CatalogProperties.WAREHOUSE_LOCATION, LocalFileIO.location(dataDir.resolve("warehouse")));
        }
        String location = properties.get(CatalogProperties.WAREHOUSE_LOCATION);
        if (location != null && LocalFileIO.isLocal(location)) {
            properties.putIfAbsent(CatalogProperties.FILE_IO_IMPL, LocalFileIO.class.getName());
        }
        return properties;
    }

    private void makeWritable(Path directory) {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new ServiceException(
                    "history at " + directory + ": expected a directory that can be made, found: " + e.getMessage(), e);
        }
        if (!Files.isWritable(directory)) {
            throw new ServiceException(
                    "history at " + directory + ": expected a writable directory, found one that is not");
        }
    }

    /**
     * Connects unless it is connected.
     *
     * @throws ServiceException if the properties name no catalog that can be loaded
     * @throws RuntimeException of another kind if the catalog does not answer; try again later
     */
    public synchronized Catalog connect() {
        if (catalog == null) {
            try {
                catalog = CatalogUtil.buildIcebergCatalog(name, properties, null);
            } catch (IllegalArgumentException | UnsupportedOperationException e) {
                throw new ServiceException("lakehouse.catalog: " + e.getMessage(), e);
            }
        }
        return catalog;
    }

    /** Loads a table; makes it, and the namespace, where they are missing. */
    Table loadOrCreate(HistoryTable table) {
        Catalog connected = connect();
        TableIdentifier identifier = identifier(table.tableName());
        if (connected.tableExists(identifier)) {
            return SchemaGrowth.withLongRevision(connected.loadTable(identifier));
        }
        createNamespace(connected);
        Schema schema = HistorySchemas.schema(table);
        try {
            return connected
                    .buildTable(identifier, schema)
                    .withPartitionSpec(HistorySchemas.spec(schema))
                    .withSortOrder(HistorySchemas.sortOrder(schema))
                    .withProperties(HistorySchemas.properties())
                    .create();
        } catch (AlreadyExistsException e) {
            return connected.loadTable(identifier);
        }
    }

    private static synchronized void createNamespace(Catalog connected) {
        if (connected instanceof SupportsNamespaces namespaces && !namespaces.namespaceExists(NAMESPACE)) {
            try {
                namespaces.createNamespace(NAMESPACE);
            } catch (RuntimeException e) {
                // Another process may have been faster, which each catalog tells in its own way.
                if (!namespaces.namespaceExists(NAMESPACE)) {
                    throw e;
                }
            }
        }
    }

    /** Names of the tables that exist, sorted. */
    List<String> tableNames() {
        try {
            return connect().listTables(NAMESPACE).stream()
                    .map(TableIdentifier::name)
                    .sorted()
                    .toList();
        } catch (NoSuchNamespaceException e) {
            return List.of();
        }
    }

    Table load(String tableName) {
        return connect().loadTable(identifier(tableName));
    }

    private static TableIdentifier identifier(String tableName) {
        return TableIdentifier.of(NAMESPACE, tableName);
    }

    @Override
    public synchronized void close() {
        if (catalog instanceof AutoCloseable closeable) {
            try {
                closeable.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (Exception e) {
                throw new IllegalStateException("the catalog does not close", e);
            }
        }
        catalog = null;
    }
}
