# One image for every service; the command says which it runs. Lay out the distribution first:
#   ./mvnw -B -DskipTests -pl launcher -am package
# Debian or Ubuntu, not Alpine: RocksDB, DuckDB and SQLite bring native code that is built against glibc.
FROM eclipse-temurin:17-jre

RUN groupadd --system --gid 10001 vigil \
    && useradd --system --uid 10001 --gid vigil --home-dir /var/lib/vigil --shell /usr/sbin/nologin vigil \
    && install --directory --owner=vigil --group=vigil /var/lib/vigil /var/lib/vigil-history /etc/vigil \
       /opt/vigil/archive

COPY vigil deploy/healthcheck deploy/class-archive /opt/vigil/
COPY launcher/target/vigil/lib /opt/vigil/lib

USER vigil
RUN ["/opt/vigil/class-archive", "/opt/vigil/lib", "/opt/vigil/archive/classes.jsa"]
WORKDIR /var/lib/vigil
EXPOSE 8080 8081

HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=6 CMD ["/opt/vigil/healthcheck", "8081"]
ENTRYPOINT ["/opt/vigil/vigil"]
CMD ["--help"]
