package dev.vigil.dashboard.avro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vigil.dashboard.intake.EventProblem;
import dev.vigil.dashboard.intake.RegistryUnavailableException;
import dev.vigil.dashboard.intake.UnreadableValueException;
import dev.vigil.event.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.avro.Conversions;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values that Avro's own writer made. */
public final class AvroValuesTest {
    private static final int ID = 0x01020304;

    private final Map<Integer, List<String>> schemas = new HashMap<>();
    private int asked;

    private final AvroValues values = new AvroValues(
            id -> {
                asked++;
                List<String> texts = schemas.get(id);
                if (texts == null) {
                    throw new UnreadableValueException(EventProblem.UNKNOWN_SCHEMA, "schema " + id);
                }
                return texts;
            },
            3,
            10_000);

    /** In the wire format, with the schema's id before what Avro writes. */
    public static byte[] value(int id, GenericRecord record) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(ByteBuffer.allocate(5).put((byte) 0).putInt(id).array());
        try {
            BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
            new GenericDatumWriter<GenericRecord>(record.getSchema()).write(record, encoder);
            encoder.flush();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return out.toByteArray();
    }

    private String json(GenericRecord record) {
        int id = ID + schemas.size();
        schemas.put(id, List.of(record.getSchema().toString()));
        return new String(values.json(value(id, record)), StandardCharsets.UTF_8);
    }

    private static Schema record(String fields) {
        return new Schema.Parser()
                .parse("{\"type\":\"record\",\"name\":\"r\",\"namespace\":\"x.y\",\"fields\":[" + fields + "]}");
    }

    private String raw(String type, Object value) {
        GenericRecord record = new GenericData.Record(record("{\"name\":\"f\",\"type\":" + type + "}"));
        record.put("f", value);
        return json(record);
    }

    private JsonNode field(String type, Object value) throws IOException {
        return Json.mapper().readTree(raw(type, value)).path("f");
    }

    @Test
    void shouldReadEveryTypeThatAWriterWrites() throws IOException {
        assertThat(field("\"string\"", "zürich \u0000 \uD83D\uDE00").asText()).isEqualTo("zürich \u0000 \uD83D\uDE00");
        for (long number : new long[] {0, -1, 63, 64, -65, Long.MAX_VALUE, Long.MIN_VALUE}) {
            assertThat(field("\"long\"", number).longValue()).isEqualTo(number);
        }
        assertThat(field("\"int\"", Integer.MIN_VALUE).intValue()).isEqualTo(Integer.MIN_VALUE);
        assertThat(field("\"double\"", 57.1).toString()).isEqualTo("57.1");
        assertThat(field("\"float\"", 57.1f).toString())
                .as("no digits that the float does not have")
                .isEqualTo("57.1");
        assertThat(field("\"double\"", Double.NaN)).isEqualTo(Json.mapper().readTree("\"NaN\""));
        assertThat(field("\"boolean\"", true).booleanValue()).isTrue();
        assertThat(field("[\"null\",\"string\"]", null).isNull()).isTrue();
        assertThat(field("[\"null\",\"string\"]", "x").asText()).isEqualTo("x");
        Schema symbols = new Schema.Parser().parse("{\"type\":\"enum\",\"name\":\"e\",\"symbols\":[\"A\",\"B\"]}");
        assertThat(field(symbols.toString(), new GenericData.EnumSymbol(symbols, "B"))
                        .asText())
                .isEqualTo("B");
        assertThat(field("{\"type\":\"array\",\"items\":\"int\"}", List.of(1, 2, 3))
                        .toString())
                .isEqualTo("[1,2,3]");
        assertThat(field("{\"type\":\"array\",\"items\":\"int\"}", List.of()).toString())
                .isEqualTo("[]");
        assertThat(field("{\"type\":\"map\",\"values\":\"int\"}", Map.of("a", 1))
                        .toString())
                .isEqualTo("{\"a\":1}");
        assertThat(field("\"bytes\"", ByteBuffer.wrap(new byte[] {1})).isNull()).isTrue();
    }

    /** Field cases A13 to A15. */
    @ParameterizedTest
    @CsvSource({"1234.56", "-1234.56", "0.00", "-0.01", "128.00", "99999999.99", "-99999999.99"})
    void shouldKeepEveryDigitOfADecimal(BigDecimal amount) {
        String type = "{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":10,\"scale\":2}";
        ByteBuffer bytes = new Conversions.DecimalConversion()
                .toBytes(amount, new Schema.Parser().parse(type), LogicalTypes.decimal(10, 2));
        assertThat(raw(type, bytes)).isEqualTo("{\"f\":" + amount + "}");
        String fixed =
                "{\"type\":\"fixed\",\"name\":\"d\",\"size\":16,\"logicalType\":\"decimal\",\"precision\":10,\"scale\":2}";
        Schema schema = new Schema.Parser().parse(fixed);
        assertThat(raw(fixed, new Conversions.DecimalConversion().toFixed(amount, schema, LogicalTypes.decimal(10, 2))))
                .isEqualTo("{\"f\":" + amount + "}");
    }

    @ParameterizedTest
    @CsvSource({
        "long,timestamp-millis,1704067200000,2024-01-01T00:00:00Z",
        "long,timestamp-micros,1704067200000001,2024-01-01T00:00:00.000001Z",
        "long,timestamp-nanos,1704067200000001999,2024-01-01T00:00:00.000001Z",
        "long,timestamp-millis,-1,1969-12-31T23:59:59.999Z",
        "long,local-timestamp-millis,1704067200000,2024-01-01T00:00",
        "int,date,19723,2024-01-01",
        "int,time-millis,86399999,23:59:59.999",
        "long,time-micros,1000001,00:00:01.000001"
    })
    void shouldTakeTheUnitOfATimeFromItsType(String type, String logical, long number, String expected)
            throws IOException {
        Object value = type.equals("int") ? (Object) (int) number : (Object) number;
        assertThat(field("{\"type\":\"" + type + "\",\"logicalType\":\"" + logical + "\"}", value)
                        .asText())
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "timestamp-millis,9223372036854775807",
        "timestamp-millis,1704067200000000",
        "timestamp-micros,9223372036854775807",
        "time-micros,86400000000"
    })
    void shouldRefuseTimesThatCannotBe(String logical, long number) {
        assertThatThrownBy(() -> field("{\"type\":\"long\",\"logicalType\":\"" + logical + "\"}", number))
                .isInstanceOfSatisfying(
                        UnreadableValueException.class,
                        e -> assertThat(e.code()).isEqualTo("time_out_of_range"));
    }

    @Test
    void shouldReadUuidsNestedRecordsAndOptionalAmounts() {
        Schema schema = record("""
            {"name":"id","type":{"type":"string","logicalType":"uuid"}},
            {"name":"payment","type":{"type":"record","name":"p","fields":[
              {"name":"amount","type":["null",{"type":"bytes","logicalType":"decimal","precision":8,"scale":2}]},
              {"name":"at","type":["null",{"type":"long","logicalType":"timestamp-millis"}]}]}}""");
        GenericRecord payment =
                new GenericData.Record(schema.getField("payment").schema());
        payment.put("amount", ByteBuffer.wrap(new byte[] {4, (byte) 0xd2}));
        payment.put("at", 1L);
        GenericRecord record = new GenericData.Record(schema);
        record.put("id", "0b7e6cd4-6f5a-4f0e-9f3c-3f1f8a8f1c11");
        record.put("payment", payment);
        assertThat(json(record))
                .isEqualTo("{\"id\":\"0b7e6cd4-6f5a-4f0e-9f3c-3f1f8a8f1c11\",\"payment\":{\"amount\":12.34,"
                        + "\"at\":\"1970-01-01T00:00:00.001Z\"}}");
    }

    @Test
    void shouldReadASchemaThatRefersToOthers() throws IOException {
        String inner = "{\"type\":\"record\",\"name\":\"inner\",\"namespace\":\"x\",\"fields\":"
                + "[{\"name\":\"n\",\"type\":\"int\"}]}";
        String outer = "{\"type\":\"record\",\"name\":\"outer\",\"namespace\":\"x\",\"fields\":"
                + "[{\"name\":\"i\",\"type\":\"x.inner\"}]}";
        schemas.put(ID, List.of(inner, outer));
        assertThat(Json.mapper()
                        .readTree(values.json(new byte[] {0, 1, 2, 3, 4, 14}))
                        .toString())
                .isEqualTo("{\"i\":{\"n\":7}}");
    }

    @Test
    void shouldAskForASchemaOnceAndForAnUnknownOneNotForEveryValue() throws IOException {
        for (int i = 0; i < 5; i++) {
            byte[] unknown = {0, 0, 0, 0, 9, 1};
            assertThatThrownBy(() -> values.json(unknown)).isInstanceOf(UnreadableValueException.class);
        }
        assertThat(asked).isEqualTo(1);
        field("\"int\"", 1);
        values.json(new byte[] {0, 1, 2, 3, 4, 2});
        assertThat(asked).isEqualTo(2);
        for (int id = 20; id < 25; id++) {
            byte[] unknown = {0, 0, 0, 0, (byte) id, 1};
            assertThatThrownBy(() -> values.json(unknown)).isInstanceOf(UnreadableValueException.class);
        }
        values.json(new byte[] {0, 1, 2, 3, 4, 2});
        assertThat(asked).as("of so many only the last three are kept").isEqualTo(8);
    }

    @Test
    void shouldNotTakeAnAbsentRegistryForAnUnknownSchema() {
        AvroValues away = new AvroValues(
                id -> {
                    throw new RegistryUnavailableException("away");
                },
                3,
                100);
        assertThatThrownBy(() -> away.json(new byte[] {0, 0, 0, 0, 1, 1}))
                .isInstanceOf(RegistryUnavailableException.class);
    }

    @Test
    void shouldRefuseSchemasThatAreNoneOrOfNoRecord() {
        schemas.put(ID, List.of("\"string\""));
        assertThatThrownBy(() -> values.json(new byte[] {0, 1, 2, 3, 4, 2, 'a'}))
                .hasMessage("schema 16909060 is not of a record");
        schemas.put(1, List.of("{\"type\":"));
        assertThatThrownBy(() -> values.json(new byte[] {0, 0, 0, 0, 1, 2}))
                .hasMessage("schema 1 is not one that Avro can read");
    }

    /** Field case B01: whatever the bytes, an answer, and soon. */
    @Test
    void shouldRefuseBytesThatAreNotAsTheSchemaSaysWhateverTheyClaim() {
        Schema schema = record("""
            {"name":"s","type":"string"},{"name":"u","type":["null","long"]},
            {"name":"a","type":{"type":"array","items":"null"}},{"name":"m","type":{"type":"map","values":"bytes"}},
            {"name":"next","type":["null","x.y.r"]}""");
        schemas.put(ID, List.of(schema.toString()));
        GenericRecord deepest = null;
        for (int i = 0; i < 200; i++) {
            GenericRecord record = new GenericData.Record(schema);
            record.put("s", "");
            record.put("a", List.of());
            record.put("m", Map.of());
            record.put("next", deepest);
            deepest = record;
        }
        byte[] deep = value(ID, deepest);
        assertThatThrownBy(() -> values.json(deep)).hasMessageContaining("within each other");
        byte[] header = Arrays.copyOf(deep, 5);
        List<byte[]> claims = new ArrayList<>();
        claims.add(concat(header, new byte[] {-2, -1, -1, -1, 15, 'a'}));
        claims.add(concat(header, new byte[] {0, 0, -2, -1, -1, -1, -1, -1, -1, -1, -1, 1}));
        claims.add(concat(header, new byte[] {0, 0, 1, 1}));
        claims.add(concat(header, new byte[] {0, 4}));
        claims.add(concat(header, new byte[] {2, (byte) 0xff, 0, 0, 0, 0}));
        claims.add(concat(header, new byte[] {0, 0, 0, 0, 0, 0}));
        claims.add(header);
        for (byte[] claim : claims) {
            assertThatThrownBy(() -> values.json(claim)).isInstanceOf(UnreadableValueException.class);
        }
        Random random = new Random(11);
        for (int i = 0; i < 20_000; i++) {
            byte[] noise = new byte[random.nextInt(40)];
            random.nextBytes(noise);
            try {
                assertThat(values.json(concat(header, noise))).isNotEmpty();
            } catch (UnreadableValueException e) {
                assertThat(e.code()).isIn(EventProblem.MALFORMED, EventProblem.TOO_LARGE);
            }
        }
    }

    private static byte[] concat(byte[] first, byte[] second) {
        byte[] all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }
}
