/* SPDX-License-Identifier: MIT */
/* The writer of packets, read back by nanopb's decoder. */
#include "sink/packet.h"

#include "sink/text.h"

#include <pb_decode.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PACKET = 1, BYTES_MAX = 70000 };

/* Enters the message of a field; the key must be `tag`'s. */
static pb_istream_t enter(pb_istream_t *in, uint32_t tag)
{
    pb_istream_t inner;
    uint32_t found = 0;
    pb_wire_type_t wire = PB_WT_VARINT;
    bool end = false;
    assert_true(pb_decode_tag(in, &wire, &found, &end));
    assert_int_equal(found, tag);
    assert_int_equal(wire, PB_WT_STRING);
    assert_true(pb_make_string_substream(in, &inner));
    return inner;
}

static uint64_t varint_of(pb_istream_t *in, uint32_t tag)
{
    uint32_t found = 0;
    pb_wire_type_t wire = PB_WT_STRING;
    bool end = false;
    uint64_t value = 0;
    assert_true(pb_decode_tag(in, &wire, &found, &end));
    assert_int_equal(found, tag);
    assert_int_equal(wire, PB_WT_VARINT);
    assert_true(pb_decode_varint(in, &value));
    return value;
}

static void numbers_come_back(void **state)
{
    static const uint64_t values[] = {0,          1,         127,        128,
                                      16383,      16384,     UINT32_MAX, 1ull << 35,
                                      1ull << 62, INT64_MAX, 1ull << 63, UINT64_MAX};
    static const uint32_t tags[] = {1, 15, 16, 2047, 2048, 536870911};
    uint8_t bytes[4096];
    struct passtime_packet p;
    (void)state;
    passtime_packet_begin(&p, bytes, sizeof bytes);
    for (size_t t = 0; t < sizeof tags / sizeof tags[0]; t++)
        for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
            passtime_packet_u64(&p, tags[t], values[i]);
    passtime_packet_i64(&p, 3, -1);
    passtime_packet_double(&p, 4, -0.1);
    const size_t size = passtime_packet_end(&p);
    assert_true(size > 0);
    pb_istream_t in = pb_istream_from_buffer(bytes, size);
    pb_istream_t packet = enter(&in, PACKET);
    for (size_t t = 0; t < sizeof tags / sizeof tags[0]; t++)
        for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
            assert_true(varint_of(&packet, tags[t]) == values[i]);
    assert_true((int64_t)varint_of(&packet, 3) == -1);
    uint32_t tag = 0;
    pb_wire_type_t wire = PB_WT_VARINT;
    bool end = false;
    double real = 0;
    assert_true(pb_decode_tag(&packet, &wire, &tag, &end));
    assert_int_equal(wire, PB_WT_64BIT);
    assert_true(pb_decode_fixed64(&packet, &real));
    assert_true(real == -0.1);
    assert_int_equal(packet.bytes_left, 0);
    assert_true(pb_close_string_substream(&in, &packet));
    assert_int_equal(in.bytes_left, 0);
}

/* A message's length takes one byte more from 128, 16,384 … on, and what is in it then moves. */
static void messages_of_any_length(void **state)
{
    static const size_t lengths[] = {0,   1,   120,   125,   126,   127,
                                     128, 129, 16379, 16384, 16387, 65000};
    static uint8_t bytes[BYTES_MAX];
    static char text[BYTES_MAX];
    (void)state;
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)('a' + i % 26);
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        struct passtime_packet p;
        passtime_packet_begin(&p, bytes, sizeof bytes);
        passtime_packet_open(&p, 59);
        passtime_packet_open(&p, 4);
        passtime_packet_text(&p, 6, text, lengths[i]);
        passtime_packet_close(&p);
        passtime_packet_close(&p);
        passtime_packet_u64(&p, 7, 42);
        const size_t size = passtime_packet_end(&p);
        assert_true(size > lengths[i]);
        pb_istream_t in = pb_istream_from_buffer(bytes, size);
        pb_istream_t packet = enter(&in, PACKET);
        pb_istream_t outer = enter(&packet, 59);
        pb_istream_t inner = enter(&outer, 4);
        pb_istream_t read = enter(&inner, 6);
        assert_int_equal(read.bytes_left, lengths[i]);
        char *back = malloc(lengths[i] + 1);
        assert_non_null(back);
        assert_true(pb_read(&read, (pb_byte_t *)back, lengths[i]));
        assert_memory_equal(back, text, lengths[i]);
        free(back);
        assert_true(pb_close_string_substream(&inner, &read));
        assert_true(pb_close_string_substream(&outer, &inner));
        assert_true(pb_close_string_substream(&packet, &outer));
        assert_int_equal(varint_of(&packet, 7), 42);
        assert_int_equal(packet.bytes_left, 0);
    }
}

/* Writes a packet into exactly `size` bytes of the heap, which the sanitizer watches. */
static size_t write_into(size_t size)
{
    struct passtime_packet p;
    char text[140];
    uint8_t *bytes = malloc(size > 0 ? size : 1);
    assert_non_null(bytes);
    memset(text, 'x', sizeof text);
    passtime_packet_begin(&p, bytes, size);
    passtime_packet_open(&p, 60);
    passtime_packet_text(&p, 2, text, sizeof text);
    passtime_packet_double(&p, 3, 1.5);
    passtime_packet_u64(&p, 1, UINT64_MAX);
    passtime_packet_close(&p);
    const size_t written = passtime_packet_end(&p);
    free(bytes);
    return written;
}

static void what_does_not_fit_is_no_packet(void **state)
{
    (void)state;
    const size_t whole = write_into(4096);
    assert_true(whole > 140);
    assert_int_equal(write_into(whole), whole);
    for (size_t size = 0; size < whole; size++)
        assert_int_equal(write_into(size), 0);
}

static void too_deep_or_uneven_is_no_packet(void **state)
{
    uint8_t bytes[256];
    struct passtime_packet p;
    (void)state;
    passtime_packet_begin(&p, bytes, sizeof bytes);
    for (int i = 0; i < PASSTIME_PACKET_DEPTH; i++)
        passtime_packet_open(&p, 2);
    assert_true(p.failed);
    passtime_packet_begin(&p, bytes, sizeof bytes);
    passtime_packet_open(&p, 2);
    assert_int_equal(passtime_packet_end(&p), 0);
    passtime_packet_begin(&p, bytes, sizeof bytes);
    passtime_packet_close(&p);
    passtime_packet_close(&p);
    assert_true(p.failed);
}

static void texts_are_cut(void **state)
{
    char out[12];
    (void)state;
    size_t used = passtime_text_add(out, sizeof out, 0, "frame ");
    used = passtime_text_add_u64(out, sizeof out, used, 0);
    assert_string_equal(out, "frame 0");
    used = passtime_text_add_u64(out, sizeof out, used, UINT64_MAX);
    assert_string_equal(out, "frame 01844");
    assert_int_equal(used, 11);
    assert_int_equal(passtime_text_add(out, sizeof out, used, "more"), 11);
    char whole[24];
    assert_int_equal(passtime_text_add_u64(whole, sizeof whole, 0, UINT64_MAX), 20);
    assert_string_equal(whole, "18446744073709551615");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_come_back),
        cmocka_unit_test(messages_of_any_length),
        cmocka_unit_test(what_does_not_fit_is_no_packet),
        cmocka_unit_test(too_deep_or_uneven_is_no_packet),
        cmocka_unit_test(texts_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
