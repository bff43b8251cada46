package dev.vigil.benchmarks;

import java.io.BufferedInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Receivers of webhooks that know nothing of Vigil, in a process of their own: sockets that note when the first byte of each message
 * was there. Arguments: how many, the file for what was noted. Prints their ports. A line {@code hole N} on standard input
 * makes the N-th accept and never answer from then on, {@code end} writes the file and ends.
 *
 * <p>The file has, for each message, the receiver's number (4 bytes), the number in the event's id (8) and the time of the first
 * byte in µs since the epoch (8).
 */
final class ReceiverMain {
    private static final byte[] ACCEPTED = "HTTP/1.1 204 No Content\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final String LENGTH = "content-length:";
    private static final String EVENT_ID = "\"event_id\":\"t-";
    private static final int HEAD_MAX = 16 << 10;

    private final DataOutputStream noted;
    private final ExecutorService threads;
    private volatile int hole = -1;

    private ReceiverMain(DataOutputStream noted) {
        this.noted = noted;
        AtomicInteger number = new AtomicInteger();
        this.threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "receiver-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }

    public static void main(String[] args) throws IOException {
        try (DataOutputStream file = new DataOutputStream(
                new java.io.BufferedOutputStream(Files.newOutputStream(Path.of(args[1])), 1 << 16))) {
            ReceiverMain receivers = new ReceiverMain(file);
            StringBuilder ports = new StringBuilder();
            for (int i = 0; i < Integer.parseInt(args[0]); i++) {
                ServerSocket server = new ServerSocket(0, 512, InetAddress.getLoopbackAddress());
                ports.append(server.getLocalPort()).append(' ');
                int index = i;
                receivers.threads.execute(() -> receivers.accept(server, index));
            }
            System.out.println(ports.toString().strip());
            var lines = new java.util.Scanner(System.in, StandardCharsets.UTF_8);
            while (lines.hasNextLine()) {
                String line = lines.nextLine();
                if (line.startsWith("hole ")) {
                    receivers.hole = Integer.parseInt(line.substring(5));
                } else if (line.equals("end")) {
                    break;
                }
            }
            synchronized (file) {
                file.flush();
            }
        }
        System.exit(0);
    }

    private void accept(ServerSocket server, int index) {
        try {
            while (true) {
                Socket socket = server.accept();
                socket.setTcpNoDelay(true);
                threads.execute(() -> serve(socket, index));
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private void serve(Socket socket, int index) {
        try (socket;
                InputStream in = new BufferedInputStream(socket.getInputStream(), 1 << 14);
                OutputStream out = socket.getOutputStream()) {
            byte[] head = new byte[HEAD_MAX];
            while (true) {
                int first = in.read();
                if (first < 0) {
                    return;
                }
                long atUs = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
                byte[] body = in.readNBytes(bodyLength(in, head, first));
                if (index == hole) {
                    Thread.sleep(Long.MAX_VALUE);
                }
                out.write(ACCEPTED);
                note(index, body, atUs);
            }
        } catch (IOException e) {
            // The sender closed the connection; it opens another.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static int bodyLength(InputStream in, byte[] head, int first) throws IOException {
        int length = 0;
        head[length++] = (byte) first;
        while (length < 4
                || head[length - 1] != '\n'
                || head[length - 2] != '\r'
                || head[length - 3] != '\n'
                || head[length - 4] != '\r') {
            head[length++] = (byte) in.read();
        }
        String text = new String(head, 0, length, StandardCharsets.US_ASCII).toLowerCase(java.util.Locale.ROOT);
        int at = text.indexOf(LENGTH) + LENGTH.length();
        return Integer.parseInt(text.substring(at, text.indexOf('\r', at)).strip());
    }

    private void note(int index, byte[] body, long atUs) throws IOException {
        String text = new String(body, StandardCharsets.UTF_8);
        int at = text.indexOf(EVENT_ID) + EVENT_ID.length();
        long event = Long.parseLong(text.substring(at, text.indexOf('"', at)));
        synchronized (noted) {
            noted.writeInt(index);
            noted.writeLong(event);
            noted.writeLong(atUs);
        }
    }
}
