package dev.vigil.launcher;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.filter.ThresholdFilter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.util.FileSize;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where log lines go: a server's to standard output, a command's to a file or nowhere, complaints to standard error. */
final class Logging {
    private static final String PATTERN =
            "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX, UTC} %-5level [%thread] %logger{24} %msg%n%rEx{6}";
    private static final String SHORT_PATTERN = "%-5level %logger{0}: %msg%n%nopex";

    private Logging() {}

    /** Everything from INFO on to standard output. */
    static void server() {
        LoggerContext context = reset();
        add(context, console(context, "System.out", PATTERN, Level.INFO));
    }

    /** Errors, one line each, to standard error. */
    static void quiet() {
        LoggerContext context = reset();
        add(context, console(context, "System.err", SHORT_PATTERN, Level.ERROR));
    }

    /** Everything from INFO on to a file, renewed at 20 MB; nothing to the terminal, which belongs to the command. */
    static void toFile(Path file) {
        LoggerContext context = reset();
        RollingFileAppender<ILoggingEvent> appender = new RollingFileAppender<>();
        appender.setFile(file.toString());
        FixedWindowRollingPolicy rolling = new FixedWindowRollingPolicy();
        rolling.setContext(context);
        rolling.setParent(appender);
        rolling.setFileNamePattern(file + ".%i");
        rolling.setMinIndex(1);
        rolling.setMaxIndex(3);
        rolling.start();
        SizeBasedTriggeringPolicy<ILoggingEvent> size = new SizeBasedTriggeringPolicy<>();
        size.setContext(context);
        size.setMaxFileSize(FileSize.valueOf("20MB"));
        size.start();
        appender.setRollingPolicy(rolling);
        appender.setTriggeringPolicy(size);
        add(context, encoded(context, appender, PATTERN));
    }

    private static LoggerContext reset() {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.WARN);
        context.getLogger("dev.vigil").setLevel(Level.INFO);
        context.getLogger("io.debezium").setLevel(Level.WARN);
        // It warns of a slot that is not there yet, at each first start; our own checks tell what is wrong with one.
        context.getLogger("io.debezium.connector.postgresql.PostgresConnectorTask")
                .setLevel(Level.ERROR);
        // Under load it drops measurements for figures of Debezium's own, which nobody here reads.
        context.getLogger("io.debezium.metrics.stats.MeasurementCollector").setLevel(Level.ERROR);
        return context;
    }

    private static void add(LoggerContext context, OutputStreamAppender<ILoggingEvent> appender) {
        appender.start();
        context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(appender);
    }

    private static OutputStreamAppender<ILoggingEvent> console(
            LoggerContext context, String target, String pattern, Level level) {
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setTarget(target);
        ThresholdFilter filter = new ThresholdFilter();
        filter.setLevel(level.levelStr);
        filter.start();
        appender.addFilter(filter);
        return encoded(context, appender, pattern);
    }

    private static OutputStreamAppender<ILoggingEvent> encoded(
            LoggerContext context, OutputStreamAppender<ILoggingEvent> appender, String pattern) {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern(pattern);
        encoder.start();
        appender.setContext(context);
        appender.setEncoder(encoder);
        return appender;
    }
}
