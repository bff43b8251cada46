package dev.vigil.service.status;

/** NEW → STARTING → RUNNING → STOPPED; FAILED from any but STOPPED. */
public enum ServiceState {
    NEW,
    STARTING,
    RUNNING,
    FAILED,
    STOPPED
}
