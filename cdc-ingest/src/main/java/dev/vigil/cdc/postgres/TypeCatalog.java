package dev.vigil.cdc.postgres;

import dev.vigil.cdc.ColumnKind;
import dev.vigil.event.FieldType;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The database's types; a domain is taken for what it is made of. */
final class TypeCatalog {

    private static final String TYPES = "SELECT oid, typname, typtype, typbasetype FROM pg_type";

    private record Type(String name, String kind, long base) {}

    private final Map<Long, Type> typeByOid = new HashMap<>();

    private TypeCatalog() {}

    static TypeCatalog read(Connection connection) throws SQLException {
        TypeCatalog catalog = new TypeCatalog();
        try (Statement statement = connection.createStatement();
                ResultSet types = statement.executeQuery(TYPES)) {
            while (types.next()) {
                catalog.typeByOid.put(
                        types.getLong(1), new Type(types.getString(2), types.getString(3), types.getLong(4)));
            }
        }
        return catalog;
    }

    /** Empty for what no event's field can hold. */
    Optional<ColumnKind> kind(long oid) {
        Type type = base(oid);
        if (type == null) {
            return Optional.empty();
        }
        return type.kind().equals("e") ? Optional.of(ColumnKind.TEXT) : ofBaseType(type.name());
    }

    private static Optional<ColumnKind> ofBaseType(String name) {
        return Optional.ofNullable(
                switch (name) {
                    case "int2", "int4", "int8" -> ColumnKind.WHOLE;
                    case "numeric", "money" -> ColumnKind.DECIMAL;
                    case "float4", "float8" -> ColumnKind.FLOATING;
                    case "bool" -> ColumnKind.BOOLEAN;
                    case "date" -> ColumnKind.DATE;
                    case "timestamp", "timestamptz" -> ColumnKind.TIMESTAMP;
                    case "text",
                            "varchar",
                            "bpchar",
                            "citext",
                            "uuid",
                            "inet",
                            "cidr",
                            "macaddr",
                            "macaddr8",
                            "json",
                            "jsonb",
                            "xml",
                            "hstore",
                            "bytea",
                            "time",
                            "interval" -> ColumnKind.TEXT;
                    default -> null;
                });
    }

    /** The types of PostgreSQL whose values can become a field of that type. */
    static String kindsFor(FieldType type) {
        return switch (type) {
            case STRING -> "any scalar type";
            case LONG -> "smallint, integer, bigint or numeric without a fraction";
            case DOUBLE -> "a number";
            case BOOL -> "boolean";
            case TIMESTAMP -> "date, timestamp or timestamptz";
            case MONEY -> "numeric, money or an integer";
        };
    }

    private @Nullable Type base(long oid) {
        Type type = typeByOid.get(oid);
        while (type != null && type.kind().equals("d")) {
            type = typeByOid.get(type.base());
        }
        return type;
    }

    /** Names in upper case of domains whose values are decimals, wherever they are defined. */
    Set<String> numericDomains() {
        Set<String> numeric = new HashSet<>();
        Set<String> other = new HashSet<>();
        typeByOid.forEach((oid, type) -> {
            if (type.kind().equals("d")) {
                boolean isDecimal =
                        kind(oid).filter(kind -> kind == ColumnKind.DECIMAL).isPresent();
                (isDecimal ? numeric : other).add(type.name().toUpperCase(Locale.ROOT));
            }
        });
        numeric.removeAll(other);
        return numeric;
    }
}
