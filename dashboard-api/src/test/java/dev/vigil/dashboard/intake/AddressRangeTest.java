package dev.vigil.dashboard.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class AddressRangeTest {
    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8,10.255.1.2,true",
        "10.0.0.0/8,11.0.0.1,false",
        "192.0.2.7,192.0.2.7,true",
        "192.0.2.7,192.0.2.6,false",
        "192.0.2.128/25,192.0.2.127,false",
        "192.0.2.128/25,192.0.2.200,true",
        "0.0.0.0/0,8.8.8.8,true",
        "fd00::/8,fdff::1,true",
        "fd00::/8,fe80::1,false",
        "10.0.0.0/8,fd00::1,false",
        "0.0.0.0/0,::1,false",
        "127.0.0.1,::ffff:127.0.0.1,true"
    })
    void shouldContainTheAddressesOfItsNetwork(String range, String address, boolean expected) {
        assertThat(AddressRange.parse(range).contains(AddressRange.address(address)))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "localhost",
                "10.0.0.0/33",
                "::/129",
                "10.0.0",
                "10.0.0.256",
                "10.0.0.0/",
                "a.b.c.d",
                "1:2",
                "10.0.0.1.",
                "fe80::1%eth0"
            })
    void shouldRefuseWhatIsNone(String text) {
        assertThatThrownBy(() -> AddressRange.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
