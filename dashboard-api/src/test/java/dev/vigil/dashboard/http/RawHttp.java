package dev.vigil.dashboard.http;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Requests byte by byte, for what no well-behaved client sends. */
final class RawHttp {
    private RawHttp() {}

    /** The whole answer to a request that asks for the connection to be closed. */
    static String get(int port, String path, String... headers) {
        StringBuilder request = new StringBuilder("GET " + path + " HTTP/1.1\r\nConnection: close\r\n");
        boolean hasHost = false;
        for (String header : headers) {
            request.append(header).append("\r\n");
            hasHost |= header.startsWith("Host:");
        }
        return exchange(port, request + (hasHost ? "" : "Host: localhost:" + port + "\r\n") + "\r\n");
    }

    static String exchange(int port, String request) {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(20_000);
            OutputStream out = socket.getOutputStream();
            out.write(request.getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static int status(String answer) {
        return Integer.parseInt(answer.split(" ", 3)[1]);
    }
}
