package dev.vigil.launcher;

import java.io.PrintWriter;
import java.io.StringWriter;

/** What one call of {@code vigil} in this process said. */
record CommandResult(int exitCode, String out, String err) {
    static CommandResult of(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = Vigil.run(new PrintWriter(out), new PrintWriter(err), arguments);
        return new CommandResult(exitCode, out.toString(), err.toString());
    }
}
