package dev.vigil.dashboard.avro;

import java.util.List;

/** Schemas by the ids that values carry, as a registry has them. */
public interface WriterSchemas {
    /**
     * The schema as Avro's JSON; before it the schemas that it refers to, each before those that refer to it. May wait as long as
     * its time-out says.
     *
     * @throws dev.vigil.dashboard.intake.UnreadableValueException if there is none of that id, or it is no Avro schema
     * @throws dev.vigil.dashboard.intake.RegistryUnavailableException if that cannot be told now
     */
    List<String> schema(int id);
}
