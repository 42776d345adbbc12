/* SPDX-License-Identifier: MIT */
/* Captures: what is written comes back, whatever becomes of the file. */
#include "capture/frames.h"
#include "unit/captured.h"

#include <passtime/feed.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const passtime_adapter_info adapter = {"feed", "a \"GPU\"", "driver 1.2", "software", true};

static void write_frame(passtime_capture *c, const struct made_frame *made)
{
    assert_int_equal(passtime_capture_frame(c, &made->frame), PASSTIME_OK);
}

static void frames_come_back_exactly(void **state)
{
    (void)state;
    struct captured m = {.limit = SIZE_MAX};
    passtime_capture *c = NULL;
    struct made_frame made;
    assert_int_equal(captured_open(&m, NULL, &c), PASSTIME_OK);
    for (uint64_t i = 0; i < 200; i++) {
        made_rich(&made, i);
        write_frame(c, &made);
    }
    assert_int_equal(passtime_capture_close(&c), PASSTIME_OK);
    assert_null(c);
    assert_int_equal(captured_read(&m, m.size), PASSTIME_OK);
    assert_string_equal(m.data.note, "");
    assert_int_equal(m.data.context_count, 1);
    assert_int_equal(m.data.contexts[0].frames_broken, 0);
    assert_int_equal(m.frame_count, 200);
    for (uint64_t i = 0; i < 200; i++) {
        made_rich(&made, i);
        assert_same_frame(&made.frame, m.frames[i]);
    }
    captured_finish(&m);
}

/* Numbers at the ends of their range, clocks that jump, positions that no trace can show. */
static void make_extreme(struct made_frame *made, unsigned which)
{
    made_begin(made, which % 3 == 0 ? UINT64_MAX - which : which);
    passtime_frame *f = &made->frame;
    f->align_offset_ns = which % 2 == 0 ? INT64_MIN : (int64_t)which * 1000000000 - 5000000000;
    f->align_bound_ns = which % 4 == 0 ? UINT64_MAX : which;
    f->clock_epoch = which / 5;
    f->cpu_begin_ns = which % 7 == 0 ? UINT64_MAX : which % 5 == 0 ? 0 : 77 * which;
    f->cpu_seen_ns = UINT64_MAX - 1;
    f->busy_ns = UINT64_MAX;
    f->flags = UINT32_MAX;
    made_pass(made, "a", 0, 0);
    made_pass(made, "b", 1, UINT64_MAX - 7);
    made_pass(made, "c", UINT64_MAX - 8, UINT64_MAX);
    made_pass(made, "d", 3, 4)->clock_epoch = f->clock_epoch + 1;
    made_pass(made, "e", 3, 4)->queue = which;
    made_pass(made, "f", 3, 5)->duration_ns = 9;
    made_rejected(made, "g", PASSTIME_BACKWARD)->duration_ns = UINT64_MAX;
    made_pass(made, "h", 10, 20)->source = PASSTIME_CPU_RECORD;
}

static void extremes_come_back_exactly(void **state)
{
    (void)state;
    struct captured m = {.limit = SIZE_MAX};
    passtime_capture *c = NULL;
    struct made_frame made;
    assert_int_equal(captured_open(&m, NULL, &c), PASSTIME_OK);
    for (unsigned i = 0; i < 400; i++) {
        make_extreme(&made, i);
        write_frame(c, &made);
    }
    assert_int_equal(passtime_capture_close(&c), PASSTIME_OK);
    assert_int_equal(captured_read(&m, m.size), PASSTIME_OK);
    assert_int_equal(m.frame_count, 400);
    for (unsigned i = 0; i < 400; i++) {
        make_extreme(&made, i);
        assert_same_frame(&made.frame, m.frames[i]);
    }
    captured_finish(&m);
}

static void bad_names_come_back_clean(void **state)
{
    (void)state;
    static char huge[10001];
    struct captured m = {.limit = SIZE_MAX};
    passtime_capture *c = NULL;
    struct made_frame made;
    memset(huge, 'x', sizeof huge - 1);
    const char *names[] = {"quote \" \\",      "new\nline", "\x01", "\xff\xfe broken \xc3",
                           "\xf0\x9f\x8e\xa8", huge,        "",     NULL};
    assert_int_equal(captured_open(&m, NULL, &c), PASSTIME_OK);
    made_begin(&made, 1);
    for (uint64_t i = 0; i < 8; i++)
        made_pass(&made, names[i], 10 * i, 10 * i + 5);
    made_scope(&made, names[3], 5);
    made.samples[2].scope = 0;
    write_frame(c, &made);
    assert_int_equal(passtime_capture_close(&c), PASSTIME_OK);
    assert_int_equal(captured_read(&m, m.size), PASSTIME_OK);
    assert_int_equal(m.frame_count, 1);
    assert_same_frame(&made.frame, m.frames[0]);
    assert_string_equal(m.frames[0]->samples[4].name, "\xf0\x9f\x8e\xa8");
    assert_string_equal(m.frames[0]->samples[7].name, "(unnamed)");
    captured_finish(&m);
}

/* More names than the writer's table holds: it starts anew, and memory stays as it was. */
static void names_that_never_repeat_come_back(void **state)
{
    (void)state;
    struct captured m = {.limit = SIZE_MAX};
    passtime_capture *c = NULL;
    struct made_frame made;
    char text[2][32];
    assert_int_equal(captured_open(&m, NULL, &c), PASSTIME_OK);
    for (unsigned i = 0; i < 2000; i++) {
        made_begin(&made, i);
        (void)snprintf(text[0], sizeof text[0], "pass %u", i);
        (void)snprintf(text[1], sizeof text[1], "scope %u", i);
        made_pass(&made, text[0], 16000000u * i, 16000000u * i + 5)->scope = 0;
        made_scope(&made, text[1], 5)->sample_count = 1;
        write_frame(c, &made);
    }
    assert_int_equal(passtime_capture_close(&c), PASSTIME_OK);
    assert_int_equal(captured_read(&m, m.size), PASSTIME_OK);
    assert_int_equal(m.frame_count, 2000);
    for (unsigned i = 0; i < 2000; i++) {
        (void)snprintf(text[0], sizeof text[0], "pass %u", i);
        (void)snprintf(text[1], sizeof text[1], "scope %u", i);
        assert_string_equal(m.frames[i]->samples[0].name, text[0]);
        assert_string_equal(m.frames[i]->scopes[0].name, text[1]);
    }
    captured_finish(&m);
}

/* A context that was fed frames, its capture, and the frames as it gave them. */
static uint64_t feed_clock(void *user)
{
    uint64_t *now_ns = user;
    *now_ns += 1000;
    return *now_ns;
}

static void feed_frame(passtime *t, uint64_t number, uint64_t *now_ns)
{
    uint64_t ticks[8];
    passtime_recorder *rec = passtime_frame_begin(t, number);
    assert_non_null(rec);
    const uint64_t base_ns = *now_ns + 100000;
    passtime_scope_begin(rec, "world");
    for (unsigned i = 0; i < 3; i++) {
        static const char *const names[] = {"shadow", "light", "bloom"};
        (void)passtime_feed_pass(rec, names[i]);
        ticks[2 * i] = base_ns + 1000 * i;
        ticks[2 * i + 1] = ticks[2 * i] + 700 + number * 37 % 101 + i;
    }
    passtime_scope_end(rec);
    (void)passtime_feed_pass(rec, "ui");
    ticks[6] = 0; /* every fourth frame's was not executed */
    ticks[7] = 0;
    if (number % 4 != 0) {
        ticks[6] = ticks[5];
        ticks[7] = ticks[6] + 50;
    }
    passtime_submitted(rec);
    assert_int_equal(passtime_frame_end(t, number), PASSTIME_OK);
    *now_ns += 1000000;
    passtime_feed_results results = PASSTIME_FEED_RESULTS_INIT;
    results.ticks = ticks;
    results.tick_count = 8;
    assert_int_equal(passtime_feed_results_ready(t, number, &results), PASSTIME_OK);
}

static passtime *fed_context(uint64_t *now_ns)
{
    passtime_desc desc = PASSTIME_DESC_INIT;
    passtime *t = NULL;
    *now_ns = 1000000000;
    desc.clock = feed_clock;
    desc.clock_user = now_ns;
    desc.budget_ns = 2300;
    assert_int_equal(passtime_create_feed(NULL, &desc, &t), PASSTIME_OK);
    return t;
}

static void feed_and_capture(passtime *t, uint64_t *now_ns, passtime_capture *c)
{
    const passtime_frame *frame = NULL;
    for (uint64_t i = 0; i < 500; i++) {
        feed_frame(t, i, now_ns);
        while (passtime_next(t, &frame) == PASSTIME_OK)
            assert_int_equal(passtime_capture_frame(c, frame), PASSTIME_OK);
    }
}

static void assert_same_stats(const passtime_stats *a, const passtime_stats *b)
{
    assert_memory_equal(a, b, sizeof *a);
}

static void assert_same_series(const passtime_series_info *a, const passtime_series_info *b)
{
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->parent, b->parent);
    assert_int_equal(a->source, b->source);
    assert_int_equal(a->queue, b->queue);
    assert_int_equal(a->flags, b->flags);
    assert_string_equal(a->name, b->name);
    assert_string_equal(a->path, b->path);
    assert_int_equal(a->attributed_ns, b->attributed_ns);
    assert_memory_equal(a->verdicts, b->verdicts, sizeof a->verdicts);
    assert_same_stats(&a->stats, &b->stats);
}

static void assert_same_figures(const struct passtime_snapshot *a,
                                const struct passtime_snapshot *b)
{
    assert_true(a->series_count >= 5);
    assert_int_equal(a->series_count, b->series_count);
    for (uint32_t i = 0; i < a->series_count; i++)
        assert_same_series(&a->series[i], &b->series[i]);
    for (unsigned i = 0; i < PASSTIME_TOTAL_COUNT; i++)
        assert_same_stats(&a->totals[i], &b->totals[i]);
    assert_string_equal(a->adapter.api, b->adapter.api);
    assert_string_equal(a->adapter.name, b->adapter.name);
    assert_string_equal(a->adapter.driver, b->adapter.driver);
    assert_string_equal(a->adapter.kind, b->adapter.kind);
    assert_int_equal(a->adapter.software, b->adapter.software);
}

static void the_summary_comes_back_exactly(void **state)
{
    (void)state;
    uint64_t now_ns = 0;
    struct captured m = {.limit = SIZE_MAX};
    passtime_capture_desc desc = PASSTIME_CAPTURE_DESC_INIT;
    passtime_capture *c = NULL;
    struct passtime_snapshot live;
    passtime *t = fed_context(&now_ns);
    desc.adapter = &adapter;
    assert_int_equal(captured_open(&m, &desc, &c), PASSTIME_OK);
    feed_and_capture(t, &now_ns, c);
    assert_int_equal(passtime_capture_summary(c, t), PASSTIME_OK);
    assert_int_equal(passtime_snapshot_take(t, &adapter, &live), PASSTIME_OK);
    assert_int_equal(passtime_capture_close(&c), PASSTIME_OK);
    assert_int_equal(captured_read(&m, m.size), PASSTIME_OK);
    const struct passtime_snapshot *read = &m.data.contexts[0].snapshot;
    assert_int_equal(read->origin, PASSTIME_SNAPSHOT_SUMMARY);
    assert_same_figures(&live, read);
    assert_memory_equal(&live.ledger, &read->ledger, sizeof live.ledger);
    assert_memory_equal(&live.clock, &read->clock, sizeof live.clock);
    assert_int_equal(read->budget_ns, 2300);
    assert_true(read->ledger.frames_over_budget > 0);
    assert_int_equal(read->events_lost, 0);
    passtime_snapshot_finish(&live);
    passtime_destroy(&t);
    captured_finish(&m);
}

/* Where the value begins that follows a name in a summary; NULL: no more after `from`. */
static uint8_t *value_after(struct captured *m, const char *name, size_t from)
{
    const size_t length = strlen(name);
    for (size_t i = from; i + length + 9 < m->size; i++)
        if (m->bytes[i - 1] == length && memcmp(m->bytes + i, name, length) == 0)
            return m->bytes + i + length + 1;
    return NULL;
}

/* NaN for a mean, and series that are their own parents: a hostile summary. */
static void a_summary_that_makes_no_sense_is_taken_for_what_it_can_be(void **state)
{
    (void)state;
    const double no_number = strtod("nan", NULL);
    uint64_t now_ns = 0;
    uint32_t changed = 0;
    struct captured m = {.limit = SIZE_MAX};
    passtime_capture *c = NULL;
    passtime *t = fed_context(&now_ns);
    assert_int_equal(captured_open(&m, NULL, &c), PASSTIME_OK);
    feed_and_capture(t, &now_ns, c);
    const size_t events = m.size;
    assert_int_equal(passtime_capture_summary(c, t), PASSTIME_OK);
    assert_int_equal(passtime_capture_close(&c), PASSTIME_OK);
    for (uint8_t *at = value_after(&m, "mean_ns", events); at != NULL;
         at = value_after(&m, "mean_ns", (size_t)(at - m.bytes)), changed++)
        memcpy(at, &no_number, sizeof no_number);
    for (uint8_t *at = value_after(&m, "parent", events); at != NULL;
         at = value_after(&m, "parent", (size_t)(at - m.bytes)), changed++)
        *at = 1;
    assert_true(changed > 6);
    assert_int_equal(captured_read(&m, m.size), PASSTIME_OK);
    const struct passtime_snapshot *read = &m.data.contexts[0].snapshot;
    assert_int_equal(read->origin, PASSTIME_SNAPSHOT_SUMMARY);
    for (uint32_t i = 0; i < read->series_count; i++) {
        const passtime_stats *stats = &read->series[i].stats;
        assert_int_equal(stats->flags & PASSTIME_STATS_HAS_MEAN, 0);
        assert_true(stats->mean_ns >= 0.0 && stats->mean_ns <= 0.0);
        assert_true(stats->count > 0);
        assert_true(i != 1 || read->series[i].parent == PASSTIME_NONE);
    }
    passtime_destroy(&t);
    captured_finish(&m);
}

/* Without its summary, a capture gives the same statistics from its events. */
static void events_give_the_same_figures(void **state)
{
    (void)state;
    uint64_t now_ns = 0;
    struct captured m = {.limit = SIZE_MAX};
    passtime_capture_desc desc = PASSTIME_CAPTURE_DESC_INIT;
    passtime_capture *c = NULL;
    struct passtime_snapshot live;
    passtime *t = fed_context(&now_ns);
    desc.adapter = &adapter;
    desc.budget_ns = 2300;
    assert_int_equal(captured_open(&m, &desc, &c), PASSTIME_OK);
    feed_and_capture(t, &now_ns, c);
    assert_int_equal(passtime_snapshot_take(t, &adapter, &live), PASSTIME_OK);
    assert_int_equal(passtime_capture_close(&c), PASSTIME_OK);
    assert_int_equal(captured_read(&m, m.size), PASSTIME_OK);
    const struct passtime_snapshot *read = &m.data.contexts[0].snapshot;
    assert_int_equal(read->origin, PASSTIME_SNAPSHOT_EVENTS);
    assert_same_figures(&live, read);
    assert_memory_equal(live.ledger.verdicts, read->ledger.verdicts, sizeof live.ledger.verdicts);
    assert_memory_equal(live.ledger.fates, read->ledger.fates, sizeof live.ledger.fates);
    assert_int_equal(live.ledger.frames_over_budget, read->ledger.frames_over_budget);
    assert_int_equal(live.clock.quantum_ns, read->clock.quantum_ns);
    assert_int_equal(read->budget_ns, 2300);
    passtime_snapshot_finish(&live);
    passtime_destroy(&t);
    captured_finish(&m);
}

static void the_event_part_is_bounded_and_its_losses_counted(void **state)
{
    (void)state;
    uint64_t now_ns = 0;
    struct captured m = {.limit = SIZE_MAX};
    passtime_capture_desc desc = PASSTIME_CAPTURE_DESC_INIT;
    passtime_capture *c = NULL;
    struct made_frame made;
    passtime *t = fed_context(&now_ns);
    desc.max_events = 100;
    assert_int_equal(captured_open(&m, &desc, &c), PASSTIME_OK);
    uint64_t lost = 0;
    uint32_t taken = 0;
    for (uint64_t i = 0; i < 20; i++) {
        made_rich(&made, i);
        const uint64_t events = 1 + (uint64_t)made.frame.sample_count + made.frame.scope_count;
        const passtime_result result = passtime_capture_frame(c, &made.frame);
        assert_true(result == PASSTIME_OK || result == PASSTIME_FULL);
        assert_true(result == PASSTIME_FULL || lost == 0);
        lost += result == PASSTIME_FULL ? events : 0;
        taken += result == PASSTIME_OK ? 1 : 0;
        assert_int_equal(passtime_capture_events_lost(c), lost);
    }
    assert_true(taken >= 7 && taken < 20);
    assert_int_equal(passtime_capture_summary(c, t), PASSTIME_OK);
    assert_int_equal(passtime_capture_close(&c), PASSTIME_OK);
    assert_int_equal(captured_read(&m, m.size), PASSTIME_OK);
    assert_int_equal(m.frame_count, taken);
    assert_int_equal(m.data.contexts[0].snapshot.origin, PASSTIME_SNAPSHOT_SUMMARY);
    assert_int_equal(m.data.contexts[0].snapshot.events_lost, lost);
    passtime_destroy(&t);
    captured_finish(&m);
}

/* Writes three frames to a disk with room for `limit` bytes. */
static passtime_result write_three(struct captured *m, size_t limit)
{
    passtime_capture *c = NULL;
    struct made_frame made;
    bool failed = false;
    m->limit = limit;
    m->size = 0;
    passtime_result result = captured_open(m, NULL, &c);
    assert_true(result == PASSTIME_OK || result == PASSTIME_IO);
    for (uint64_t i = 0; i < 3 && result == PASSTIME_OK; i++) {
        made_rich(&made, i);
        const passtime_result wrote = passtime_capture_frame(c, &made.frame);
        assert_true(wrote == PASSTIME_OK || wrote == PASSTIME_IO);
        assert_false(failed && wrote == PASSTIME_OK);
        failed = failed || wrote == PASSTIME_IO;
    }
    if (c == NULL)
        return result;
    result = passtime_capture_close(&c);
    assert_int_equal(result, failed ? PASSTIME_IO : PASSTIME_OK);
    return result;
}

static void a_full_disk_is_said_and_what_was_written_is_read(void **state)
{
    (void)state;
    struct captured m = {.limit = 0};
    uint32_t most = 0;
    for (size_t limit = 0; write_three(&m, limit) != PASSTIME_OK; limit++) {
        assert_int_equal(m.size, limit);
        const passtime_result result = captured_read(&m, m.size);
        assert_true(result == PASSTIME_OK || (result == PASSTIME_INVALID && m.frame_count == 0));
        most = m.frame_count > most ? m.frame_count : most;
    }
    assert_true(m.size > 3000);
    assert_int_equal(most, 2);
    captured_finish(&m);
}

static void files_that_cannot_be_made_are_refused(void **state)
{
    (void)state;
    passtime_capture *c = NULL;
    passtime_capture_desc desc = PASSTIME_CAPTURE_DESC_INIT;
    desc.size = 1;
    assert_int_equal(passtime_capture_open("no/such/folder/x", NULL, &c), PASSTIME_IO);
    assert_null(c);
    assert_int_equal(passtime_capture_open(".", NULL, &c), PASSTIME_IO);
    assert_int_equal(passtime_capture_open(NULL, NULL, &c), PASSTIME_INVALID);
    assert_int_equal(passtime_capture_open("", NULL, &c), PASSTIME_INVALID);
    assert_int_equal(passtime_capture_open("x", &desc, &c), PASSTIME_INVALID);
    assert_int_equal(passtime_capture_frame(NULL, NULL), PASSTIME_INVALID);
    assert_int_equal(passtime_capture_summary(NULL, NULL), PASSTIME_INVALID);
    assert_int_equal(passtime_capture_close(NULL), PASSTIME_OK);
    assert_int_equal(passtime_capture_close(&c), PASSTIME_OK);
    assert_int_equal(passtime_capture_events_lost(NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_come_back_exactly),
        cmocka_unit_test(extremes_come_back_exactly),
        cmocka_unit_test(bad_names_come_back_clean),
        cmocka_unit_test(names_that_never_repeat_come_back),
        cmocka_unit_test(the_summary_comes_back_exactly),
        cmocka_unit_test(a_summary_that_makes_no_sense_is_taken_for_what_it_can_be),
        cmocka_unit_test(events_give_the_same_figures),
        cmocka_unit_test(the_event_part_is_bounded_and_its_losses_counted),
        cmocka_unit_test(a_full_disk_is_said_and_what_was_written_is_read),
        cmocka_unit_test(files_that_cannot_be_made_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
