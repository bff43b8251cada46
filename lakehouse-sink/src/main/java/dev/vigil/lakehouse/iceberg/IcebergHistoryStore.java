package dev.vigil.lakehouse.iceberg;

import dev.vigil.event.ScoredSchema;
import dev.vigil.lakehouse.ColumnType;
import dev.vigil.lakehouse.CommitOutcome;
import dev.vigil.lakehouse.HistoryRow;
import dev.vigil.lakehouse.HistoryStore;
import dev.vigil.lakehouse.HistoryTable;
import dev.vigil.lakehouse.PolicyTypes;
import dev.vigil.lakehouse.Positions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotAncestryValidator;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.UpdateProperties;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.exceptions.ValidationException;
import org.jspecify.annotations.Nullable;

/**
 * An Iceberg table as a {@link HistoryStore}.
 *
 * <p>A batch is a set of data files that no snapshot names yet. A schema that grows in mid-batch closes the open files and
 * goes on in new ones: each file has the columns that it was begun with. Positions go into the table's properties, which
 * compaction and snapshot expiry leave alone, and into the snapshot's summary, where they can be read beside the data.
 */
public final class IcebergHistoryStore implements HistoryStore {
    private final HistoryCatalog catalog;
    private final HistoryTable name;
    private final int openPartitions;
    private final PolicySchemas policies = new PolicySchemas();

    private @Nullable Table table;
    private @Nullable RowMapper mapper;
    private @Nullable PartitionedFiles files;
    private final List<DataFile> complete = new ArrayList<>();
    private long earlierMisfits;
    private @Nullable Long snapshotId;

    public IcebergHistoryStore(HistoryCatalog catalog, HistoryTable name, int openPartitions) {
        this.catalog = catalog;
        this.name = name;
        this.openPartitions = openPartitions;
    }

    @Override
    public Positions open() {
        discard();
        Table opened = catalog.loadOrCreate(name);
        table = opened;
        policies.restore(opened.properties());
        remember(opened.currentSnapshot());
        beginFiles(opened);
        return positions(opened);
    }

    private static Positions positions(Table table) {
        return Positions.decode(table.properties().get(Positions.PROPERTY));
    }

    private void remember(@Nullable Snapshot snapshot) {
        snapshotId = snapshot == null ? null : snapshot.snapshotId();
    }

    private void beginFiles(Table opened) {
        earlierMisfits = misfits();
        mapper = new RowMapper(opened.schema());
        files = new PartitionedFiles(opened, openPartitions, order());
    }

    private static Comparator<Record> order() {
        return Comparator.comparing((Record row) -> (String) row.getField("account"))
                .thenComparing(row -> (java.time.OffsetDateTime) row.getField(HistorySchemas.EVENT_TIME));
    }

    @Override
    public void declare(ScoredSchema schema) {
        policies.declare(schema);
        Map<String, ColumnType> fields = PolicyTypes.typed(schema.fields(), schema.currencyDigits());
        Map<String, ColumnType> features = PolicyTypes.typed(schema.features(), schema.currencyDigits());
        RowMapper current = opened(mapper);
        grow(
                current.fields().columns().missing(fields),
                current.features().columns().missing(features));
    }

    @Override
    public void write(HistoryRow row) {
        PolicyTypes types = PolicyTypes.UNDECLARED;
        if (row instanceof HistoryRow.Scored scored) {
            types = policies.types(scored.event().policy(), scored.event().policyVersion());
            RowMapper current = opened(mapper);
            grow(
                    current.fields().missing(scored.event().fields(), types.fields()),
                    current.features().missing(scored.event().features(), types.features()));
        }
        opened(files).write(opened(mapper).map(row, types));
    }

    private void grow(Map<String, ColumnType> fields, Map<String, ColumnType> features) {
        if (fields.isEmpty() && features.isEmpty()) {
            return;
        }
        complete.addAll(opened(files).complete());
        Table growing = opened(table);
        SchemaGrowth.add(growing, Map.of(HistorySchemas.FIELDS, fields, HistorySchemas.FEATURES, features));
        beginFiles(growing);
    }

    @Override
    public CommitOutcome commit(Positions from, Positions to) {
        PartitionedFiles batch = opened(files);
        complete.addAll(batch.complete());
        beginFilesAfter(batch);
        Table committing = opened(table);
        try {
            committing.refresh();
            Positions found = positions(committing);
            if (!found.equals(to)) {
                if (!found.equals(from)) {
                    return new CommitOutcome.Rejected(moved(found));
                }
                append(committing, from, to);
            }
        } catch (ValidationException | NoSuchTableException e) {
            return new CommitOutcome.Rejected(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            // Not only CommitStateUnknownException: a lost connection in the catalog's swap comes as that driver's own.
            return new CommitOutcome.Unknown(e.getClass().getSimpleName() + ": " + e.getMessage());
        }
        complete.clear();
        remember(committing.currentSnapshot());
        return new CommitOutcome.Committed(snapshotId == null ? -1 : snapshotId);
    }

    /** Files of the next batch; what {@code batch} held is in {@link #complete} now. */
    private void beginFilesAfter(PartitionedFiles batch) {
        batch.abandon();
        beginFiles(opened(table));
    }

    private void append(Table committing, Positions from, Positions to) {
        String text = to.encode();
        Transaction transaction = committing.newTransaction();
        AppendFiles append = transaction.newAppend();
        complete.forEach(append::appendFile);
        append.set(Positions.PROPERTY, text);
        append.validateWith(new Fence(transaction.table(), from));
        append.commit();
        UpdateProperties properties = transaction.updateProperties();
        properties.set(Positions.PROPERTY, text);
        policies.changes(committing.properties()).forEach((key, value) -> {
            if (value == null) {
                properties.remove(key);
            } else {
                properties.set(key, value);
            }
        });
        properties.commit();
        transaction.commitTransaction();
    }

    private String moved(Positions found) {
        return "table " + name.tableName() + " was moved by another sink: its commit " + found.commits()
                + " is not the one that this batch follows";
    }

    /** Runs in every attempt of a commit, on the metadata that the attempt builds upon. */
    private record Fence(Table building, Positions from) implements SnapshotAncestryValidator {
        @Override
        public boolean validate(Iterable<Snapshot> baseSnapshots) {
            return positions(building).equals(from);
        }

        @Override
        public String errorMessage() {
            return "another sink moved the table meanwhile: its commit "
                    + positions(building).commits() + " is not the one that this batch follows (" + from.commits()
                    + ")";
        }
    }

    private static <T> T opened(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("the table is not open");
        }
        return part;
    }

    @Override
    public @Nullable Long snapshotId() {
        return snapshotId;
    }

    @Override
    public long misfits() {
        return earlierMisfits + (mapper == null ? 0 : mapper.misfits());
    }

    @Override
    public void discard() {
        if (files != null) {
            files.abandon();
            files = null;
        }
        complete.clear();
        earlierMisfits = misfits();
        mapper = null;
        table = null;
    }

    @Override
    public void close() {
        discard();
    }
}
