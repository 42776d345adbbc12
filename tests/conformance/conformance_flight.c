/* SPDX-License-Identifier: MIT */
/* Frames in flight: late, too many, switched off, counted, and destroyed. */
#include "conformance/conformance_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* Results that are late: PENDING, never a value; then each frame with its own number, in order. */
void conform_results_come_late(void **state)
{
    struct conform_run run;
    conform_prepare(&run, state);
    run.desc.frames_in_flight = CONFORMANCE_FRAMES;
    conform_open(&run);
    const passtime_frame *f = NULL;
    assert_int_equal(passtime_next(run.t, &f), PASSTIME_EMPTY);
    for (uint32_t i = 0; i < CONFORMANCE_FRAMES; i++) {
        const uint32_t lengths[] = {100 * (i + 1)};
        assert_true(conform_frame(&run, 100 + i, 1, lengths));
        if (run.d->holds) {
            assert_int_equal(passtime_next(run.t, &f), PASSTIME_PENDING);
            assert_null(f);
        }
    }
    for (uint32_t i = 0; i < CONFORMANCE_FRAMES; i++) {
        f = conform_next(&run);
        assert_int_equal(f->number, 100 + i);
        conform_check_good(&run, &f->samples[0], "a", 100 * (i + 1));
        assert_true(!run.d->holds || f->frames_late == CONFORMANCE_FRAMES - 1 - i);
    }
    assert_int_equal(passtime_next(run.t, &f), PASSTIME_EMPTY);
    conform_close(&run);
}

/* Every entry in flight: the app goes on, the loss is counted, and afterwards all is measured
 * again. */
void conform_the_ring_is_full(void **state)
{
    struct conform_run run;
    conform_prepare(&run, state);
    run.desc.frames_in_flight = 2;
    conform_open(&run);
    static const uint32_t lengths[] = {100, 200};
    uint32_t timed = 0;
    for (uint64_t n = 1; n <= 5; n++) {
        timed += conform_frame(&run, n, 2, lengths);
        assert_true(!run.d->holds || timed == (n < 2 ? 1u : 2u));
    }
    assert_int_equal(conform_ledger(&run).fates[PASSTIME_FRAME_SKIPPED_FULL], 5 - timed);
    assert_true(!run.d->holds || conform_ledger(&run).skip_run_max == 3);
    assert_int_equal(conform_drain(&run), timed);
    assert_true(conform_frame(&run, 6, 2, lengths));
    const passtime_frame *f = conform_next(&run);
    assert_int_equal(f->number, 6);
    assert_int_equal(f->fate, PASSTIME_FRAME_COMPLETE);
    conform_close(&run);
}

/* More passes than slots: the surplus is counted, not timed, and does not disturb the others. */
void conform_passes_overflow(void **state)
{
    struct conform_run run;
    conform_prepare(&run, state);
    run.desc.max_passes = 4;
    conform_open(&run);
    static const uint32_t lengths[] = {100, 200, 300, 400, 500, 600, 700};
    conform_frame(&run, 1, 7, lengths);
    const passtime_frame *f = conform_next(&run);
    assert_int_equal(f->fate, PASSTIME_FRAME_INCOMPLETE);
    assert_int_equal(conform_passes_of(f), 4);
    assert_int_equal(f->passes_without_slot, 3);
    conform_check_good(&run, &f->samples[3], "d", 400);
    assert_int_equal(conform_ledger(&run).verdicts[PASSTIME_NO_SLOT], 3);
    conform_frame(&run, 2, 4, lengths); /* The limit itself is allowed. */
    assert_int_equal(conform_next(&run)->fate, PASSTIME_FRAME_COMPLETE);
    conform_close(&run);
}

void conform_switched_off_and_on(void **state)
{
    struct conform_run run;
    conform_prepare(&run, state);
    struct conformance_driver *d = run.d;
    conform_open(&run);
    static const uint32_t lengths[] = {100};
    passtime_recorder *rec = d->begin(d, 1);
    void *encoder = d->encode(d, 1);
    passtime_enable(run.t, false); /* In the midst of a frame: it holds from the next one on. */
    conform_pass(&run, rec, encoder, "a", 100);
    conform_submit(&run, rec, encoder);
    passtime_frame_end(run.t, 1);
    assert_false(conform_frame(&run, 2, 1, lengths));
    passtime_enable(run.t, true);
    assert_true(conform_frame(&run, 3, 1, lengths));
    assert_int_equal(conform_next(&run)->number, 1);
    assert_int_equal(conform_next(&run)->number, 3);
    assert_int_equal(conform_ledger(&run).fates[PASSTIME_FRAME_SKIPPED_OFF], 1);
    assert_int_equal(conform_series(&run, "a").stats.count, 2);
    conform_close(&run);
}

void conform_one_frame_in_so_many(void **state)
{
    struct conform_run run;
    conform_prepare(&run, state);
    run.desc.every = 5;
    run.desc.seed = 99;
    conform_open(&run);
    static const uint32_t lengths[] = {100};
    passtime_set_every(run.t, 4);
    uint32_t timed = 0;
    for (uint64_t n = 1; n <= 40; n++) {
        timed += conform_frame(&run, n, 1, lengths);
        conform_drain(&run);
    }
    assert_true(timed >= 9 && timed <= 11); /* It may begin and end within a block of four. */
    assert_int_equal(conform_ledger(&run).fates[PASSTIME_FRAME_SKIPPED_STRIDE], 40 - timed);
    passtime_set_every(run.t, 1);
    assert_true(conform_frame(&run, 1000, 1, lengths));
    conform_drain(&run);
    conform_close(&run);
}

/* What the series say is what the frames gave. */
void conform_statistics_are_of_the_samples(void **state)
{
    struct conform_run run;
    conform_prepare(&run, state);
    conform_open(&run);
    uint64_t count = 0, total = 0, least = UINT64_MAX, most = 0, last = 0, shares = 0;
    uint32_t frames = 300 / run.d->slowness;
    for (uint64_t n = 1; n <= frames; n++) {
        const uint32_t lengths[] = {100 + (uint32_t)(n * 37 % 91), 50};
        conform_frame(&run, n, 2, lengths);
        const passtime_frame *f = conform_next(&run);
        assert_int_equal(f->number, n);
        if (passtime_is_good(f->samples[0].verdict)) {
            uint64_t ns = f->samples[0].duration_ns;
            count++;
            total += ns;
            least = ns < least ? ns : least;
            most = ns > most ? ns : most;
            last = ns;
            shares += f->fate == PASSTIME_FRAME_COMPLETE ? f->samples[0].attributed_ns : 0;
        }
    }
    passtime_series_info a = conform_series(&run, "a");
    assert_int_equal(a.kind, PASSTIME_SERIES_PASS);
    assert_int_equal(a.source, run.d->source);
    assert_int_equal(a.stats.count, count);
    assert_int_equal(a.stats.count + a.stats.rejected, frames);
    assert_int_equal(a.stats.total_ns, total);
    assert_int_equal(a.stats.last_ns, last);
    assert_int_equal(a.attributed_ns, shares);
    assert_true((a.stats.flags & PASSTIME_STATS_HAS_MIN) == 0 || a.stats.min_ns == least);
    assert_true((a.stats.flags & PASSTIME_STATS_HAS_MAX) == 0 || a.stats.max_ns == most);
    if (a.stats.flags & PASSTIME_STATS_HAS_MEAN) {
        double mean = (double)total / (double)count;
        assert_true(a.stats.mean_ns > mean * 0.999999 && a.stats.mean_ns < mean * 1.000001);
    }
    conform_close(&run);
}

/* Whatever an app does over many frames, nothing is allocated after create. */
void conform_memory_is_fixed(void **state)
{
    struct conform_run run;
    conform_prepare(&run, state);
    struct conformance_driver *d = run.d;
    conform_open(&run);
    size_t bytes = passtime_memory_bytes(run.t);
    uint32_t allocations = run.allocations;
    for (uint64_t n = 1; n <= 600 / d->slowness; n++) {
        const char label[] = {'l', (char)('0' + n % 10), (char)('0' + n / 10 % 10),
                              (char)('0' + n / 100), 0};
        passtime_recorder *rec = d->begin(d, n);
        void *encoder = d->encode(d, n);
        passtime_scope_begin(rec, "scope");
        for (uint64_t i = 0; i < n % 20; i++) {
            conform_pass(&run, rec, encoder, i == 0 ? label : "steady", 100);
        }
        passtime_scope_end(rec);
        conform_submit(&run, rec, encoder);
        passtime_frame_end(run.t, n);
        if (n % 3 == 0) {
            d->pump(d);
            const passtime_frame *f = NULL;
            (void)passtime_next(run.t, &f);
        }
    }
    conform_drain(&run);
    assert_int_equal(run.allocations, allocations);
    assert_int_equal(passtime_memory_bytes(run.t), bytes);
    conform_close(&run);
}

/* Numbers are the app's: they may skip, fall, and come again once they are free. */
void conform_numbers_are_the_apps(void **state)
{
    struct conform_run run;
    conform_prepare(&run, state);
    conform_open(&run);
    static const uint64_t numbers[] = {UINT64_MAX, 0, 7, 7, 3, 1ull << 40, 0};
    static const uint32_t lengths[] = {100};
    for (uint32_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        assert_true(conform_frame(&run, numbers[i], 1, lengths));
        assert_int_equal(conform_next(&run)->number, numbers[i]);
    }
    if (run.d->holds) {
        conform_frame(&run, 5, 1, lengths);
        assert_null(passtime_frame_begin(run.t, 5)); /* It is still in flight. */
        assert_int_equal(conform_ledger(&run).fates[PASSTIME_FRAME_REFUSED], 1);
        assert_int_equal(conform_drain(&run), 1);
    }
    conform_close(&run);
}

/* Legal at any time: frames judged, held, in flight, ended, and open with an encoder
 * half recorded. */
void conform_destroyed_in_flight(void **state)
{
    struct conform_run run;
    conform_prepare(&run, state);
    struct conformance_driver *d = run.d;
    conform_open(&run);
    static const uint32_t lengths[] = {100, 200};
    conform_frame(&run, 1, 2, lengths);
    (void)conform_next(&run);
    conform_frame(&run, 2, 2, lengths);
    d->pump(d);
    conform_frame(&run, 3, 2, lengths);
    passtime_recorder *rec = d->begin(d, 4);
    void *ended = d->encode(d, 4);
    conform_pass(&run, rec, ended, "a", 100);
    passtime_frame_end(run.t, 4);
    passtime_recorder *other = d->begin(d, 5);
    void *open = d->encode(d, 5);
    passtime_scope_begin(other, "scope");
    conform_pass(&run, other, open, "a", 100);
    conform_destroy(&run);
    d->drop(d, open);
    d->drop(d, ended);
    conform_finish(&run);
}
