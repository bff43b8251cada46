package dev.vigil.dashboard.live;

import dev.vigil.event.Alert;

/** An alert and how far its delivery is. */
public record AlertView(Alert alert, DeliveryView delivery) {}
