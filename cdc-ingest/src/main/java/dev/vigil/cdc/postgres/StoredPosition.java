package dev.vigil.cdc.postgres;

import dev.vigil.cdc.PublicationIdentity;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an earlier run left behind.
 *
 * @param file where it is stored, for messages
 * @param slotIsOurs an earlier run of this installation was about to create the slot, so that a slot of that name is ours
 * @param lsn how far the stream was stored; empty before the first snapshot was complete
 * @param server which server it was read from, as {@link SourceFacts#server} said; null if that is not known
 * @param tables that were captured then; empty if that is not known
 * @param publication as that run had it; null if that is not known
 */
public record StoredPosition(
        String file,
        boolean slotIsOurs,
        OptionalLong lsn,
        @Nullable String server,
        Set<String> tables,
        @Nullable PublicationIdentity publication) {}
