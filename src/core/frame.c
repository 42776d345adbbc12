/* SPDX-License-Identifier: MIT */
#include "core/frame.h"

#include "core/order.h"
#include "core/share.h"

/* What a first look at the samples tells. */
struct survey {
    uint32_t placed;  /* how many have a position; scratch->order lists them */
    bool in_order;    /* they are sorted by begin already */
    bool one_queue;   /* they ran on one queue */
    bool no_position; /* a good GPU sample is a duration only */
};

/* As the public tests of verdicts and sources, but inline: they are asked several times a sample.
 */
static inline bool is_good(const passtime_sample *s)
{
    return s->verdict == PASSTIME_GOOD || s->verdict == PASSTIME_BELOW_RESOLUTION;
}

static inline bool is_gpu(const passtime_sample *s)
{
    return is_good(s) && (s->source == PASSTIME_GPU_STAMPS || s->source == PASSTIME_GPU_ELAPSED);
}

static inline bool is_duration(const passtime_sample *s)
{
    return is_gpu(s) &&
           (s->source == PASSTIME_GPU_ELAPSED || (s->flags & PASSTIME_FLAG_NO_POSITION) != 0);
}

static inline bool is_placed(const passtime_sample *s, uint32_t clock_epoch)
{
    return is_gpu(s) && !is_duration(s) && s->clock_epoch == clock_epoch &&
           s->end_ns >= s->begin_ns;
}

/* The scope of a sample and the one around a scope, where they stand before it as they must. */
static inline uint32_t scope_of(const passtime_frame *frame, const passtime_sample *s)
{
    return s->scope < frame->scope_count ? s->scope : PASSTIME_NONE;
}

static inline uint32_t scope_around(const passtime_scope *scopes, uint32_t scope)
{
    return scopes[scope].parent < scope ? scopes[scope].parent : PASSTIME_NONE;
}

static uint64_t add_saturating(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

size_t passtime_frame_scratch_bytes(uint32_t max_samples, uint32_t max_scopes)
{
    return max_scopes * sizeof(uint64_t) + max_samples * (4 * sizeof(uint32_t));
}

void passtime_frame_scratch_init(struct passtime_frame_scratch *scratch, void *memory,
                                 uint32_t max_samples, uint32_t max_scopes)
{
    scratch->scope_end = memory;
    scratch->order = (uint32_t *)(scratch->scope_end + max_scopes);
    scratch->spare = scratch->order + max_samples;
    scratch->root = scratch->spare + max_samples;
    scratch->depth = scratch->root + max_samples;
}

static void clear(passtime_frame *frame, passtime_scope *scopes,
                  const struct passtime_frame_scratch *scratch)
{
    frame->busy_ns = 0;
    frame->span_ns = 0;
    frame->sum_ns = 0;
    frame->has_span = false;
    frame->flags &= ~(uint32_t)PASSTIME_FLAG_SERIAL_SUM;
    for (uint32_t i = 0; i < frame->scope_count; i++) {
        scopes[i].busy_ns = 0;
        scopes[i].sample_count = 0;
        scopes[i].complete = true;
        scratch->scope_end[i] = 0;
    }
}

/* Puts a good sample into the good one around it, if there is one. A rejected pass between the two
 * is passed over, so that no time is counted twice. */
static void nest(passtime_sample *samples, uint32_t i, uint32_t around, uint32_t clock_epoch,
                 const struct passtime_frame_scratch *scratch)
{
    const passtime_sample *s = &samples[i];
    passtime_sample *outer = &samples[around];
    if (is_gpu(outer) == is_gpu(s))
        outer->exclusive_ns -=
            outer->exclusive_ns < s->duration_ns ? outer->exclusive_ns : s->duration_ns;
    if (outer->queue == s->queue && is_placed(outer, clock_epoch) && is_placed(s, clock_epoch)) {
        scratch->root[i] = scratch->root[around];
        scratch->depth[i] = scratch->depth[around] + 1;
    }
}

/* Sets up sample i alone, finds the nearest good sample at or around it, and nests it. */
static void place(const passtime_frame *frame, passtime_sample *samples, uint32_t i,
                  const struct passtime_frame_scratch *scratch)
{
    uint32_t *nearest = scratch->spare;
    passtime_sample *s = &samples[i];
    bool good = is_good(s);
    uint32_t around = s->parent < i ? nearest[s->parent] : PASSTIME_NONE;
    nearest[i] = good ? i : around;
    scratch->root[i] = i;
    scratch->depth[i] = 0;
    s->flags &= ~(uint32_t)PASSTIME_FLAG_OVERLAPS;
    s->attributed_ns = 0;
    s->exclusive_ns = good ? s->duration_ns : 0;
    if (good && around != PASSTIME_NONE)
        nest(samples, i, around, frame->clock_epoch, scratch);
}

static struct survey look_at_samples(const passtime_frame *frame, passtime_sample *samples,
                                     const struct passtime_frame_scratch *scratch)
{
    struct survey survey = {0, true, true, false};
    const passtime_sample *last = NULL;
    for (uint32_t i = 0; i < frame->sample_count; i++) {
        const passtime_sample *s = &samples[i];
        place(frame, samples, i, scratch);
        survey.no_position = survey.no_position || is_duration(s);
        if (!is_placed(s, frame->clock_epoch))
            continue;
        scratch->order[survey.placed++] = i;
        if (last != NULL) {
            survey.in_order = survey.in_order && last->begin_ns <= s->begin_ns;
            survey.one_queue = survey.one_queue && last->queue == s->queue;
        }
        last = s;
    }
    return survey;
}

/* What [begin, end] adds to a union that is covered up to *covered, taken in order of begin. */
static uint64_t cover(uint64_t *covered, const passtime_sample *s)
{
    uint64_t from = s->begin_ns > *covered ? s->begin_ns : *covered;
    if (s->end_ns <= from)
        return 0;
    *covered = s->end_ns;
    return s->end_ns - from;
}

/* Unions, of the frame and of its scopes. scratch->order goes by begin. */
static void find_busy(passtime_frame *frame, const passtime_sample *samples, passtime_scope *scopes,
                      const struct passtime_frame_scratch *scratch, uint32_t placed)
{
    uint64_t covered = 0;
    for (uint32_t i = 0; i < placed; i++) {
        const passtime_sample *s = &samples[scratch->order[i]];
        frame->busy_ns += cover(&covered, s);
        uint32_t scope = scope_of(frame, s);
        for (; scope != PASSTIME_NONE; scope = scope_around(scopes, scope))
            scopes[scope].busy_ns += cover(&scratch->scope_end[scope], s);
    }
    /* Where no interval has a length, nothing is covered, and all passes are instants. */
    uint64_t first = samples[scratch->order[0]].begin_ns;
    uint64_t last = samples[scratch->order[placed - 1]].begin_ns;
    frame->span_ns = (covered > last ? covered : last) - first;
    frame->has_span = true;
}

static uint64_t begin_of(const passtime_sample *sample)
{
    return sample->begin_ns;
}

static uint64_t queue_of(const passtime_sample *sample)
{
    return sample->queue;
}

static void share_out(passtime_sample *samples, const struct passtime_frame_scratch *scratch,
                      uint32_t placed)
{
    for (uint32_t at = 0; at < placed;) {
        const uint32_t *order = scratch->order + at;
        uint32_t count = 1;
        while (at + count < placed && samples[order[count]].queue == samples[order[0]].queue)
            count++;
        const struct passtime_share share = {
            .samples = samples,
            .order = order,
            .count = count,
            .root = scratch->root,
            .depth = scratch->depth,
            .heap = scratch->spare,
        };
        passtime_share_queue(&share);
        at += count;
    }
}

static void total_positions(passtime_frame *frame, passtime_sample *samples, passtime_scope *scopes,
                            struct passtime_frame_scratch *scratch, const struct survey *survey)
{
    uint32_t placed = survey->placed;
    if (!survey->in_order)
        passtime_order_sort(samples, &scratch->order, &scratch->spare, placed, begin_of);
    find_busy(frame, samples, scopes, scratch, placed);
    if (!survey->one_queue)
        passtime_order_sort(samples, &scratch->order, &scratch->spare, placed, queue_of);
    share_out(samples, scratch, placed);
}

/* Durations without a position are taken to have run one after another. */
static void total_durations(passtime_frame *frame, passtime_sample *samples, passtime_scope *scopes)
{
    frame->flags |= PASSTIME_FLAG_SERIAL_SUM;
    for (uint32_t i = 0; i < frame->sample_count; i++) {
        passtime_sample *s = &samples[i];
        if (!is_duration(s))
            continue;
        s->attributed_ns = s->exclusive_ns;
        frame->busy_ns = add_saturating(frame->busy_ns, s->exclusive_ns);
        uint32_t scope = scope_of(frame, s);
        for (; scope != PASSTIME_NONE; scope = scope_around(scopes, scope))
            scopes[scope].busy_ns = add_saturating(scopes[scope].busy_ns, s->exclusive_ns);
    }
}

/* The frame's sum, and how many samples each scope has and whether all of them were counted. */
static void count_samples(passtime_frame *frame, const passtime_sample *samples,
                          passtime_scope *scopes)
{
    bool serial = (frame->flags & PASSTIME_FLAG_SERIAL_SUM) != 0;
    for (uint32_t i = 0; i < frame->sample_count; i++) {
        const passtime_sample *s = &samples[i];
        if (is_gpu(s))
            frame->sum_ns = add_saturating(frame->sum_ns, s->exclusive_ns);
        bool counted = serial ? is_duration(s) : is_placed(s, frame->clock_epoch);
        uint32_t scope = scope_of(frame, s);
        for (; scope != PASSTIME_NONE; scope = scope_around(scopes, scope)) {
            scopes[scope].sample_count++;
            scopes[scope].complete = scopes[scope].complete && counted;
        }
    }
}

/* The frame that most frames are: good passes, one after another, none within another.
 * All totals in one go, at a quarter of the general way's cost. False: it is not such a frame. */
static bool total_sequence(passtime_frame *frame, passtime_sample *samples, passtime_scope *scopes)
{
    uint64_t now = 0;
    for (uint32_t i = 0; i < frame->sample_count; i++) {
        passtime_sample *s = &samples[i];
        if (!is_placed(s, frame->clock_epoch) || s->parent != PASSTIME_NONE || s->begin_ns < now)
            return false;
        now = s->end_ns;
        s->flags &= ~(uint32_t)PASSTIME_FLAG_OVERLAPS;
        s->exclusive_ns = s->duration_ns;
        s->attributed_ns = s->end_ns - s->begin_ns;
        frame->sum_ns += s->duration_ns;
        frame->busy_ns += s->attributed_ns;
        uint32_t scope = scope_of(frame, s);
        for (; scope != PASSTIME_NONE; scope = scope_around(scopes, scope)) {
            scopes[scope].busy_ns += s->attributed_ns;
            scopes[scope].sample_count++;
        }
    }
    frame->has_span = frame->sample_count > 0;
    frame->span_ns = frame->sample_count > 0 ? now - samples[0].begin_ns : 0;
    return true;
}

void passtime_frame_totals(passtime_frame *frame, passtime_sample *samples, passtime_scope *scopes,
                           struct passtime_frame_scratch *scratch)
{
    clear(frame, scopes, scratch);
    if (total_sequence(frame, samples, scopes))
        return;
    clear(frame, scopes, scratch);
    struct survey survey = look_at_samples(frame, samples, scratch);
    if (survey.placed > 0)
        total_positions(frame, samples, scopes, scratch, &survey);
    else if (survey.no_position)
        total_durations(frame, samples, scopes);
    count_samples(frame, samples, scopes);
}

void passtime_frame_spoil_scope(passtime_scope *scopes, uint32_t scope)
{
    for (; scope != PASSTIME_NONE; scope = scope_around(scopes, scope))
        scopes[scope].complete = false;
}
