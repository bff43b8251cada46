package dev.vigil.alerting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class EndpointUrlTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://hooks.example.com/a?b=c",
                "http://hooks.example.com:8080/",
                "https://8.8.8.8/",
                "https://[2606:4700::1111]/",
                "https://7f000001.nip.io/",
                "https://example.com./"
            })
    void shouldTakeNamesAndPlainAddresses(String url) {
        assertThat(new EndpointUrl(url).text()).isEqualTo(url);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "file:///etc/passwd",
                "ftp://example.com/",
                "//example.com/",
                "example.com/token-in-here",
                "https:///path",
                "https://user:pw@example.com/",
                "http://u:p@127.0.0.1/",
                "https://@example.com/",
                "http://2130706433/",
                "http://0x7f000001/",
                "http://0x7f.0.0.1/",
                "http://0177.0.0.1/",
                "http://127.1/",
                "http://1.2.3.0x7f/",
                "http://1.2.3.08/",
                "http://127.0.0.1./",
                "http://256.0.0.1/",
                "http://[fe80::1%25eth0]/",
                "http://１２７.0.0.1/",
                "http://exa mple.com/",
                "http://good.example\\@127.0.0.1/",
                "http://127.0.0.1%2f@example.com/",
                ""
            })
    void shouldRefuseOtherSchemesUserInfoAndOddSpellings(String url) {
        assertThatThrownBy(() -> new EndpointUrl(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("expected ")
                .message()
                .doesNotContain("pw")
                .doesNotContain("token");
    }

    @Test
    void shouldShowNeitherPathNorQuery() {
        assertThat(new EndpointUrl("https://hooks.example.com:8443/services/T0/secret?token=abc"))
                .hasToString("https://hooks.example.com:8443/…");
    }

    @Test
    void shouldTellUrlsApartByFingerprint() {
        EndpointUrl url = new EndpointUrl("https://example.com/a?token=abc");
        assertThat(url.fingerprint())
                .isEqualTo(new EndpointUrl("https://example.com/a?token=abc").fingerprint())
                .isNotEqualTo(new EndpointUrl("https://example.com/a?token=abd").fingerprint())
                .hasSize(32);
    }
}
