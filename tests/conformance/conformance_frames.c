/* SPDX-License-Identifier: MIT */
/* What a single frame says: order, totals, nesting, scopes, recorders, names. */
#include "conformance/conformance_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

void conform_samples_stand_in_order(void **state)
{
    struct conform_run run;
    conform_prepare(&run, state);
    conform_open(&run);
    static const uint32_t lengths[] = {300, 100, 200};
    for (uint64_t n = 1; n <= 10; n++) {
        assert_true(conform_frame(&run, n, 3, lengths));
        const passtime_frame *f = conform_next(&run);
        assert_int_equal(f->number, n);
        assert_int_equal(f->fate, PASSTIME_FRAME_COMPLETE);
        assert_int_equal(conform_passes_of(f), 3);
        conform_check_good(&run, &f->samples[0], "a", 300);
        conform_check_good(&run, &f->samples[1], "b", 100);
        conform_check_good(&run, &f->samples[2], "c", 200);
        assert_true(f->samples[0].begin_ns <= f->samples[1].begin_ns);
        assert_true(f->samples[1].begin_ns <= f->samples[2].begin_ns);
        assert_int_equal(f->scope_count, 0);
        assert_true(f->cpu_seen_ns >= f->cpu_begin_ns);
    }
    conform_close(&run);
}

/* GPU time has its totals; CPU time is never taken for it. */
void conform_totals_are_gpu_time(void **state)
{
    struct conform_run run;
    conform_prepare(&run, state);
    run.desc.budget_ns = 1;
    conform_open(&run);
    bool gpu = passtime_is_gpu_time(run.d->source);
    static const uint32_t lengths[] = {300, 100};
    uint64_t busy_ns = 0;
    for (uint64_t n = 1; n <= 20; n++) {
        conform_frame(&run, n, 2, lengths);
        const passtime_frame *f = conform_next(&run);
        bool serial = run.d->source == PASSTIME_GPU_ELAPSED; /* No positions: a plain sum. */
        assert_int_equal((f->flags & PASSTIME_FLAG_SERIAL_SUM) != 0, serial);
        assert_int_equal(f->has_span, gpu && !serial);
        assert_true(serial || f->busy_ns <= f->span_ns);
        assert_true(gpu || f->busy_ns + f->span_ns + f->sum_ns == 0);
        assert_int_equal(f->over_budget, gpu && f->busy_ns > 1);
        uint64_t shares_ns = 0;
        for (uint32_t i = 0; i < f->sample_count; i++) {
            shares_ns += f->samples[i].attributed_ns;
        }
        assert_int_equal(shares_ns, f->busy_ns);
        busy_ns += f->busy_ns;
    }
    passtime_stats stats;
    assert_int_equal(passtime_frame_stats(run.t, PASSTIME_TOTAL_BUSY, &stats), PASSTIME_OK);
    assert_int_equal(stats.count, gpu ? 20 : 0);
    assert_int_equal(stats.total_ns, busy_ns);
    assert_int_equal(passtime_frame_stats(run.t, PASSTIME_TOTAL_CPU_SUBMIT, &stats), PASSTIME_OK);
    assert_int_equal(stats.count, 20);
    conform_close(&run);
}

void conform_passes_nest(void **state)
{
    struct conform_run run;
    conform_prepare(&run, state);
    struct conformance_driver *d = run.d;
    if (!d->nests) {
        skip();
    }
    conform_open(&run);
    passtime_recorder *rec = d->begin(d, 1);
    void *encoder = d->encode(d, 1);
    d->pass_begin(d, rec, encoder, "outer");
    conform_pass(&run, rec, encoder, "first", 100);
    d->pass_begin(d, rec, encoder, "second");
    conform_pass(&run, rec, encoder, "inmost", 50);
    d->pass_end(d, rec, encoder);
    d->pass_end(d, rec, encoder);
    d->pass_end(d, rec, encoder); /* One too many. */
    conform_submit(&run, rec, encoder);
    passtime_frame_end(run.t, 1);
    const passtime_frame *f = conform_next(&run);
    static const uint32_t parents[] = {PASSTIME_NONE, 0, 0, 2};
    assert_int_equal(f->fate, PASSTIME_FRAME_COMPLETE);
    for (uint32_t i = 0; i < 4; i++) {
        const passtime_sample *s = &f->samples[i];
        assert_int_equal(s->parent, parents[i]);
        if (s->parent != PASSTIME_NONE) {
            assert_true(s->begin_ns >= f->samples[s->parent].begin_ns);
            assert_true(s->end_ns <= f->samples[s->parent].end_ns);
        }
    }
    assert_int_equal(f->samples[0].exclusive_ns + f->samples[1].duration_ns +
                         f->samples[2].duration_ns,
                     f->samples[0].duration_ns);
    assert_int_equal(conform_series(&run, "outer/second/inmost").stats.count, 1);
    assert_int_equal(conform_ledger(&run).orphan_ends, 1);
    conform_close(&run);
}

void conform_scopes_gather_passes(void **state)
{
    struct conform_run run;
    conform_prepare(&run, state);
    struct conformance_driver *d = run.d;
    conform_open(&run);
    for (uint64_t n = 1; n <= 2; n++) {
        passtime_recorder *rec = d->begin(d, n);
        void *encoder = d->encode(d, n);
        passtime_scope_begin(rec, "outer");
        conform_pass(&run, rec, encoder, "a", 100);
        passtime_scope_begin_id(rec, passtime_intern(run.t, "inner"));
        conform_pass(&run, rec, encoder, "a", 200);
        passtime_scope_end(rec);
        passtime_scope_end(rec);
        conform_pass(&run, rec, encoder, "a", 300);
        conform_submit(&run, rec, encoder);
        passtime_frame_end(run.t, n);
        const passtime_frame *f = conform_next(&run);
        assert_int_equal(f->scope_count, 2);
        assert_string_equal(f->scopes[0].name, "outer");
        assert_string_equal(f->scopes[1].name, "inner");
        assert_int_equal(f->scopes[1].parent, 0);
        assert_int_equal(f->scopes[0].sample_count, 2);
        assert_int_equal(f->scopes[1].sample_count, 1);
        assert_int_equal(f->samples[0].scope, 0);
        assert_int_equal(f->samples[1].scope, 1);
        assert_int_equal(f->samples[2].scope, PASSTIME_NONE);
        if (passtime_is_gpu_time(d->source)) {
            assert_true(f->scopes[0].complete && f->scopes[1].complete);
            assert_int_equal(f->scopes[1].busy_ns, f->samples[1].duration_ns);
            assert_true(f->scopes[0].busy_ns >= f->samples[0].duration_ns);
        } else {
            assert_int_equal(f->scopes[0].busy_ns, 0);
        }
    }
    assert_int_equal(conform_series(&run, "outer/inner/a").stats.count, 2);
    assert_int_equal(conform_series(&run, "outer/a").stats.count, 2);
    assert_int_equal(conform_series(&run, "a").stats.count, 2);
    conform_close(&run);
}

/* Three encoders of one frame, recorded in turns and submitted apart, in another order. */
void conform_several_recorders(void **state)
{
    struct conform_run run;
    conform_prepare(&run, state);
    struct conformance_driver *d = run.d;
    conform_open(&run);
    passtime_recorder *recs[3] = {d->begin(d, 1), passtime_recorder_begin(run.t, 1),
                                  passtime_recorder_begin(run.t, 1)};
    static const char *const names[] = {"one", "two", "three"};
    void *encoders[3];
    for (uint32_t i = 0; i < 3; i++) {
        assert_non_null(recs[i]);
        encoders[i] = d->encode(d, 1);
    }
    for (uint32_t i = 0; i < 6; i++) {
        conform_pass(&run, recs[i % 3], encoders[i % 3], names[i % 3], 100 * (i + 1));
    }
    conform_submit(&run, recs[2], encoders[2]);
    conform_submit(&run, recs[0], encoders[0]);
    assert_int_equal(passtime_frame_end(run.t, 1), PASSTIME_OK); /* One is not submitted yet. */
    conform_submit(&run, recs[1], encoders[1]);
    passtime_collect(run.t);
    const passtime_frame *f = conform_next(&run);
    assert_int_equal(f->fate, PASSTIME_FRAME_COMPLETE);
    assert_int_equal(conform_passes_of(f), 6);
    for (uint32_t i = 0; i < 6; i++) {
        conform_check_good(&run, &f->samples[i], names[i % 3], 100 * (i + 1));
    }
    conform_close(&run);
}

/* An encoder that is thrown away takes its own passes with it and no others. */
void conform_a_recorder_is_discarded(void **state)
{
    struct conform_run run;
    conform_prepare(&run, state);
    struct conformance_driver *d = run.d;
    conform_open(&run);
    for (uint64_t n = 1; n <= 6; n++) {
        passtime_recorder *recs[2] = {d->begin(d, n), passtime_recorder_begin(run.t, n)};
        void *encoders[2] = {d->encode(d, n), d->encode(d, n)};
        uint32_t dropped = n % 2;
        for (uint32_t i = 0; i < 4; i++) {
            conform_pass(&run, recs[i % 2], encoders[i % 2], i % 2 == dropped ? "dropped" : "kept",
                         100);
        }
        d->drop(d, encoders[dropped]);
        passtime_discarded(recs[dropped]);
        conform_submit(&run, recs[1 - dropped], encoders[1 - dropped]);
        passtime_frame_end(run.t, n);
        const passtime_frame *f = conform_next(&run);
        assert_int_equal(f->fate, PASSTIME_FRAME_INCOMPLETE);
        for (uint32_t i = 0; i < 4; i++) {
            if (i % 2 == dropped) {
                assert_int_equal(f->samples[i].verdict, PASSTIME_DISCARDED);
                assert_int_equal(f->samples[i].duration_ns, 0);
            } else {
                conform_check_good(&run, &f->samples[i], "kept", 100);
            }
        }
    }
    passtime_stats busy;
    assert_int_equal(passtime_frame_stats(run.t, PASSTIME_TOTAL_BUSY, &busy), PASSTIME_OK);
    assert_int_equal(busy.count, 0); /* An incomplete frame's totals are lower bounds. */
    assert_int_equal(conform_series(&run, "dropped").verdicts[PASSTIME_DISCARDED], 12);
    conform_close(&run);
}

/* A frame without passes, and one that was dropped whole. */
void conform_frames_without_work(void **state)
{
    struct conform_run run;
    conform_prepare(&run, state);
    struct conformance_driver *d = run.d;
    conform_open(&run);
    static const uint32_t lengths[] = {100};
    for (uint64_t n = 1; n <= 20; n += 3) {
        passtime_discarded(d->begin(d, n));
        passtime_frame_end(run.t, n);
        assert_int_equal(conform_next(&run)->fate, PASSTIME_FRAME_EMPTY);
        passtime_recorder *rec = d->begin(d, n + 1);
        void *encoder = d->encode(d, n + 1);
        conform_pass(&run, rec, encoder, "a", 100);
        d->drop(d, encoder);
        passtime_discarded(rec);
        passtime_frame_end(run.t, n + 1);
        const passtime_frame *f = conform_next(&run);
        assert_int_equal(f->fate, PASSTIME_FRAME_NO_DATA);
        assert_int_equal(f->number, n + 1);
        conform_frame(&run, n + 2, 1, lengths); /* What follows is measured as ever. */
        f = conform_next(&run);
        assert_int_equal(f->fate, PASSTIME_FRAME_COMPLETE);
        conform_check_good(&run, &f->samples[0], "a", 100);
    }
    conform_close(&run);
}

/* One name however it is given; and names that are none. */
void conform_names_in_three_ways(void **state)
{
    struct conform_run run;
    conform_prepare(&run, state);
    struct conformance_driver *d = run.d;
    conform_open(&run);
    passtime_id id = passtime_intern(run.t, "shadow");
    assert_int_not_equal(id, 0);
    assert_int_equal(passtime_intern_n(run.t, "shadow map", 6), id);
    char text[] = "shadow"; /* Not kept: */
    passtime_recorder *rec = d->begin(d, 1);
    void *encoder = d->encode(d, 1);
    d->pass(d, rec, encoder, (struct conformance_name){text, 0, 0}, 100);
    memset(text, 'x', 6);
    d->pass(d, rec, encoder, (struct conformance_name){"shadow pass", 6, 0}, 100);
    d->pass(d, rec, encoder, (struct conformance_name){NULL, 0, id}, 100);
    d->pass(d, rec, encoder, (struct conformance_name){"", 0, 0}, 100);
    d->pass(d, rec, encoder, (struct conformance_name){"bad \xFF", 0, 0}, 100);
    d->pass(d, rec, encoder, (struct conformance_name){NULL, 0, 123456}, 100);
    conform_submit(&run, rec, encoder);
    passtime_frame_end(run.t, 1);
    const passtime_frame *f = conform_next(&run);
    assert_int_equal(f->fate, PASSTIME_FRAME_COMPLETE);
    for (uint32_t i = 0; i < 3; i++) {
        conform_check_good(&run, &f->samples[i], "shadow", 100);
        assert_int_equal(f->samples[i].series, f->samples[0].series);
    }
    conform_check_good(&run, &f->samples[3], "(unnamed)", 100);
    conform_check_good(&run, &f->samples[4], "bad \xEF\xBF\xBD", 100);
    conform_check_good(&run, &f->samples[5], "(other)", 100);
    assert_int_equal(conform_series(&run, "shadow").stats.count, 3);
    conform_close(&run);
}
