package dev.vigil.alerting.http;

import dev.vigil.alerting.EndpointConfig;
import dev.vigil.alerting.EndpointTls;
import dev.vigil.service.ServiceException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import okhttp3.tls.Certificates;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;

/** The certificates and keys that an endpoint's configuration names. Messages tell files and never what they hold. */
final class TlsFiles {
    private TlsFiles() {}

    /** @throws ServiceException if a file cannot be read as what it is named for */
    static HandshakeCertificates read(EndpointConfig endpoint) {
        EndpointTls tls = endpoint.tls();
        HandshakeCertificates.Builder certificates = new HandshakeCertificates.Builder();
        if (tls.ca() == null) {
            certificates.addPlatformTrustedCertificates();
        } else {
            chain(endpoint, "ca", tls.ca()).forEach(certificates::addTrustedCertificate);
        }
        if (tls.certificate() != null && tls.key() != null) {
            List<X509Certificate> chain = chain(endpoint, "certificate", tls.certificate());
            certificates.heldCertificate(
                    held(endpoint, chain.get(0), tls.key()),
                    chain.subList(1, chain.size()).toArray(X509Certificate[]::new));
        }
        return certificates.build();
    }

    private static List<X509Certificate> chain(EndpointConfig endpoint, String key, Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            Collection<? extends Certificate> chain =
                    CertificateFactory.getInstance("X.509").generateCertificates(in);
            if (chain.isEmpty()) {
                throw new CertificateException("none");
            }
            return chain.stream().map(X509Certificate.class::cast).toList();
        } catch (IOException | CertificateException e) {
            throw complaint(endpoint, key, file, "certificates in PEM", e);
        }
    }

    private static HeldCertificate held(EndpointConfig endpoint, X509Certificate certificate, Path keyFile) {
        try {
            return HeldCertificate.decode(Certificates.certificatePem(certificate) + Files.readString(keyFile));
        } catch (IOException | IllegalArgumentException e) {
            throw complaint(endpoint, "key", keyFile, "the certificate's key in PEM, PKCS#8 and not encrypted", e);
        }
    }

    private static ServiceException complaint(
            EndpointConfig endpoint, String key, Path file, String expected, Exception cause) {
        return new ServiceException(
                "endpoint " + endpoint.name() + ": tls." + key + " " + file + ": expected " + expected, cause);
    }
}
