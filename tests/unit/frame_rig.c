/* SPDX-License-Identifier: MIT */
#include "unit/frame_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

passtime_sample *frame_add(struct frame_rig *f, uint64_t begin_ns, uint64_t end_ns, uint32_t parent)
{
    assert_true(f->frame.sample_count < MAX_SAMPLES);
    passtime_sample *s = &f->samples[f->frame.sample_count++];
    *s = (passtime_sample){
        .parent = parent,
        .scope = PASSTIME_NONE,
        .verdict = begin_ns == end_ns ? PASSTIME_BELOW_RESOLUTION : PASSTIME_GOOD,
        .source = PASSTIME_GPU_STAMPS,
        .begin_ns = begin_ns,
        .end_ns = end_ns,
        .duration_ns = end_ns - begin_ns,
    };
    return s;
}

passtime_sample *frame_add_flat(struct frame_rig *f, uint64_t begin_ns, uint64_t end_ns)
{
    return frame_add(f, begin_ns, end_ns, PASSTIME_NONE);
}

passtime_sample *frame_add_elapsed(struct frame_rig *f, uint64_t duration_ns, uint32_t parent)
{
    passtime_sample *s = frame_add(f, 0, 0, parent);
    s->verdict = PASSTIME_GOOD;
    s->source = PASSTIME_GPU_ELAPSED;
    s->flags = PASSTIME_FLAG_NO_POSITION;
    s->duration_ns = duration_ns;
    return s;
}

uint32_t frame_add_scope(struct frame_rig *f, uint32_t parent)
{
    f->scopes[f->frame.scope_count] = (passtime_scope){.parent = parent};
    return f->frame.scope_count++;
}

/* Every figure holds rubbish before, so that one which is not filled shows. */
void frame_work_out(struct frame_rig *f)
{
    struct passtime_frame_scratch scratch;
    size_t bytes = passtime_frame_scratch_bytes(f->frame.sample_count, f->frame.scope_count);
    void *memory = malloc(bytes + 1);
    assert_non_null(memory);
    memset(memory, 0xA5, bytes);
    passtime_frame_scratch_init(&scratch, memory, f->frame.sample_count, f->frame.scope_count);
    f->frame.busy_ns = f->frame.span_ns = f->frame.sum_ns = 77;
    f->frame.has_span = f->frame.sample_count % 2;
    f->frame.flags |= PASSTIME_FLAG_SERIAL_SUM;
    for (uint32_t i = 0; i < f->frame.sample_count; i++) {
        f->samples[i].exclusive_ns = f->samples[i].attributed_ns = 77;
        f->samples[i].flags |= PASSTIME_FLAG_OVERLAPS;
    }
    for (uint32_t i = 0; i < f->frame.scope_count; i++) {
        f->scopes[i].busy_ns = f->scopes[i].sample_count = 77;
        f->scopes[i].complete = false;
    }
    passtime_frame_totals(&f->frame, f->samples, f->scopes, &scratch);
    free(memory);
}
