package dev.vigil.demo.bank;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The table of towns that ships beside this class. */
final class Towns {
    private static final String TABLE = "towns.csv";

    private Towns() {}

    static List<Town> load() {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(Towns.class.getResourceAsStream(TABLE), TABLE), StandardCharsets.UTF_8))) {
            List<Town> towns = new ArrayList<>();
            reader.readLine();
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                towns.add(parse(towns.size(), line));
            }
            return List.copyOf(towns);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + TABLE, e);
        }
    }

    private static Town parse(int index, String line) {
        String[] cells = line.split(",", -1);
        if (cells.length != 6) {
            throw new IllegalStateException(TABLE + ": expected 6 cells, found " + cells.length + " in: " + line);
        }
        Place centre = new Place(Double.parseDouble(cells[3]), Double.parseDouble(cells[4]));
        return new Town(index, cells[0], cells[1], ZoneId.of(cells[2]), centre, Integer.parseInt(cells[5]));
    }
}
