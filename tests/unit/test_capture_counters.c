/* SPDX-License-Identifier: MIT */
/* Shader counters in captures: on the passes for those who look, in the summary for reports, and in
 * the way of nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "fake/wgpu_counted.h"

#include <cmocka.h>
#include <passtime/sink.h>

#include "read/capture_read.h"

enum { FRAMES = 12, ROOM = 1 << 20 };

struct file {
    size_t bytes;
    uint8_t data[ROOM];
};

static bool write_bytes(void *user, const void *data, size_t bytes)
{
    struct file *file = user;
    if (bytes > ROOM - file->bytes)
        return false;
    memcpy(file->data + file->bytes, data, bytes);
    file->bytes += bytes;
    return true;
}

static uint32_t count_text(const struct file *file, const char *text)
{
    uint32_t count = 0;
    const size_t length = strlen(text);
    for (size_t at = 0; at + length <= file->bytes; at++)
        count += memcmp(file->data + at, text, length) == 0;
    return count;
}

/* Frames of a pass that counts, one that counts nothing and one that takes no counters. */
static void write_capture(struct counted *c, bool on_passes, bool summary, struct file *file)
{
    passtime_capture *capture = NULL;
    const passtime_writer writer = {write_bytes, file};
    file->bytes = 0;
    assert_int_equal(passtime_capture_open_writer(&writer, NULL, &capture), PASSTIME_OK);
    if (on_passes)
        assert_int_equal(passtime_capture_counters(capture, c->rig.t), PASSTIME_OK);
    for (uint32_t i = 0; i < FRAMES; i++) {
        passtime_recorder *rec = passtime_frame_begin(c->rig.t, c->rig.number);
        WGPUCommandEncoder encoder = fake_app_encoder(c->rig.fake);
        counted_pass(c, rec, encoder, "counts", 1000 + i);
        counted_pass(c, rec, encoder, "nothing", 0);
        wgpu_rig_pass(rec, encoder, "plain", 50);
        fake_app_submit(c->rig.fake, encoder);
        passtime_submitted(rec);
        passtime_frame_end(c->rig.t, c->rig.number++);
        assert_int_equal(passtime_capture_frame(capture, counted_next(c)), PASSTIME_OK);
    }
    if (summary)
        assert_int_equal(passtime_capture_summary(capture, c->rig.t), PASSTIME_OK);
    assert_int_equal(passtime_capture_close(&capture), PASSTIME_OK);
}

static void read_capture(const struct file *file, struct passtime_capture_data *read)
{
    char error[PASSTIME_CAPTURE_TEXT_BYTES] = "";
    assert_int_equal(
        passtime_capture_read_memory(file->data, file->bytes, NULL, read, error, sizeof error),
        PASSTIME_OK);
    assert_int_equal(read->context_count, 1);
    assert_int_equal(read->contexts[0].frame_count, FRAMES);
    assert_int_equal(read->contexts[0].snapshot.series_count, 3);
}

static void the_summary_brings_them_back(void **state)
{
    struct counted c;
    struct passtime_capture_data read;
    (void)state;
    struct file *file = malloc(sizeof *file);
    counted_setup(&c);
    counted_open(&c);
    write_capture(&c, false, true, file);
    read_capture(file, &read);
    const struct passtime_snapshot *snapshot = &read.contexts[0].snapshot;
    assert_int_equal(snapshot->counter_count, COUNTERS);
    for (uint32_t s = 0; s < snapshot->series_count; s++) {
        for (uint32_t i = 0; i < COUNTERS; i++) {
            const passtime_counter_stats *stats = &snapshot->counts[s * COUNTERS + i];
            passtime_counter_stats live;
            const bool plain = strcmp(snapshot->series[s].name, "plain") == 0;
            assert_int_equal(stats->size != 0, !plain);
            if (plain)
                continue;
            assert_int_equal(passtime_counter_series(
                                 c.rig.t, counted_series(&c, snapshot->series[s].name), i, &live),
                             PASSTIME_OK);
            assert_memory_equal(stats, &live, sizeof live);
        }
    }
    for (uint32_t i = 0; i < COUNTERS; i++) {
        assert_string_equal(snapshot->counters[i].name, counted_names[i].name);
        assert_string_equal(snapshot->counters[i].unit, counted_names[i].unit);
    }
    passtime_capture_data_finish(&read);
    wgpu_rig_close(&c.rig);
    free(file);
}

static void passes_carry_them_where_that_is_asked_for(void **state)
{
    struct counted c;
    struct passtime_capture_data read;
    (void)state;
    struct file *file = malloc(sizeof *file);
    counted_setup(&c);
    counted_open(&c);
    write_capture(&c, false, false, file);
    assert_int_equal(count_text(file, "counted: "), 0);
    write_capture(&c, true, false, file);
    assert_int_equal(count_text(file, "counted: loop steps (steps)"), 2 * FRAMES);
    assert_int_equal(count_text(file, "counted: "), 2 * FRAMES * COUNTERS);
    read_capture(file, &read);
    assert_int_equal(read.contexts[0].snapshot.counter_count, 0); /* no summary, no figures */
    assert_int_equal(read.contexts[0].snapshot.ledger.verdicts[PASSTIME_GOOD], 3 * FRAMES);
    passtime_capture_data_finish(&read);
    wgpu_rig_close(&c.rig);
    free(file);
}

static void a_capture_of_a_context_without_counters_has_none(void **state)
{
    struct counted c;
    passtime_capture *capture = NULL;
    (void)state;
    struct file *file = malloc(sizeof *file);
    const passtime_writer writer = {write_bytes, file};
    file->bytes = 0;
    counted_setup(&c);
    c.rig.gpu.counters = NULL;
    wgpu_rig_open(&c.rig);
    assert_int_equal(passtime_capture_open_writer(&writer, NULL, &capture), PASSTIME_OK);
    assert_int_equal(passtime_capture_counters(capture, c.rig.t), PASSTIME_INVALID);
    assert_int_equal(passtime_capture_counters(capture, NULL), PASSTIME_INVALID);
    assert_int_equal(passtime_capture_counters(NULL, c.rig.t), PASSTIME_INVALID);
    assert_int_equal(passtime_capture_close(&capture), PASSTIME_OK);
    wgpu_rig_close(&c.rig);
    free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_summary_brings_them_back),
        cmocka_unit_test(passes_carry_them_where_that_is_asked_for),
        cmocka_unit_test(a_capture_of_a_context_without_counters_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
