/* SPDX-License-Identifier: MIT */
/* One loop over the pairs of a plain frame. */
#include "core/plain.h"

#include "core/ticks.h"

/* Whether the passes of the last recorder asked for were handed to the GPU. */
struct submission {
    uint32_t recorder;
    bool done;
};

static inline bool was_submitted(const struct passtime_entry *e, const struct passtime_pass *pass,
                                 struct submission *last)
{
    if (pass->recorder != last->recorder) {
        const struct passtime_recorder *rec = &e->recorder_pool[pass->recorder];
        last->recorder = pass->recorder;
        last->done =
            atomic_load_explicit(&rec->state, memory_order_relaxed) == PASSTIME_RECORDER_SUBMITTED;
    }
    return last->done && pass->state == PASSTIME_PASS_DONE;
}

/* Both stamps were written, and since the slots were last seen. */
static inline bool is_new(const uint64_t now[2], const uint64_t last[2])
{
    return now[0] != 0 && now[1] != 0 && now[0] != last[0] && now[1] != last[1] &&
           last[0] != PASSTIME_UNSEEN;
}

/* Fills in all samples; false: one of them is not plain. Made twice, for ticks of 1 ns and others.
 */
static bool take_all(const passtime *t, const struct passtime_entry *e,
                     const struct passtime_plain *plain, struct passtime_placer *placer,
                     passtime_sample *samples, struct passtime_sequence *sequence)
{
    /* Copies, which what is stored below can't change under the compiler's eyes. */
    const struct passtime_plain p = *plain;
    const struct passtime_pass *passes = e->passes;
    const uint64_t *last_ticks = e->last_ticks;
    const struct passtime_names names = t->names;
    const passtime_source source = t->traits.source;
    const uint64_t mask = placer->mask;
    const uint32_t epoch = t->align.epoch;
    struct passtime_placer at = *placer;
    struct submission submission = {PASSTIME_NONE, false};
    bool in_sequence = true;
    uint64_t busy_ns = 0;
    uint64_t last_end_ns = 0;
    for (uint32_t pair = 0; pair < p.count; pair++) {
        passtime_sample *sample = &samples[pair];
        const struct passtime_pass *pass = &passes[pair];
        const uint64_t *ticks = p.ticks + 2 * (size_t)pair;
        const uint64_t now[2] = {ticks[0] & mask, ticks[1] & mask};
        uint64_t duration_ns;
        uint64_t begin_ns;
        if (!is_new(now, last_ticks + 2 * (size_t)pair) || !was_submitted(e, pass, &submission) ||
            !passtime_placer_scale(&at, (now[1] - now[0]) & mask, &duration_ns) ||
            duration_ns > p.longest_ns ||
            !passtime_placer_place(&at, now[0], duration_ns, &begin_ns)) {
            return false;
        }
        const char *name = passtime_names_text(&names, pass->name);
        passtime_sample_clear(pass, name, source, p.flags, sample);
        sample->verdict = now[0] == now[1] ? PASSTIME_BELOW_RESOLUTION : PASSTIME_GOOD;
        sample->clock_epoch = epoch;
        sample->begin_ns = begin_ns;
        sample->end_ns = begin_ns + duration_ns;
        sample->duration_ns = duration_ns;
        sample->exclusive_ns = duration_ns;
        sample->attributed_ns = duration_ns;
        in_sequence = in_sequence && begin_ns >= last_end_ns && pass->parent == PASSTIME_NONE &&
                      pass->scope == PASSTIME_NONE;
        last_end_ns = begin_ns + duration_ns;
        busy_ns += duration_ns;
    }
    *placer = at;
    *sequence = (struct passtime_sequence){in_sequence, busy_ns, last_end_ns - samples[0].begin_ns};
    return true;
}

static void remember(passtime *t, struct passtime_entry *e, const struct passtime_plain *plain,
                     uint64_t mask)
{
    const uint64_t *ticks = plain->ticks;
    uint64_t *last = e->last_ticks;
    uint32_t count = 2 * plain->count;
    for (uint32_t i = 0; i < count; i++) {
        last[i] = ticks[i] & mask;
    }
    passtime_quantum_add_many(&t->quantum, last, count);
}

bool passtime_plain_frame(passtime *t, struct passtime_entry *e, const struct passtime_plain *plain,
                          passtime_sample *samples, struct passtime_sequence *sequence)
{
    struct passtime_placer placer;
    if (!passtime_placer_begin(&t->align, e->unit, plain->envelope.seen_ns, &placer) ||
        !take_all(t, e, plain, &placer, samples, sequence) ||
        !passtime_placer_finish(&t->align, &placer, plain->envelope, plain->quantum_ns)) {
        return false;
    }
    remember(t, e, plain, placer.mask);
    return true;
}
