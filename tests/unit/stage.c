/* SPDX-License-Identifier: MIT */
#include "unit/stage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static uint64_t stage_clock(void *user)
{
    struct stage *stage = user;
    return atomic_fetch_add(&stage->now_ns, 10);
}

void stage_expect(struct stage *stage, bool right)
{
    if (!right) {
        atomic_fetch_add(&stage->wrong, 1);
    }
}

passtime_desc stage_desc(struct stage *stage)
{
    memset(stage, 0, sizeof(*stage));
    atomic_store(&stage->now_ns, 1000000000);
    passtime_desc desc = PASSTIME_DESC_INIT;
    desc.clock = stage_clock;
    desc.clock_user = stage;
    desc.timeout_ns = UINT64_MAX; /* The threads decide when results come, not this clock. */
    return desc;
}

void stage_check_ledger(passtime *t)
{
    passtime_ledger l;
    assert_int_equal(passtime_get_ledger(t, &l), PASSTIME_OK);
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
