package dev.vigil.alerting.endpoints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vigil.alerting.ApiEndpointsConfig;
import dev.vigil.alerting.EndpointConfig;
import dev.vigil.event.Json;
import dev.vigil.event.endpoint.EndpointRefusedException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Field case D01 for names: what counts is where they lead. */
final class DefinitionsTest {
    private static final String SECRET = "whsec_" + "A".repeat(32);

    private static Definitions with(Set<String> privateHosts, String... addresses) {
        return new Definitions(new ApiEndpointsConfig(List.of(), privateHosts, Map.of()), host -> {
            if (addresses.length == 0) {
                throw new UnknownHostException(host);
            }
            InetAddress[] found = new InetAddress[addresses.length];
            for (int i = 0; i < found.length; i++) {
                found[i] = InetAddress.getByName(addresses[i]);
            }
            return List.of(found);
        });
    }

    private static EndpointConfig checked(Definitions definitions, String url) {
        ObjectNode settings = Json.mapper().createObjectNode().put("url", url);
        return definitions.checked(
                "desk", new StoredDefinition(settings, List.of(new StoredDefinition.Secret(SECRET, null)), null, null));
    }

    @Test
    void shouldTakeANameThatLeadsToPublicAddressesOnly() {
        EndpointConfig taken = checked(with(Set.of(), "93.184.216.34", "2606:2800:220:1::1"), "https://hooks.example/");
        assertThat(taken.allowPrivate()).isFalse();
    }

    @Test
    void shouldRefuseANameOfWhichOneAddressIsNotPublic() {
        for (String address : List.of("127.0.0.1", "169.254.169.254", "::ffff:10.0.0.1", "fd00:ec2::254")) {
            assertThatThrownBy(() ->
                            checked(with(Set.of(), "93.184.216.34", address), "https://7f000001.nip.io/hook?token=abc"))
                    .as(address)
                    .isInstanceOf(EndpointRefusedException.class)
                    .hasMessageContaining("is not public")
                    .hasMessageNotContaining("abc");
        }
    }

    @Test
    void shouldRefuseANameThatNobodyKnows() {
        assertThatThrownBy(() -> checked(with(Set.of()), "https://nowhere.example/"))
                .hasMessage("url: the host name is not found");
    }

    @Test
    void shouldAllowWhatTheConfigurationNamesAndNoOtherSpelling() {
        Definitions definitions = with(Set.of("hooks.internal"), "10.0.0.7");
        assertThat(checked(definitions, "http://HOOKS.internal/").allowPrivate())
                .isTrue();
        assertThatThrownBy(() -> checked(definitions, "http://hooks.internal.example/"))
                .hasMessageContaining("10.0.0.7 is not public");
    }
}
