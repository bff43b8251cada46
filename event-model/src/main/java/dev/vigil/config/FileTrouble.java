package dev.vigil.config;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Why a file or directory cannot be used, without its name: exceptions of the file system often say the name alone. */
public final class FileTrouble {
    private FileTrouble() {}

    /** A few words that follow the name and a colon. */
    public static String of(IOException e) {
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (e instanceof FileAlreadyExistsException || e instanceof NotDirectoryException) {
            return "there is a file in its place";
        }
        if (e instanceof NoSuchFileException) {
            return "no such file";
        }
        if (e instanceof FileSystemException named) {
            return named.getReason() == null ? named.getClass().getSimpleName() : named.getReason();
        }
        return String.valueOf(e.getMessage());
    }
}
