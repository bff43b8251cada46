package dev.vigil.engine.rocksdb;

import dev.vigil.scoring.state.InMemoryStateStore;
import dev.vigil.scoring.state.StateStore;

class InMemoryStateStoreTest extends StateStoreContract {
    @Override
    StateStore open() {
        return new InMemoryStateStore();
    }
}
