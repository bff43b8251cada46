package dev.vigil.backtest;

import dev.vigil.event.ScoredSchema;
import dev.vigil.scoring.ScoredView;

/** Where a replay puts its rows, on its thread and in log order. */
public interface ReplayOutput {
    /** The policy under test became active; once, before everything else. */
    void begin(ScoredSchema schema);

    /**
     * @param scored valid during the call only
     * @param baseline what the baseline made of the same event; of no meaning where there is no baseline
     */
    void scored(ScoredView scored, Outcome baseline);

    /** A record that was not scored: duplicate, late or dead-lettered. */
    void setAside(SetAsideRecord record);

    /** An event that alerts under one of the two policies only. */
    void changed(ChangedEvent event);
}
