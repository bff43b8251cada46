package dev.vigil.dashboard.status;

import dev.vigil.service.status.ServiceState;
import dev.vigil.service.status.ServiceStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Statuses of the services of this process and, as last heard, of others. A supplier that fails shows as a failed
 * service and hides no other. Safe for any thread; asks the suppliers on the caller's.
 */
public final class StatusBoard {
    private static final Logger LOG = LoggerFactory.getLogger(StatusBoard.class);

    private final List<Local> locals = new CopyOnWriteArrayList<>();
    private final List<Supplier<List<ServiceStatus>>> remotes = new CopyOnWriteArrayList<>();

    /** A service of this process; {@code /health} and {@code /ready} speak for these. */
    public void add(String service, Supplier<? extends ServiceStatus> status) {
        locals.add(new Local(service, status));
    }

    /** Services of another process; the supplier returns at once with what it last heard. */
    public void addRemote(Supplier<List<ServiceStatus>> statuses) {
        remotes.add(statuses);
    }

    /** Statuses of this process's services, in the order in which they were added. */
    public List<ServiceStatus> local() {
        return locals.stream().map(Local::ask).toList();
    }

    /** All statuses, this process's first. */
    public List<ServiceStatus> all() {
        List<ServiceStatus> statuses = new ArrayList<>(local());
        remotes.forEach(remote -> statuses.addAll(remote.get()));
        return statuses;
    }

    private record Local(String service, Supplier<? extends ServiceStatus> status) {
        ServiceStatus ask() {
            try {
                return status.get();
            } catch (RuntimeException e) {
                LOG.warn("{} cannot tell its status: {}", service, e.toString());
                return new UnknownStatus(service, ServiceState.FAILED, "cannot tell its status");
            }
        }
    }
}
