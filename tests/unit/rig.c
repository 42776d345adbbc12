/* SPDX-License-Identifier: MIT */
#include "unit/rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t rig_clock(void *user)
{
    const struct rig *rig = user;
    return rig->now_ns;
}

static void rig_log(void *user, passtime_log_item item, const char *message)
{
    struct rig *rig = user;
    assert_non_null(message);
    assert_true((uint32_t)item < RIG_LOG_ITEMS);
    rig->said[item]++;
}

static void *rig_allocate(void *user, size_t bytes)
{
    struct rig *rig = user;
    rig->allocations++;
    if (rig->allocations == rig->fail_at) {
        return NULL;
    }
    rig->allocated_blocks++;
    return malloc(bytes);
}

static void rig_release(void *user, void *memory)
{
    struct rig *rig = user;
    rig->allocated_blocks--;
    free(memory);
}

void rig_init(struct rig *rig)
{
    memset(rig, 0, sizeof(*rig));
    rig->now_ns = 1000000000u;
    rig->feed = (passtime_feed_desc)PASSTIME_FEED_DESC_INIT;
    rig->desc = (passtime_desc)PASSTIME_DESC_INIT;
    rig->desc.clock = rig_clock;
    rig->desc.clock_user = rig;
    rig->desc.log = rig_log;
    rig->desc.log_user = rig;
    rig->desc.allocator = (passtime_allocator){rig_allocate, rig_release, rig};
    rig->desc.seed = 12345;
}

void rig_open(struct rig *rig)
{
    assert_int_equal(passtime_create_feed(&rig->feed, &rig->desc, &rig->t), PASSTIME_OK);
    assert_non_null(rig->t);
}

void rig_open_default(struct rig *rig)
{
    rig_init(rig);
    rig_open(rig);
}

uint64_t rig_gpu(const struct rig *rig)
{
    return rig->now_ns + 7777777777u;
}

void rig_close(struct rig *rig)
{
    passtime_destroy(&rig->t);
    assert_null(rig->t);
    assert_int_equal(rig->allocated_blocks, 0);
}

passtime_recorder *rig_begin(struct rig *rig)
{
    rig->now_ns += 16000000;
    rig->pairs = 0;
    return passtime_frame_begin(rig->t, rig->frame++);
}

void rig_pass(struct rig *rig, passtime_recorder *rec, const char *name, uint64_t begin_ticks,
              uint64_t end_ticks)
{
    uint32_t pair = passtime_feed_pass(rec, name);
    if (pair != PASSTIME_NONE) {
        assert_true(pair < RIG_PASSES);
        rig->ticks[2 * pair] = begin_ticks;
        rig->ticks[2 * pair + 1] = end_ticks;
        rig->pairs = pair + 1 > rig->pairs ? pair + 1 : rig->pairs;
    }
}

void rig_results(struct rig *rig, uint64_t number, passtime_feed_status status)
{
    passtime_feed_results results = PASSTIME_FEED_RESULTS_INIT;
    results.status = status;
    results.ticks = rig->ticks;
    results.tick_count = 2 * rig->pairs;
    assert_int_equal(passtime_feed_results_ready(rig->t, number, &results), PASSTIME_OK);
}

void rig_finish(struct rig *rig, passtime_recorder *rec, uint64_t later_ns)
{
    passtime_submitted(rec);
    passtime_result result = passtime_frame_end(rig->t, rig->frame - 1);
    assert_true(result == PASSTIME_OK || result == PASSTIME_EMPTY);
    rig->now_ns += later_ns;
    if (rec != NULL && rig->pairs > 0) {
        rig_results(rig, rig->frame - 1, PASSTIME_FEED_OK);
    }
}

void rig_frame(struct rig *rig, const char *name, uint64_t begin_ticks, uint64_t end_ticks)
{
    passtime_recorder *rec = rig_begin(rig);
    rig_pass(rig, rec, name, begin_ticks, end_ticks);
    rig_finish(rig, rec, 8000000);
}

const passtime_frame *rig_next(struct rig *rig)
{
    const passtime_frame *frame = NULL;
    assert_int_equal(passtime_next(rig->t, &frame), PASSTIME_OK);
    assert_non_null(frame);
    return frame;
}

uint32_t rig_drain(struct rig *rig)
{
    const passtime_frame *frame = NULL;
    uint32_t count = 0;
    while (passtime_next(rig->t, &frame) == PASSTIME_OK) {
        count++;
    }
    return count;
}

passtime_series_info rig_series(struct rig *rig, const char *path)
{
    passtime_series_info info;
    for (uint32_t i = 0; i < passtime_series_count(rig->t); i++) {
        if (passtime_series(rig->t, i, &info) == PASSTIME_OK && strcmp(info.path, path) == 0) {
            return info;
        }
    }
    fail_msg("no series \"%s\"", path);
    return info;
}

passtime_ledger rig_ledger(struct rig *rig)
{
    passtime_ledger ledger;
    assert_int_equal(passtime_get_ledger(rig->t, &ledger), PASSTIME_OK);
    return ledger;
}

void rig_check_ledger(struct rig *rig)
{
    passtime_ledger l = rig_ledger(rig);
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
}
