package dev.vigil.engine.rocksdb;

import org.jspecify.annotations.Nullable;

/** The files of a store are damaged or not a store. The caller restores a checkpoint, or stops. */
public final class CorruptStoreException extends Exception {
    private static final long serialVersionUID = 1L;

    CorruptStoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
