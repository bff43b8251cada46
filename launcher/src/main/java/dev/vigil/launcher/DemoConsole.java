package dev.vigil.launcher;

import dev.vigil.alerting.receiver.ReceivedAlert;
import dev.vigil.service.status.AlertingStatus;
import dev.vigil.service.status.EngineStatus;
import dev.vigil.service.status.LakehouseStatus;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.ZoneId;

/** What a running demo tells on the terminal. Safe for any thread. */
final class DemoConsole {
    private final PrintWriter out;

    DemoConsole(PrintWriter out) {
        this.out = out;
    }

    synchronized void step(String what) {
        print("  … " + what);
    }

    synchronized void ready(String url, String bootstrapServers, String bankUri, Path data) {
        print("");
        print("  page        " + url + "/");
        print("  Kafka       " + bootstrapServers);
        print("  PostgreSQL  " + bankUri);
        print("  data, logs  " + data);
        String config = " --config " + ShellWord.of(data.resolve("vigil.yaml").toString());
        print("  history     ./vigil query" + config + " \"SELECT decision, count(*) FROM scored_events GROUP BY 1\"");
        print("  explain     ./vigil explain" + config + " ACCOUNT EVENT");
        print("");
        print(
                "  Alerts as the webhook receiver gets them: decision, score, account, event, amount, why, and the time from");
        print("  ingest to acceptance. Ctrl-C stops.");
        print("");
    }

    synchronized void alertReceived(ReceivedAlert received) {
        print(AlertLine.of(received, ZoneId.systemDefault()));
    }

    synchronized void status(EngineStatus engine, AlertingStatus alerting, LakehouseStatus lakehouse, long nowMs) {
        print(StatusLine.of(engine, alerting, lakehouse, nowMs));
    }

    private void print(String line) {
        out.println(line);
        out.flush();
    }
}
