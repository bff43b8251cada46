package dev.vigil.cdc.mysql;

/**
 * A place in the server's binary log.
 *
 * @param file {@code binlog.000012}
 * @param offset bytes from the file's beginning, less than 2^32
 */
public record BinlogPosition(String file, long offset) {

    /** The files' numbers go up. */
    public int fileNumber() {
        String digits = file.substring(file.lastIndexOf('.') + 1);
        if (!digits.matches("\\d{1,9}")) {
            throw new IllegalArgumentException("expected a binary log such as binlog.000012, found " + file);
        }
        return Integer.parseInt(digits);
    }

    /**
     * As one number that goes up along the log, with the file's number in the upper half: {@code binlog.000012} at 500 is
     * {@code C/1F4}.
     */
    public long lsn() {
        return (long) fileNumber() << 32 | offset;
    }

    @Override
    public String toString() {
        return file + ":" + offset;
    }
}
