/* SPDX-License-Identifier: MIT */
/*
 * The frame that nearly all frames are: every pass was handed to the GPU, all stamps were written,
 * none is what its slot gave before, and all fit the running epoch. Such a frame is judged and
 * placed in one go, at a fraction of what it costs to ask the judge about each pair and then to
 * place it.
 */
#ifndef PASSTIME_CORE_PLAIN_H
#define PASSTIME_CORE_PLAIN_H

#include "core/context.h"

/* What is known of the frame. */
struct passtime_plain {
    const uint64_t *ticks; /* begin and end of each pair, all of them */
    uint32_t count;        /* pairs */
    uint32_t flags;        /* PASSTIME_FLAG_ bits of every sample */
    uint64_t longest_ns;   /* the judge finds no duration up to this too long */
    uint64_t quantum_ns;   /* slack for rounded stamps */
    struct passtime_envelope envelope;
};

/* The totals of a frame whose passes ran one after another, none within another and none in a
 * scope. */
struct passtime_sequence {
    bool holds; /* it is such a frame, and the shares of its samples are filled in as well */
    uint64_t busy_ns;
    uint64_t span_ns;
};

/* Fills in the samples, and remembers what the slots gave. False: it is not such a frame, and
 * nothing but the samples has changed. Whatever it takes, the judge would find good too. */
bool passtime_plain_frame(passtime *t, struct passtime_entry *e, const struct passtime_plain *plain,
                          passtime_sample *samples, struct passtime_sequence *sequence);

/* A sample about which nothing is known but what was recorded. Every field is set by name:
 * compilers clear a structure of this size at once, which takes longer than all the rest. */
static inline void passtime_sample_clear(const struct passtime_pass *pass, const char *name,
                                         passtime_source source, uint32_t flags,
                                         passtime_sample *sample)
{
    sample->name = name;
    sample->series = PASSTIME_NONE;
    sample->parent = pass->parent;
    sample->scope = pass->scope;
    sample->queue = 0;
    sample->verdict = PASSTIME_GOOD;
    sample->source = source;
    sample->flags = pass->flags | flags;
    sample->clock_epoch = 0;
    sample->begin_ns = 0;
    sample->end_ns = 0;
    sample->duration_ns = 0;
    sample->exclusive_ns = 0;
    sample->attributed_ns = 0;
    sample->cpu_begin_ns = 0;
    sample->cpu_end_ns = 0;
}

#endif
