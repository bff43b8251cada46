package dev.vigil.alerting.http;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import javax.net.ssl.SSLException;

/**
 * Why an attempt got no answer, in words of our own: a client's messages may hold the URL. Only those of TLS and of our
 * own guard are passed on, first line, since they say which certificate or address it was.
 */
final class AttemptProblem {
    private AttemptProblem() {}

    static String describe(IOException e) {
        if (e instanceof AddressGuard.RefusedException) {
            return firstLine(e);
        }
        if (e instanceof UnknownHostException) {
            return "the host name is not found";
        }
        if (e instanceof SSLException) {
            return "TLS: " + firstLine(e);
        }
        if (e instanceof ConnectException) {
            return "no connection: refused or not reachable";
        }
        if (e instanceof InterruptedIOException) {
            return "no answer within the time-out";
        }
        return "the connection broke: " + e.getClass().getSimpleName();
    }

    private static String firstLine(IOException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }
}
