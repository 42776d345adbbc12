/* SPDX-License-Identifier: MIT */
/* The list of the tests, and what they share. */
#include "conformance/conformance_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void *allocate(void *user, size_t bytes)
{
    struct conform_run *run = user;
    atomic_fetch_add(&run->allocations, 1);
    atomic_fetch_add(&run->alive, 1);
    return malloc(bytes);
}

static void release(void *user, void *memory)
{
    struct conform_run *run = user;
    atomic_fetch_sub(&run->alive, 1);
    free(memory);
}

void conform_prepare(struct conform_run *run, void **state)
{
    memset(run, 0, sizeof(*run));
    run->d = *state;
    run->desc = (passtime_desc)PASSTIME_DESC_INIT;
    run->desc.max_passes = CONFORMANCE_PASSES;
    run->desc.allocator = (passtime_allocator){allocate, release, run};
}

void conform_open(struct conform_run *run)
{
    run->d->open(run->d, &run->desc);
    run->t = run->d->t;
    assert_non_null(run->t);
    passtime_reset_stats(run->t);
}

passtime_ledger conform_ledger(struct conform_run *run)
{
    passtime_ledger ledger;
    assert_int_equal(passtime_get_ledger(run->t, &ledger), PASSTIME_OK);
    return ledger;
}

/* Whatever a test did: nothing was lost from the books. */
void conform_destroy(struct conform_run *run)
{
    passtime_ledger l = conform_ledger(run);
    uint64_t frames = l.frames_in_flight;
    uint64_t passes = l.passes_in_flight;
    for (uint32_t i = 0; i < PASSTIME_FATE_COUNT; i++) {
        frames += l.fates[i];
    }
    for (uint32_t i = 0; i < PASSTIME_VERDICT_COUNT; i++) {
        passes += l.verdicts[i];
    }
    assert_int_equal(frames, l.frames_seen);
    assert_int_equal(passes, l.passes_recorded);
    run->d->close(run->d);
    assert_null(run->d->t);
}

void conform_finish(struct conform_run *run)
{
    run->d->finish(run->d);
    assert_int_equal(run->alive, 0);
}

void conform_close(struct conform_run *run)
{
    conform_destroy(run);
    conform_finish(run);
}

void conform_pass(struct conform_run *run, passtime_recorder *rec, void *encoder, const char *name,
                  uint32_t length)
{
    run->d->pass(run->d, rec, encoder, (struct conformance_name){name, 0, 0}, length);
}

void conform_submit(struct conform_run *run, passtime_recorder *rec, void *encoder)
{
    run->d->submit(run->d, encoder);
    passtime_submitted(rec);
}

/* A frame of one recorder with passes "a", "b", "c" … of the given lengths. */
bool conform_frame(struct conform_run *run, uint64_t number, uint32_t count,
                   const uint32_t *lengths)
{
    passtime_recorder *rec = run->d->begin(run->d, number);
    void *encoder = run->d->encode(run->d, number);
    for (uint32_t i = 0; i < count; i++) {
        const char name[] = {(char)('a' + i), '\0'};
        conform_pass(run, rec, encoder, name, lengths[i]);
    }
    conform_submit(run, rec, encoder);
    passtime_result ended = passtime_frame_end(run->t, number);
    assert_int_equal(ended, rec != NULL ? PASSTIME_OK : PASSTIME_EMPTY);
    return rec != NULL;
}

/* The next judged frame; it comes in the end. */
const passtime_frame *conform_next(struct conform_run *run)
{
    const passtime_frame *f = NULL;
    passtime_result result = passtime_next(run->t, &f);
    while (result == PASSTIME_PENDING) {
        run->d->pump(run->d);
        result = passtime_next(run->t, &f);
    }
    assert_int_equal(result, PASSTIME_OK);
    return f;
}

uint32_t conform_drain(struct conform_run *run)
{
    const passtime_frame *f = NULL;
    uint32_t count = 0;
    passtime_result result;
    while ((result = passtime_next(run->t, &f)) != PASSTIME_EMPTY) {
        if (result == PASSTIME_PENDING) {
            run->d->pump(run->d);
        } else {
            count++;
        }
    }
    return count;
}

/* The samples of passes, without what a backend adds of its own (a whole submission). */
uint32_t conform_passes_of(const passtime_frame *f)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < f->sample_count; i++) {
        count += f->samples[i].source != PASSTIME_CPU_COMPLETE;
    }
    return count;
}

void conform_check_good(const struct conform_run *run, const passtime_sample *s, const char *name,
                        uint32_t length)
{
    assert_string_equal(s->name, name);
    assert_true(passtime_is_good(s->verdict));
    assert_int_equal(s->source, run->d->source);
    bool placed = run->d->source != PASSTIME_GPU_ELAPSED;
    assert_int_equal((s->flags & PASSTIME_FLAG_NO_POSITION) == 0, placed);
    assert_true(s->end_ns - s->begin_ns == (placed ? s->duration_ns : 0));
    if (run->d->exact) {
        assert_int_equal(s->duration_ns, run->d->duration_ns(run->d, length));
    }
}

passtime_series_info conform_series(struct conform_run *run, const char *path)
{
    passtime_series_info info = {0};
    for (uint32_t i = 0; i < passtime_series_count(run->t); i++) {
        if (passtime_series(run->t, i, &info) == PASSTIME_OK && strcmp(info.path, path) == 0) {
            return info;
        }
    }
    fail_msg("no series \"%s\"", path);
    return info;
}

int conformance_run(struct conformance_driver *driver)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(conform_samples_stand_in_order, driver),
        cmocka_unit_test_prestate(conform_totals_are_gpu_time, driver),
        cmocka_unit_test_prestate(conform_passes_nest, driver),
        cmocka_unit_test_prestate(conform_scopes_gather_passes, driver),
        cmocka_unit_test_prestate(conform_several_recorders, driver),
        cmocka_unit_test_prestate(conform_a_recorder_is_discarded, driver),
        cmocka_unit_test_prestate(conform_frames_without_work, driver),
        cmocka_unit_test_prestate(conform_names_in_three_ways, driver),
        cmocka_unit_test_prestate(conform_results_come_late, driver),
        cmocka_unit_test_prestate(conform_the_ring_is_full, driver),
        cmocka_unit_test_prestate(conform_passes_overflow, driver),
        cmocka_unit_test_prestate(conform_switched_off_and_on, driver),
        cmocka_unit_test_prestate(conform_one_frame_in_so_many, driver),
        cmocka_unit_test_prestate(conform_statistics_are_of_the_samples, driver),
        cmocka_unit_test_prestate(conform_memory_is_fixed, driver),
        cmocka_unit_test_prestate(conform_numbers_are_the_apps, driver),
        cmocka_unit_test_prestate(conform_destroyed_in_flight, driver),
        cmocka_unit_test_prestate(conform_frames_are_pipelined, driver),
    };
    return cmocka_run_group_tests_name(driver->api, tests, NULL, NULL);
}
