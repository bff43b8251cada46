package dev.vigil.lakehouse;

import dev.vigil.event.FieldType;
import dev.vigil.event.ScoredSchema;
import java.util.LinkedHashMap;
import java.util.Map;

/** Column types that a policy version declares, as its {@link ScoredSchema} says. */
public record PolicyTypes(Map<String, ColumnType> fields, Map<String, ColumnType> features) {
    public PolicyTypes {
        fields = Map.copyOf(fields);
        features = Map.copyOf(features);
    }

    /** Types of nothing: a policy whose schema never came. */
    public static final PolicyTypes UNDECLARED = new PolicyTypes(Map.of(), Map.of());

    public static PolicyTypes of(ScoredSchema schema) {
        return new PolicyTypes(
                typed(schema.fields(), schema.currencyDigits()), typed(schema.features(), schema.currencyDigits()));
    }

    /** In the schema's order. */
    public static Map<String, ColumnType> typed(Map<String, FieldType> names, int currencyDigits) {
        Map<String, ColumnType> types = new LinkedHashMap<>();
        names.forEach((name, type) -> types.put(name, ColumnType.of(type, currencyDigits)));
        return types;
    }
}
