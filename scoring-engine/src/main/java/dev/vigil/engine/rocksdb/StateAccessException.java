package dev.vigil.engine.rocksdb;

import org.jspecify.annotations.Nullable;

/**
 * The disk refused to read or write: full, gone, damaged. The caller closes the task; its state is that of the last step
 * that was written, and the log is read again from there.
 */
public final class StateAccessException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StateAccessException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
