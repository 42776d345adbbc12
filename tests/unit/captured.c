/* SPDX-License-Identifier: MIT */
/* Captures in memory; see captured.h. */
#include "unit/captured.h"

#include "core/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool write_bytes(void *user, const void *data, size_t bytes)
{
    struct captured *m = user;
    const size_t room = m->limit - m->size;
    const size_t taken = bytes < room ? bytes : room;
    if (m->size + taken > m->capacity) {
        m->capacity = 2 * (m->size + taken);
        m->bytes = realloc(m->bytes, m->capacity);
        assert_non_null(m->bytes);
    }
    if (taken > 0)
        memcpy(m->bytes + m->size, data, taken);
    m->size += taken;
    return taken == bytes;
}

passtime_result captured_open(struct captured *m, const passtime_capture_desc *desc,
                              passtime_capture **c)
{
    const passtime_writer writer = {write_bytes, m};
    return passtime_capture_open_writer(&writer, desc, c);
}

static void keep_frame(void *user, uint32_t context, const passtime_frame *frame)
{
    struct captured *m = user;
    (void)context;
    assert_true(m->frame_count < CAPTURED_FRAMES);
    m->frames[m->frame_count] = passtime_frame_copy(frame);
    assert_non_null(m->frames[m->frame_count]);
    m->frame_count++;
}

passtime_result captured_read(struct captured *m, size_t size)
{
    const struct passtime_frame_visitor visitor = {keep_frame, m};
    /* A copy of just that size, so that a read beyond it is seen by the address sanitizer. */
    uint8_t *exact = malloc(size > 0 ? size : 1);
    assert_non_null(exact);
    captured_forget(m);
    if (size > 0)
        memcpy(exact, m->bytes, size);
    const passtime_result result =
        passtime_capture_read_memory(exact, size, &visitor, &m->data, m->error, sizeof m->error);
    free(exact);
    return result;
}

void captured_forget(struct captured *m)
{
    for (uint32_t i = 0; i < m->frame_count; i++)
        free(m->frames[i]);
    m->frame_count = 0;
    m->error[0] = '\0';
    passtime_capture_data_finish(&m->data);
}

void captured_finish(struct captured *m)
{
    captured_forget(m);
    free(m->bytes);
    m->bytes = NULL;
    m->size = 0;
    m->capacity = 0;
}

static void assert_same_name(const char *a, const char *b)
{
    char clean[PASSTIME_NAME_BYTES];
    (void)passtime_names_clean(a, a != NULL ? strlen(a) : 0, clean);
    assert_string_equal(clean, b);
}

static void assert_same_sample(const passtime_sample *a, const passtime_sample *b)
{
    assert_same_name(a->name, b->name);
    assert_int_equal(a->parent, b->parent);
    assert_int_equal(a->scope, b->scope);
    assert_int_equal(a->queue, b->queue);
    assert_int_equal(a->verdict, b->verdict);
    assert_int_equal(a->source, b->source);
    assert_int_equal(a->flags, b->flags);
    assert_int_equal(a->clock_epoch, b->clock_epoch);
    assert_int_equal(a->begin_ns, b->begin_ns);
    assert_int_equal(a->end_ns, b->end_ns);
    assert_int_equal(a->duration_ns, b->duration_ns);
    assert_int_equal(a->exclusive_ns, b->exclusive_ns);
    assert_int_equal(a->attributed_ns, b->attributed_ns);
    assert_int_equal(a->cpu_begin_ns, b->cpu_begin_ns);
    assert_int_equal(a->cpu_end_ns, b->cpu_end_ns);
}

static void assert_same_scope(const passtime_scope *a, const passtime_scope *b)
{
    assert_same_name(a->name, b->name);
    assert_int_equal(a->parent, b->parent);
    assert_int_equal(a->sample_count, b->sample_count);
    assert_int_equal(a->complete, b->complete);
    assert_int_equal(a->busy_ns, b->busy_ns);
}

void assert_same_frame(const passtime_frame *a, const passtime_frame *b)
{
    assert_int_equal(a->number, b->number);
    assert_int_equal(a->fate, b->fate);
    assert_int_equal(a->flags, b->flags);
    assert_int_equal(a->passes_without_slot, b->passes_without_slot);
    assert_int_equal(a->clock_epoch, b->clock_epoch);
    assert_int_equal(a->over_budget, b->over_budget);
    assert_int_equal(a->has_span, b->has_span);
    assert_int_equal(a->busy_ns, b->busy_ns);
    assert_int_equal(a->span_ns, b->span_ns);
    assert_int_equal(a->sum_ns, b->sum_ns);
    assert_int_equal(a->cpu_begin_ns, b->cpu_begin_ns);
    assert_int_equal(a->cpu_submit_ns, b->cpu_submit_ns);
    assert_int_equal(a->cpu_seen_ns, b->cpu_seen_ns);
    assert_int_equal(a->frames_late, b->frames_late);
    assert_int_equal(a->align_offset_ns, b->align_offset_ns);
    assert_int_equal(a->align_bound_ns, b->align_bound_ns);
    assert_int_equal(a->sample_count, b->sample_count);
    assert_int_equal(a->scope_count, b->scope_count);
    for (uint32_t i = 0; i < a->sample_count; i++)
        assert_same_sample(&a->samples[i], &b->samples[i]);
    for (uint32_t i = 0; i < a->scope_count; i++)
        assert_same_scope(&a->scopes[i], &b->scopes[i]);
}
