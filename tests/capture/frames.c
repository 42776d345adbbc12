/* SPDX-License-Identifier: MIT */
/* Frames made by hand; see frames.h. */
#include "capture/frames.h"

#include <string.h>

void made_begin(struct made_frame *m, uint64_t number)
{
    memset(m, 0, sizeof *m);
    m->frame.number = number;
    m->frame.samples = m->samples;
    m->frame.scopes = m->scopes;
    m->frame.cpu_begin_ns = 1000000000u + number * 16000000u;
    m->frame.cpu_submit_ns = 1500000 + number % 7;
    m->frame.cpu_seen_ns = m->frame.cpu_begin_ns + 40000000u;
    m->frame.frames_late = 2;
    m->frame.align_bound_ns = UINT64_MAX;
}

passtime_sample *made_rejected(struct made_frame *m, const char *name, passtime_verdict verdict)
{
    passtime_sample *s = &m->samples[m->frame.sample_count++];
    s->name = name;
    s->series = PASSTIME_NONE;
    s->parent = PASSTIME_NONE;
    s->scope = PASSTIME_NONE;
    s->verdict = verdict;
    s->clock_epoch = m->frame.clock_epoch;
    if (!passtime_is_good(verdict))
        m->frame.fate = PASSTIME_FRAME_INCOMPLETE;
    return s;
}

passtime_sample *made_pass(struct made_frame *m, const char *name, uint64_t begin_ns,
                           uint64_t end_ns)
{
    passtime_sample *s =
        made_rejected(m, name, begin_ns == end_ns ? PASSTIME_BELOW_RESOLUTION : PASSTIME_GOOD);
    s->begin_ns = begin_ns;
    s->end_ns = end_ns;
    s->duration_ns = end_ns - begin_ns;
    s->exclusive_ns = s->duration_ns;
    s->attributed_ns = s->duration_ns;
    m->frame.has_span = true;
    return s;
}

passtime_scope *made_scope(struct made_frame *m, const char *name, uint64_t busy_ns)
{
    passtime_scope *s = &m->scopes[m->frame.scope_count++];
    s->name = name;
    s->series = PASSTIME_NONE;
    s->parent = PASSTIME_NONE;
    s->complete = true;
    s->busy_ns = busy_ns;
    return s;
}

static void add_odd_ones(struct made_frame *m, uint64_t number)
{
    passtime_sample *elapsed = made_rejected(m, "elapsed", PASSTIME_GOOD);
    elapsed->source = PASSTIME_GPU_ELAPSED;
    elapsed->flags = PASSTIME_FLAG_NO_POSITION;
    elapsed->duration_ns = 123457 + number;
    elapsed->exclusive_ns = elapsed->duration_ns;
    if (number % 8 != 3)
        return;
    made_rejected(m, "shadow", PASSTIME_STALE);
    made_rejected(m, "späte Arbeit", PASSTIME_LATE_SUBMIT)->cpu_begin_ns =
        m->frame.cpu_begin_ns + 5;
    m->frame.passes_without_slot = 2;
}

void made_rich(struct made_frame *m, uint64_t number)
{
    made_begin(m, number);
    const uint64_t base = 16000000u * number;
    passtime_sample *shadow = made_pass(m, "shadow", base + 1, base + 2000002);
    shadow->scope = 0;
    passtime_sample *inner = made_pass(m, "cascade", base + 1, base + 1000000);
    inner->parent = 0;
    inner->scope = 0;
    shadow->exclusive_ns = shadow->duration_ns - inner->duration_ns;
    shadow->attributed_ns = shadow->exclusive_ns;
    passtime_sample *light = made_pass(m, "light", base + 2000002, base + 5000000 + number);
    light->scope = 1;
    passtime_sample *bloom = made_pass(m, "bloom", base + 4000000, base + 6000000);
    bloom->flags = PASSTIME_FLAG_OVERLAPS;
    bloom->attributed_ns = base + 6000000 - light->end_ns;
    made_pass(m, "tiny", base + 6000000, base + 6000000);
    made_pass(m, "async", base + 10, base + 7000000)->queue = 1;
    passtime_sample *stamped = made_pass(m, "ui", base + 6000000, base + 6100000);
    stamped->cpu_begin_ns = m->frame.cpu_begin_ns + 100;
    stamped->cpu_end_ns = m->frame.cpu_begin_ns + 200;
    made_scope(m, "world", 5000000)->sample_count = 3;
    made_scope(m, "lighting", 3000000 + number)->parent = 0;
    m->scopes[1].complete = number % 8 != 3;
    m->frame.busy_ns = 6999999;
    m->frame.span_ns = 6999999;
    m->frame.sum_ns = 15000000 + number;
    m->frame.over_budget = number % 5 == 0;
    add_odd_ones(m, number);
}
