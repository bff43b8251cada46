package dev.vigil.lakehouse.iceberg;

import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.encryption.EncryptionManager;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.LocationProvider;
import org.apache.iceberg.jdbc.JdbcCatalog;
import org.jspecify.annotations.Nullable;

/** The JDBC catalog with troubles on demand. Public for Iceberg, which creates it by its name. */
public final class FlakyCatalog extends JdbcCatalog {
    /** What happens to a commit. */
    public enum Trouble {
        NONE,
        /** The connection is lost before the catalog has the commit. */
        LOST_BEFORE,
        /** The catalog has the commit; the connection is lost before its answer. */
        LOST_AFTER,
        /** The same, as a driver's own exception. */
        DRIVER_ERROR_AFTER
    }

    private static final Deque<Trouble> COMMITS = new ArrayDeque<>();
    private static boolean down;
    private static @Nullable Runnable beforeCommit;

    public FlakyCatalog() {}

    public static synchronized void reset() {
        COMMITS.clear();
        down = false;
        beforeCommit = null;
    }

    /** What somebody else does just before the next commit reaches the catalog. */
    public static synchronized void beforeNextCommit(Runnable action) {
        beforeCommit = action;
    }

    private static synchronized @Nullable Runnable takeBeforeCommit() {
        Runnable action = beforeCommit;
        beforeCommit = null;
        return action;
    }

    /** For the next commits, in this order; those after them meet no trouble. */
    public static synchronized void nextCommits(Trouble... troubles) {
        for (Trouble trouble : troubles) {
            COMMITS.add(trouble);
        }
    }

    /** Whether every call fails. */
    public static synchronized void goDown(boolean isDown) {
        down = isDown;
    }

    private static synchronized Trouble next() {
        answer();
        return COMMITS.isEmpty() ? Trouble.NONE : COMMITS.remove();
    }

    private static synchronized void answer() {
        if (down) {
            throw new IllegalStateException("the catalog does not answer");
        }
    }

    @Override
    protected TableOperations newTableOps(TableIdentifier identifier) {
        return new Flaky(super.newTableOps(identifier));
    }

    private record Flaky(TableOperations real) implements TableOperations {
        @Override
        public TableMetadata current() {
            return real.current();
        }

        @Override
        public TableMetadata refresh() {
            answer();
            return real.refresh();
        }

        @Override
        public void commit(TableMetadata base, TableMetadata metadata) {
            Runnable action = takeBeforeCommit();
            if (action != null) {
                action.run();
            }
            Trouble trouble = next();
            if (trouble == Trouble.LOST_BEFORE) {
                throw new CommitStateUnknownException(new IllegalStateException("connection lost"));
            }
            real.commit(base, metadata);
            if (trouble == Trouble.LOST_AFTER) {
                throw new CommitStateUnknownException(new IllegalStateException("connection lost"));
            }
            if (trouble == Trouble.DRIVER_ERROR_AFTER) {
                throw new IllegalStateException("socket closed");
            }
        }

        @Override
        public FileIO io() {
            return real.io();
        }

        @Override
        public EncryptionManager encryption() {
            return real.encryption();
        }

        @Override
        public String metadataFileLocation(String fileName) {
            return real.metadataFileLocation(fileName);
        }

        @Override
        public LocationProvider locationProvider() {
            return real.locationProvider();
        }

        @Override
        public TableOperations temp(TableMetadata uncommittedMetadata) {
            return real.temp(uncommittedMetadata);
        }

        @Override
        public long newSnapshotId() {
            return real.newSnapshotId();
        }

        @Override
        public boolean requireStrictCleanup() {
            return real.requireStrictCleanup();
        }
    }
}
