/* SPDX-License-Identifier: MIT */
/* The collector, fed with the texts that a page's script sends. */
#include "unit/page_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MS = 1000000 };

static const uint64_t start_ns = 500 * (uint64_t)MS;

struct bench {
    struct page_text text;
    struct passtime_collector *collector;
    uint64_t frames;                             /* judged */
    passtime_verdict verdicts[PAGE_TEXT_PASSES]; /* of the last frame */
    uint64_t durations_ns[PAGE_TEXT_PASSES];
    uint32_t parents[PAGE_TEXT_PASSES];
    uint32_t flags[PAGE_TEXT_PASSES];
    uint32_t samples;
    passtime_fate fate;
    uint64_t cpu_begin_ns;
    char note[128];
};

static void on_frame(void *user, uint32_t context, const passtime_frame *frame)
{
    struct bench *bench = user;
    (void)context;
    bench->frames++;
    bench->fate = frame->fate;
    bench->samples = frame->sample_count;
    bench->cpu_begin_ns = frame->cpu_begin_ns;
    for (uint32_t i = 0; i < frame->sample_count && i < PAGE_TEXT_PASSES; i++) {
        bench->verdicts[i] = frame->samples[i].verdict;
        bench->durations_ns[i] = frame->samples[i].duration_ns;
        bench->parents[i] = frame->samples[i].parent;
        bench->flags[i] = frame->samples[i].flags;
    }
}

static void on_note(void *user, uint32_t realm, const char *text)
{
    struct bench *bench = user;
    snprintf(bench->note, sizeof bench->note, "%u: %s", realm, text);
}

static struct bench *make(const struct passtime_collect_options *options)
{
    struct bench *bench = calloc(1, sizeof *bench);
    struct passtime_collect_options mine = *options;
    assert_non_null(bench);
    mine.user = bench;
    mine.on_frame = on_frame;
    mine.on_note = on_note;
    bench->collector = passtime_collector_make(&mine);
    assert_non_null(bench->collector);
    page_text_begin(&bench->text);
    return bench;
}

static void send(struct bench *bench)
{
    page_text_send(&bench->text, bench->collector, 1);
}

static void give(struct bench *bench, const struct page_frame *frame)
{
    page_text_frame(&bench->text, frame);
    send(bench);
}

static void finish(struct bench *bench)
{
    assert_true(passtime_collector_end(&bench->collector));
    free(bench);
}

static void assert_no_fault(const struct bench *bench)
{
    const struct passtime_collect_counts *counts = passtime_collector_counts(bench->collector);
    assert_string_equal(counts->first_fault, "");
    assert_int_equal(counts->malformed + counts->unknown + counts->frames_refused, 0);
    assert_int_equal(counts->no_memory, 0);
}

/* Frames become statistics; those of the warm-up do not, and no more are taken than asked for. */
static void frames_are_judged(void **state)
{
    (void)state;
    static const char *const watched[] = {"light", "nosuch"};
    const struct passtime_collect_options options = {
        .warmup_frames = 5, .frames = 20, .budget_passes = watched, .budget_count = 2};
    struct bench *bench = make(&options);
    page_text_start(&bench->text, 1);
    for (uint64_t i = 0; i < 40; i++) {
        struct page_frame frame = page_frame_plain(1, i, start_ns + i * 20 * MS, 6);
        give(bench, &frame);
    }
    assert_no_fault(bench);
    assert_int_equal(bench->frames, 25);
    assert_int_equal(bench->fate, PASSTIME_FRAME_COMPLETE);
    assert_int_equal(passtime_collector_most_frames(bench->collector), 20);
    assert_int_equal(passtime_collector_busiest(bench->collector), 0);
    const struct passtime_collect_about *about = passtime_collector_about(bench->collector, 0);
    assert_int_equal(about->warmup, 5);
    assert_int_equal(about->frames, 20);
    struct passtime_snapshot snapshot;
    assert_int_equal(passtime_collector_snapshot(bench->collector, 0, &snapshot), PASSTIME_OK);
    assert_int_equal(snapshot.ledger.fates[PASSTIME_FRAME_COMPLETE], 20);
    assert_int_equal(snapshot.ledger.frames_seen, 20);
    assert_int_equal(snapshot.series_count, 3);
    assert_string_equal(snapshot.series[1].name, "light");
    assert_int_equal(snapshot.series[1].stats.count, 40);
    assert_int_equal((uint64_t)snapshot.series[1].stats.mean_ns, MS);
    assert_string_equal(snapshot.adapter.name, "SwiftShader");
    assert_null(snapshot.adapter.driver);
    assert_true(snapshot.adapter.software);
    assert_int_equal((uint64_t)snapshot.totals[PASSTIME_TOTAL_BUSY].mean_ns, 6 * MS);
    assert_int_equal((uint64_t)snapshot.totals[PASSTIME_TOTAL_CPU_SUBMIT].mean_ns, 2 * MS);
    passtime_snapshot_finish(&snapshot);
    passtime_stats stats;
    assert_true(passtime_collector_budget(bench->collector, 0, 0, &stats));
    assert_int_equal(stats.count, 20);
    assert_int_equal((uint64_t)stats.mean_ns, 2 * MS); /* It runs twice a frame. */
    assert_false(passtime_collector_budget(bench->collector, 0, 1, &stats));
    const struct passtime_collect_realm *realm = passtime_collector_realm(bench->collector, 1);
    assert_string_equal(realm->webgpu, "hooked");
    assert_string_equal(realm->kind, "page");
    assert_null(passtime_collector_realm(bench->collector, 2));
    finish(bench);
}

/* A context of fewer frames than the warm-up keeps what it has. */
static void short_runs_count(void **state)
{
    (void)state;
    const struct passtime_collect_options options = {.warmup_frames = 30, .frames = 100};
    struct bench *bench = make(&options);
    page_text_start(&bench->text, 1);
    struct page_frame frame = page_frame_plain(1, 0, start_ns, 2);
    give(bench, &frame);
    const struct passtime_collect_about *about = passtime_collector_about(bench->collector, 0);
    assert_int_equal(about->frames, 1);
    assert_int_equal(about->warmup, 0);
    assert_int_equal(passtime_collector_most_frames(bench->collector), 0);
    assert_int_equal(passtime_collector_busiest(bench->collector), 0);
    finish(bench);
}

/* A stamp that a slot of the same query set gave before is stale, and the slot is given up. */
static void stale_stamps_are_found(void **state)
{
    (void)state;
    const struct passtime_collect_options options = {0};
    struct bench *bench = make(&options);
    page_text_start(&bench->text, 1);
    struct page_frame first = page_frame_plain(1, 0, start_ns, 2);
    first.set = 4;
    give(bench, &first);
    assert_int_equal(bench->verdicts[1], PASSTIME_GOOD);
    /* Another set's slot may hold what this one held. */
    struct page_frame other = page_frame_plain(1, 1, start_ns + 20 * MS, 2);
    other.set = 5;
    give(bench, &other);
    assert_int_equal(bench->verdicts[1], PASSTIME_GOOD);
    struct page_frame second = page_frame_plain(1, 2, start_ns + 40 * MS, 2);
    second.set = 4;
    second.passes[1].begin_ticks = first.passes[1].begin_ticks;
    second.passes[1].end_ticks = first.passes[1].end_ticks;
    give(bench, &second);
    assert_int_equal(bench->verdicts[0], PASSTIME_GOOD);
    assert_int_equal(bench->verdicts[1], PASSTIME_STALE);
    assert_int_equal(bench->fate, PASSTIME_FRAME_INCOMPLETE);
    /* Its stamps may have come late: the slot is not believed any more, until the set is another.
     */
    struct page_frame third = page_frame_plain(1, 3, start_ns + 60 * MS, 2);
    third.set = 4;
    give(bench, &third);
    assert_int_equal(bench->verdicts[0], PASSTIME_GOOD);
    assert_int_equal(bench->verdicts[1], PASSTIME_REFUSED);
    struct page_frame fourth = page_frame_plain(1, 4, start_ns + 80 * MS, 2);
    fourth.set = 9;
    give(bench, &fourth);
    assert_int_equal(bench->fate, PASSTIME_FRAME_COMPLETE);
    assert_no_fault(bench);
    finish(bench);
}

/* Frames that came back in other ways, and what follows for the slots they were in. */
static void statuses(void **state)
{
    (void)state;
    static const struct {
        int status;
        passtime_verdict verdict, next;
    } rows[] = {
        {1, PASSTIME_LOST_DEVICE, PASSTIME_STALE}, {2, PASSTIME_MAP_FAILED, PASSTIME_STALE},
        {3, PASSTIME_DISJOINT, PASSTIME_STALE},    {4, PASSTIME_LATE_SUBMIT, PASSTIME_REFUSED},
        {5, PASSTIME_TIMED_OUT, PASSTIME_STALE},   {0, PASSTIME_TIMED_OUT, PASSTIME_STALE}};
    const struct passtime_collect_options options = {0};
    struct bench *bench = make(&options);
    page_text_start(&bench->text, 1);
    for (uint32_t i = 0; i < 6; i++) {
        struct page_frame frame = page_frame_plain(1, 3 * i, start_ns + i * 60 * MS, 1);
        frame.set = 100 + i;
        frame.status = rows[i].status;
        frame.no_ticks = 1;
        frame.seen_ns = 0;
        give(bench, &frame);
        assert_int_equal(bench->verdicts[0], rows[i].verdict);
        frame = page_frame_plain(1, 3 * i + 1, start_ns + i * 60 * MS + 20 * MS, 1);
        frame.set = 100 + i;
        give(bench, &frame);
        assert_int_equal(bench->verdicts[0], rows[i].next);
    }
    assert_no_fault(bench);
    finish(bench);
}

/* Recorders that were discarded or forgotten, passes without a slot, refused ones, nested ones. */
static void everything_in_one_frame(void **state)
{
    (void)state;
    const struct passtime_collect_options options = {0};
    struct bench *bench = make(&options);
    page_text_start(&bench->text, 1);
    struct page_frame frame = page_frame_plain(1, 0, start_ns, 8);
    char recorders[256];
    snprintf(recorders, sizeof recorders, "[%llu,%llu,1],[%llu,%llu,0],[%llu,0,2]",
             (unsigned long long)start_ns, (unsigned long long)start_ns + 1000,
             (unsigned long long)start_ns, (unsigned long long)start_ns + 2000,
             (unsigned long long)start_ns);
    frame.recorders = recorders;
    frame.surplus = 3;
    for (uint32_t i = 0; i < 3; i++) { /* 0 around 1, which is around 2 */
        frame.passes[i].parent = (int)i - 1;
        frame.passes[i].open_ns = start_ns + 10 * i + 10;
        frame.passes[i].close_ns = start_ns + 1000 - 10 * i;
        frame.passes[i].end_ticks = frame.passes[0].begin_ticks + 5 * MS - i * 100;
    }
    frame.passes[2].flags = PASSTIME_FLAG_IMPLIED_END;
    frame.passes[3].recorder = 1;
    frame.passes[4].recorder = 2;
    frame.passes[5].flags = 0x80000000u;
    frame.passes[6].name = 77; /* never told */
    frame.passes[7].open_ns = start_ns + 500;
    give(bench, &frame);
    assert_no_fault(bench);
    assert_int_equal(bench->samples, 8);
    assert_int_equal(bench->fate, PASSTIME_FRAME_INCOMPLETE);
    static const passtime_verdict expected[] = {
        PASSTIME_GOOD,          PASSTIME_GOOD,    PASSTIME_GOOD, PASSTIME_DISCARDED,
        PASSTIME_NOT_SUBMITTED, PASSTIME_REFUSED, PASSTIME_GOOD, PASSTIME_UNFINISHED};
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(bench->verdicts[i], expected[i]);
    assert_int_equal(bench->parents[1], 0);
    assert_int_equal(bench->parents[2], 1);
    assert_int_equal(bench->parents[6], PASSTIME_NONE);
    assert_int_equal(bench->flags[2] & PASSTIME_FLAG_IMPLIED_END, PASSTIME_FLAG_IMPLIED_END);
    struct passtime_snapshot snapshot;
    assert_int_equal(passtime_collector_snapshot(bench->collector, 0, &snapshot), PASSTIME_OK);
    assert_int_equal(snapshot.ledger.verdicts[PASSTIME_NO_SLOT], 3);
    assert_int_equal(snapshot.ledger.passes_recorded, 11);
    assert_int_equal(snapshot.ledger.frames_in_flight, 0);
    passtime_snapshot_finish(&snapshot);
    finish(bench);
}

/* Skipped frames are counted by their reason. */
static void skips_and_marks(void **state)
{
    (void)state;
    const struct passtime_collect_options options = {0};
    struct bench *bench = make(&options);
    page_text_start(&bench->text, 1);
    page_text_add(&bench->text, "{\"k\":\"skip\",\"c\":1,\"n\":0,\"why\":\"warmup\"}");
    page_text_add(&bench->text, "{\"k\":\"skip\",\"c\":1,\"n\":1,\"why\":\"full\"}");
    page_text_add(&bench->text, "{\"k\":\"skip\",\"c\":1,\"n\":2}");
    page_text_add(&bench->text, "{\"k\":\"skip\",\"c\":1,\"n\":3,\"why\":\"lost\"}");
    page_text_add(&bench->text, "{\"k\":\"lost\",\"c\":1,\"text\":\"gone\"}");
    page_text_add(&bench->text, "{\"k\":\"gone\",\"c\":1}");
    page_text_add(&bench->text, "{\"k\":\"tick\",\"f\":7},{\"k\":\"tick\",\"f\":8}");
    page_text_add(&bench->text, "{\"k\":\"note\",\"text\":\"say this\"}");
    send(bench);
    assert_no_fault(bench);
    const struct passtime_collect_about *about = passtime_collector_about(bench->collector, 0);
    assert_true(about->lost && about->gone);
    assert_int_equal(passtime_collector_realm(bench->collector, 1)->animation_frames, 15);
    assert_string_equal(bench->note, "1: say this");
    struct passtime_snapshot snapshot;
    assert_int_equal(passtime_collector_snapshot(bench->collector, 0, &snapshot), PASSTIME_OK);
    assert_int_equal(snapshot.ledger.frames_seen, 4);
    assert_int_equal(snapshot.ledger.fates[PASSTIME_FRAME_SKIPPED_FULL], 2);
    assert_int_equal(snapshot.ledger.fates[PASSTIME_FRAME_SKIPPED_WARMUP], 1);
    assert_int_equal(snapshot.ledger.fates[PASSTIME_FRAME_SKIPPED_LOST], 1);
    passtime_snapshot_finish(&snapshot);
    assert_int_equal(passtime_collector_busiest(bench->collector), PASSTIME_NONE);
    finish(bench);
}

/* Elapsed queries have durations only, and their API says what is available. */
static void elapsed_and_cpu(void **state)
{
    (void)state;
    const struct passtime_collect_options options = {0};
    struct bench *bench = make(&options);
    page_text_start(&bench->text, 1);
    page_text_add(&bench->text,
                  "{\"k\":\"ctx\",\"c\":2,\"api\":\"webgl2\",\"source\":1,\"bits\":64,"
                  "\"max_passes\":64,\"name\":\"canvas\"}");
    page_text_add(&bench->text,
                  "{\"k\":\"ctx\",\"c\":3,\"api\":\"webgpu\",\"source\":2,\"bits\":64,"
                  "\"max_passes\":64,\"reason\":\"no timestamp-query\"}");
    struct page_frame frame = page_frame_plain(2, 0, start_ns, 2);
    frame.set = 0;
    frame.available = "1,1,0,0";
    frame.passes[0].begin_ticks = 3 * MS;
    frame.passes[0].end_ticks = 0;
    frame.passes[1].begin_ticks = 9 * MS;
    give(bench, &frame);
    assert_int_equal(bench->verdicts[0], PASSTIME_GOOD);
    assert_int_equal(bench->durations_ns[0], 3 * MS);
    assert_int_equal(bench->verdicts[1], PASSTIME_NOT_EXECUTED);
    frame = page_frame_plain(3, 0, start_ns, 2);
    frame.set = 0;
    frame.no_ticks = 1;
    frame.passes[0].open_ns = start_ns + 100;
    frame.passes[0].close_ns = start_ns + 400;
    give(bench, &frame);
    assert_int_equal(bench->verdicts[0], PASSTIME_GOOD);
    assert_int_equal(bench->durations_ns[0], 300);
    assert_int_equal(bench->verdicts[1], PASSTIME_NOT_EXECUTED);
    assert_string_equal(passtime_collector_about(bench->collector, 2)->reason,
                        "no timestamp-query");
    assert_no_fault(bench);
    finish(bench);
}

/* Realms count time from origins of their own; the collector's frames are on one time line. */
static void realms_share_a_time_line(void **state)
{
    (void)state;
    const struct passtime_collect_options options = {0};
    struct bench *bench = make(&options);
    page_text_start(&bench->text, 1);
    struct page_frame frame = page_frame_plain(1, 0, start_ns, 1);
    give(bench, &frame);
    uint64_t first_ns = bench->cpu_begin_ns;
    static const double origins_ms[] = {1700000000250.25, 1699999999750.25, 0.0, 9e15};
    static const int64_t apart_ns[] = {250 * MS, -250 * MS, 0, 0};
    for (uint32_t i = 0; i < 4; i++) {
        page_text_add(&bench->text, "{\"k\":\"hello\",\"origin_ms\":%.2f}", origins_ms[i]);
        page_text_add(&bench->text, "{\"k\":\"ctx\",\"c\":1,\"api\":\"webgpu\",\"source\":0,"
                                    "\"bits\":64,\"max_passes\":64}");
        page_text_frame(&bench->text, &frame);
        page_text_send(&bench->text, bench->collector, 2 + i);
        assert_int_equal(bench->frames, 2 + i);
        assert_int_equal((int64_t)(bench->cpu_begin_ns - first_ns), apart_ns[i]);
    }
    finish(bench);
}

/* Contexts beyond the limit are left out and counted; one that measured nothing makes room. */
static void contexts_are_limited(void **state)
{
    (void)state;
    const struct passtime_collect_options options = {0};
    struct bench *bench = make(&options);
    page_text_start(&bench->text, 1);
    for (uint32_t c = 2; c < 200; c++) {
        page_text_add(&bench->text,
                      "{\"k\":\"ctx\",\"c\":%u,\"api\":\"webgl\",\"source\":1,"
                      "\"bits\":64,\"max_passes\":16}",
                      c);
        if (c == 40)
            page_text_add(&bench->text, "{\"k\":\"gone\",\"c\":%u}", c);
        send(bench);
    }
    const struct passtime_collect_counts *counts = passtime_collector_counts(bench->collector);
    assert_int_equal(passtime_collector_contexts(bench->collector), PASSTIME_COLLECT_CONTEXTS_MAX);
    assert_int_equal(counts->contexts_left_out, 199 - 64 - 1);
    assert_int_equal(counts->malformed, 0);
    finish(bench);
}

/* What the collector holds does not grow with frames, sets or names. */
static void memory_is_flat(void **state)
{
    (void)state;
    const struct passtime_collect_options options = {.warmup_frames = 10};
    struct bench *bench = make(&options);
    page_text_start(&bench->text, 1);
    size_t bytes = 0;
    for (uint64_t i = 0; i < 12000; i++) {
        struct page_frame frame = page_frame_plain(1, i, start_ns + i * 20 * MS, 7);
        frame.set = 1 + i / 3; /* replaced all the time */
        frame.passes[6].name = (uint32_t)(4 + i);
        page_text_add(&bench->text, "{\"k\":\"name\",\"c\":1,\"i\":%u,\"s\":\"tile %05u\"}",
                      (unsigned)(4 + i), (unsigned)i);
        give(bench, &frame);
        if (i == 6000)
            bytes = passtime_collector_bytes(bench->collector);
    }
    assert_no_fault(bench);
    assert_int_equal(bench->fate, PASSTIME_FRAME_COMPLETE);
    assert_int_equal(passtime_collector_bytes(bench->collector), bytes);
    assert_int_equal(passtime_collector_most_frames(bench->collector), 11990);
    finish(bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_are_judged),       cmocka_unit_test(short_runs_count),
        cmocka_unit_test(stale_stamps_are_found),  cmocka_unit_test(statuses),
        cmocka_unit_test(everything_in_one_frame), cmocka_unit_test(skips_and_marks),
        cmocka_unit_test(elapsed_and_cpu),         cmocka_unit_test(realms_share_a_time_line),
        cmocka_unit_test(contexts_are_limited),    cmocka_unit_test(memory_is_flat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
