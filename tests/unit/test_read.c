/* SPDX-License-Identifier: MIT */
/* The reader on files that are cut off, damaged, hostile, or something else altogether. */
#include "capture/frames.h"
#include "sink/packet.h"
#include "unit/captured.h"

#include "passtime_trace.pb.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void write_capture(struct captured *m, uint64_t frames)
{
    passtime_capture *c = NULL;
    struct made_frame made;
    m->limit = SIZE_MAX;
    assert_int_equal(captured_open(m, NULL, &c), PASSTIME_OK);
    for (uint64_t i = 0; i < frames; i++) {
        made_rich(&made, i);
        assert_int_equal(passtime_capture_frame(c, &made.frame), PASSTIME_OK);
    }
    assert_int_equal(passtime_capture_close(&c), PASSTIME_OK);
}

static void set_bytes(struct captured *m, const void *bytes, size_t size)
{
    free(m->bytes);
    m->bytes = malloc(size + 1);
    assert_non_null(m->bytes);
    memcpy(m->bytes, bytes, size);
    m->size = size;
}

/* Whatever is in it, the reader says OK with a context, or what is wrong. */
static void read_anything(struct captured *m, size_t size)
{
    const passtime_result result = captured_read(m, size);
    if (result == PASSTIME_OK) {
        assert_true(m->data.context_count > 0);
        return;
    }
    assert_int_equal(result, PASSTIME_INVALID);
    assert_true(strlen(m->error) > 20);
    assert_int_equal(m->data.context_count, 0);
}

static void a_file_cut_off_anywhere_gives_what_is_whole(void **state)
{
    (void)state;
    struct captured m = {.limit = 0};
    struct made_frame made;
    uint32_t before = 0;
    write_capture(&m, 5);
    const size_t whole = m.size;
    for (size_t size = 0; size <= whole; size++) {
        read_anything(&m, size);
        assert_true(m.frame_count >= before && m.frame_count <= before + 1);
        before = m.frame_count;
        if (m.data.whole_bytes < m.data.bytes)
            assert_non_null(strstr(m.data.note, "cut off"));
        for (uint32_t i = 0; i < m.frame_count && size % 97 == 0; i++) {
            made_rich(&made, i);
            assert_same_frame(&made.frame, m.frames[i]);
        }
    }
    assert_int_equal(before, 5);
    assert_string_equal(m.data.note, "");
    captured_finish(&m);
}

static void damaged_bytes_do_no_harm(void **state)
{
    (void)state;
    struct captured m = {.limit = 0};
    uint64_t seed = 99;
    write_capture(&m, 6);
    uint8_t *good = malloc(m.size);
    assert_non_null(good);
    memcpy(good, m.bytes, m.size);
    for (int round = 0; round < 1500; round++) {
        memcpy(m.bytes, good, m.size);
        for (int i = 0; i < 1 + round % 5; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            m.bytes[(seed >> 33) % m.size] = (uint8_t)(seed >> 25);
        }
        read_anything(&m, m.size);
    }
    free(good);
    captured_finish(&m);
}

static void other_files_are_named_for_what_they_are(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t size;
        const char *said;
    } files[] = {{"", 0, "is empty"},
                 {"{\"traceEvents\":[]}", 18, "is JSON"},
                 {"[{\"ph\":\"X\"}]", 12, "is JSON"},
                 {"\x1f\x8b\x08", 3, "compressed"},
                 {"\x89PNG\r\n\x1a\n", 8, "not a Perfetto trace"},
                 {"\x0a\xff\xff\xff\xff\x0f", 6, "cut off"},
                 {"\x0a\x04\x40\x01\x50\x01", 6, "nothing in it is Passtime's"}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        struct captured m = {.limit = 0};
        set_bytes(&m, files[i].bytes, files[i].size);
        assert_int_equal(captured_read(&m, m.size), PASSTIME_INVALID);
        assert_non_null(strstr(m.error, files[i].said));
        captured_finish(&m);
    }
}

static void files_that_cannot_be_read_are_said(void **state)
{
    (void)state;
    struct passtime_capture_data data;
    char error[PASSTIME_CAPTURE_TEXT_BYTES];
    assert_int_equal(passtime_capture_read("no/such/file", NULL, &data, error, sizeof error),
                     PASSTIME_IO);
    assert_non_null(strstr(error, "could not be opened"));
    assert_int_equal(passtime_capture_read(NULL, NULL, &data, error, sizeof error), PASSTIME_IO);
    const passtime_result folder = passtime_capture_read(".", NULL, &data, error, sizeof error);
    assert_true(folder == PASSTIME_IO);
    passtime_capture_data_finish(&data);
}

static void a_file_reads_as_its_bytes_do(void **state)
{
    (void)state;
    struct captured m = {.limit = 0};
    struct passtime_capture_data data;
    char error[PASSTIME_CAPTURE_TEXT_BYTES] = "";
    write_capture(&m, 40);
    FILE *file = fopen("test_read.perfetto-trace", "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(m.bytes, 1, m.size, file), m.size);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(captured_read(&m, m.size), PASSTIME_OK);
    assert_int_equal(
        passtime_capture_read("test_read.perfetto-trace", NULL, &data, error, sizeof error),
        PASSTIME_OK);
    assert_int_equal(data.bytes, m.size);
    assert_int_equal(data.whole_bytes, m.size);
    assert_int_equal(data.contexts[0].frame_count, 40);
    assert_int_equal(data.contexts[0].snapshot.series_count,
                     m.data.contexts[0].snapshot.series_count);
    passtime_capture_data_finish(&data);
    assert_int_equal(remove("test_read.perfetto-trace"), 0);
    captured_finish(&m);
}

static void two_captures_in_one_file_are_two_contexts(void **state)
{
    (void)state;
    struct captured a = {.limit = 0};
    struct captured b = {.limit = 0};
    write_capture(&a, 3);
    write_capture(&b, 4);
    uint8_t *both = malloc(a.size + b.size);
    assert_non_null(both);
    memcpy(both, a.bytes, a.size);
    memcpy(both + a.size, b.bytes, b.size);
    set_bytes(&a, both, a.size + b.size);
    assert_int_equal(captured_read(&a, a.size), PASSTIME_OK);
    assert_int_equal(a.data.context_count, 2);
    assert_int_equal(a.data.contexts[0].frame_count, 3);
    assert_int_equal(a.data.contexts[1].frame_count, 4);
    free(both);
    captured_finish(&a);
    captured_finish(&b);
}

/* A packet made by hand behind a capture of nothing. */
struct crafted {
    struct captured m;
    struct passtime_packet packet;
    uint8_t bytes[4096];
};

static void craft_begin(struct crafted *crafted)
{
    memset(&crafted->m, 0, sizeof crafted->m);
    write_capture(&crafted->m, 1);
    passtime_packet_begin(&crafted->packet, crafted->bytes, sizeof crafted->bytes);
}

static void craft_end(struct crafted *crafted)
{
    const size_t more = passtime_packet_end(&crafted->packet);
    assert_true(more > 0);
    crafted->m.bytes = realloc(crafted->m.bytes, crafted->m.size + more);
    assert_non_null(crafted->m.bytes);
    memcpy(crafted->m.bytes + crafted->m.size, crafted->bytes, more);
    crafted->m.size += more;
}

static void unknown_fields_and_packets_are_skipped(void **state)
{
    (void)state;
    static struct crafted crafted;
    craft_begin(&crafted);
    passtime_packet_u64(&crafted.packet, 999, 12345);
    passtime_packet_double(&crafted.packet, 998, 0.5);
    passtime_packet_text(&crafted.packet, 997, "what is this", 12);
    passtime_packet_open(&crafted.packet, passtime_TracePacket_track_event_tag);
    passtime_packet_text(&crafted.packet, 996, "and this", 8);
    passtime_packet_close(&crafted.packet);
    craft_end(&crafted);
    assert_int_equal(captured_read(&crafted.m, crafted.m.size), PASSTIME_OK);
    assert_int_equal(crafted.m.frame_count, 1);
    assert_string_equal(crafted.m.data.note, "");
    captured_finish(&crafted.m);
}

/* Tracks that are their own parents, or each other's: no chain of parents is followed. */
static void tracks_that_are_their_own_parents_are_no_matter(void **state)
{
    (void)state;
    static struct crafted crafted;
    craft_begin(&crafted);
    passtime_packet_open(&crafted.packet, passtime_TracePacket_track_descriptor_tag);
    passtime_packet_u64(&crafted.packet, passtime_TrackDescriptor_uuid_tag, 5);
    passtime_packet_u64(&crafted.packet, passtime_TrackDescriptor_parent_uuid_tag, 5);
    passtime_packet_close(&crafted.packet);
    craft_end(&crafted);
    assert_int_equal(captured_read(&crafted.m, crafted.m.size), PASSTIME_OK);
    captured_finish(&crafted.m);
}

/* Finds the first bytes `what` in a capture, to damage what follows. */
static uint8_t *find(struct captured *m, const char *what)
{
    const size_t length = strlen(what);
    for (size_t i = 0; i + length <= m->size; i++)
        if (memcmp(m->bytes + i, what, length) == 0)
            return m->bytes + i;
    return NULL;
}

/* A verdict of a later version: the frame is not used, since nobody here knows what it means. */
static void words_that_are_not_known_spoil_their_frame_only(void **state)
{
    (void)state;
    struct captured m = {.limit = 0};
    write_capture(&m, 10);
    for (uint8_t *at = find(&m, "stale"); at != NULL; at = find(&m, "stale"))
        memcpy(at, "novel", 5);
    assert_int_equal(captured_read(&m, m.size), PASSTIME_OK);
    assert_int_equal(m.frame_count, 9);
    assert_int_equal(m.data.contexts[0].frames_broken, 1);
    assert_non_null(strstr(m.data.note, "not whole"));
    captured_finish(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_cut_off_anywhere_gives_what_is_whole),
        cmocka_unit_test(damaged_bytes_do_no_harm),
        cmocka_unit_test(other_files_are_named_for_what_they_are),
        cmocka_unit_test(files_that_cannot_be_read_are_said),
        cmocka_unit_test(a_file_reads_as_its_bytes_do),
        cmocka_unit_test(two_captures_in_one_file_are_two_contexts),
        cmocka_unit_test(unknown_fields_and_packets_are_skipped),
        cmocka_unit_test(tracks_that_are_their_own_parents_are_no_matter),
        cmocka_unit_test(words_that_are_not_known_spoil_their_frame_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
