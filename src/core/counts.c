/* SPDX-License-Identifier: MIT */
/* Shader counters: what of a frame's counts can be believed, and the figures of each series. */
#include "core/counts.h"

#include <passtime/counters.h>

#include "core/judge.h"
#include "core/math.h"

#include <string.h>

/* The figures of one counter in one series. */
struct figures {
    uint64_t count;
    uint64_t unproved;
    uint64_t lost;
    uint64_t min;
    uint64_t max;
    uint64_t total; /* saturates */
    uint64_t last;
    uint64_t last_frame;
    double mean;
    double squares; /* sum of the squared distances from the mean */
    uint32_t life;  /* of the node that they are of */
    struct passtime_batches batches;
};

/* All that a context keeps of its counters, in one piece of memory. */
struct passtime_counts {
    uint32_t count;
    uint32_t samples; /* places for samples in each output slot */
    passtime_counted_fn *counted;
    passtime_counter_info infos[PASSTIME_COUNTERS_MAX];
    uint64_t *values;        /* [output slot][sample][counter] */
    uint8_t *states;         /* [output slot][sample]: enum passtime_counts_state */
    struct figures *figures; /* [node][counter] */
};

/* What is left of a text, cut at a code point. */
static void cut(char *text, size_t bytes)
{
    size_t length = strlen(text);
    if (length < bytes) {
        return;
    }
    length = bytes - 1;
    while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80) {
        length--;
    }
    text[length] = '\0';
}

static void describe(const passtime_counter_desc *desc, passtime_counter_info *info)
{
    char unit[PASSTIME_NAME_BYTES] = "";
    *info = (passtime_counter_info){.size = sizeof *info};
    (void)passtime_names_clean(desc->name, strlen(desc->name), info->name);
    if (desc->unit != NULL && desc->unit[0] != '\0') {
        (void)passtime_names_clean(desc->unit, strlen(desc->unit), unit);
        cut(unit, sizeof info->unit);
    }
    memcpy(info->unit, unit, sizeof info->unit);
}

bool passtime_front_counters_are_valid(const passtime_counters_desc *desc)
{
    bool valid = desc->size == sizeof *desc && desc->count >= 1 &&
                 desc->count <= PASSTIME_COUNTERS_MAX && desc->counters != NULL;
    for (uint32_t i = 0; valid && i < desc->count; i++) {
        valid = desc->counters[i].name != NULL && desc->counters[i].name[0] != '\0';
    }
    return valid;
}

passtime_result passtime_front_counters(passtime *t, const passtime_counters_desc *desc,
                                        passtime_counted_fn *counted)
{
    const size_t samples = (size_t)t->desc.max_passes + 1;
    const size_t places = ((size_t)t->desc.output_frames + 2) * samples;
    const size_t figures_bytes = (size_t)t->tree.max * desc->count * sizeof(struct figures);
    const size_t values_bytes = places * desc->count * sizeof(uint64_t);
    const size_t head_bytes = (sizeof(struct passtime_counts) + 15u) & ~(size_t)15u;
    /* Each factor has a limit of its own; their product may still be more than a size_t counts. */
    if (places > (SIZE_MAX - head_bytes - figures_bytes) / (PASSTIME_COUNTERS_MAX * 8 + 1)) {
        return PASSTIME_NO_MEMORY;
    }
    const size_t bytes = head_bytes + figures_bytes + values_bytes + places;
    struct passtime_counts *counts = passtime_front_allocate(&t->desc, bytes);
    if (counts == NULL) {
        return PASSTIME_NO_MEMORY;
    }
    unsigned char *at = (unsigned char *)counts + head_bytes;
    counts->count = desc->count;
    counts->counted = counted;
    counts->samples = (uint32_t)samples;
    counts->figures = (struct figures *)(void *)at;
    counts->values = (uint64_t *)(void *)(at + figures_bytes);
    counts->states = at + figures_bytes + values_bytes;
    for (uint32_t i = 0; i < desc->count; i++) {
        describe(&desc->counters[i], &counts->infos[i]);
    }
    t->memory_bytes += bytes;
    t->counts = counts;
    return PASSTIME_OK;
}

void passtime_counts_finish(passtime *t)
{
    passtime_front_free(&t->desc, t->counts);
    t->counts = NULL;
}

/* Entering --------------------------------------------------------------------------------------
 */

/* Did the pass run before its counts were read? Its time may be worthless all the same. */
static bool has_run(passtime_verdict verdict)
{
    return passtime_verdict_counts(verdict) || verdict == PASSTIME_UNIT_UNKNOWN ||
           verdict == PASSTIME_ABOVE_CEILING;
}

/* Stamps that are good prove that a pass ran, and that it counted nothing is then a fact. */
static bool is_proved(const passtime_sample *sample)
{
    return passtime_verdict_counts(sample->verdict) && passtime_is_gpu_time(sample->source);
}

static passtime_counts_state state_of(const struct passtime_raw *raw, uint32_t pair, uint32_t count,
                                      const passtime_sample *sample)
{
    if (raw->counted == NULL) {
        return has_run(sample->verdict) ? PASSTIME_COUNTS_NOT_ASKED : PASSTIME_COUNTS_LOST;
    }
    if (pair >= raw->counted_pairs || raw->counted[pair] == 0) {
        return PASSTIME_COUNTS_NOT_ASKED;
    }
    if (raw->counts == NULL || raw->state != PASSTIME_RAW_READY || !has_run(sample->verdict)) {
        return PASSTIME_COUNTS_LOST;
    }
    uint64_t any = 0;
    for (uint32_t i = 0; i < count; i++) {
        any |= raw->counts[(size_t)pair * count + i];
    }
    return any != 0 || is_proved(sample) ? PASSTIME_COUNTS_THERE : PASSTIME_COUNTS_UNPROVED;
}

static void add(struct figures *f, uint64_t value, uint64_t frame_number)
{
    const double step = (double)value - f->mean;
    f->min = f->count == 0 || value < f->min ? value : f->min;
    f->max = value > f->max ? value : f->max;
    f->total = value > UINT64_MAX - f->total ? UINT64_MAX : f->total + value;
    f->last = value;
    f->last_frame = frame_number;
    f->count++;
    f->mean += step / (double)f->count;
    f->squares += step * ((double)value - f->mean);
    passtime_batches_add(&f->batches, (double)value, 1);
}

static void enter_sample(passtime *t, const passtime_sample *sample, passtime_counts_state state,
                         const uint64_t *values, uint64_t frame_number)
{
    const struct passtime_counts *counts = t->counts;
    const struct passtime_node *node = &t->tree.nodes[sample->series];
    for (uint32_t i = 0; i < counts->count; i++) {
        struct figures *f = &counts->figures[(size_t)sample->series * counts->count + i];
        if (f->life != node->life) {
            *f = (struct figures){.life = node->life};
            passtime_batches_init(&f->batches);
        }
        f->unproved += state == PASSTIME_COUNTS_UNPROVED;
        f->lost += state == PASSTIME_COUNTS_LOST;
        if (state == PASSTIME_COUNTS_THERE) {
            add(f, values[i], frame_number);
        }
    }
}

void passtime_counts_ask(passtime *t, uint32_t entry, struct passtime_raw *raw)
{
    if (t->counts != NULL) {
        t->counts->counted(t->self, entry, raw);
    }
}

void passtime_counts_enter(passtime *t, const struct passtime_raw *raw,
                           const struct passtime_output *output)
{
    struct passtime_counts *counts = t->counts;
    if (counts == NULL) {
        return;
    }
    const passtime_frame *frame = &output->frame;
    size_t place = (size_t)(output - t->outputs.slots) * counts->samples;
    for (uint32_t pair = 0; pair < frame->sample_count; pair++) {
        const passtime_sample *sample = &output->samples[pair];
        if ((uint32_t)sample->verdict == PASSTIME_NO_PASS) {
            continue; /* Its place among the samples will be closed. */
        }
        const passtime_counts_state state = state_of(raw, pair, counts->count, sample);
        uint64_t *values = &counts->values[place * counts->count];
        counts->states[place++] = (uint8_t)state;
        if (state == PASSTIME_COUNTS_THERE) {
            memcpy(values, raw->counts + (size_t)pair * counts->count,
                   counts->count * sizeof *values);
        }
        if (state != PASSTIME_COUNTS_NOT_ASKED && raw->counted != NULL) {
            enter_sample(t, sample, state, values, frame->number);
        }
    }
}

/* Reading ---------------------------------------------------------------------------------------
 */

uint32_t passtime_counter_count(passtime *t)
{
    return t != NULL && t->counts != NULL ? t->counts->count : 0;
}

passtime_result passtime_counter(passtime *t, uint32_t index, passtime_counter_info *out)
{
    if (index >= passtime_counter_count(t) || out == NULL) {
        return PASSTIME_INVALID;
    }
    *out = t->counts->infos[index];
    return PASSTIME_OK;
}

passtime_counts_state passtime_counts(passtime *t, const passtime_frame *frame, uint32_t sample,
                                      uint64_t *values, uint32_t capacity)
{
    if (passtime_counter_count(t) == 0) {
        return PASSTIME_COUNTS_NOT_ASKED;
    }
    passtime_counts_state state = PASSTIME_COUNTS_LOST;
    passtime_lock_take(&t->results_lock);
    const struct passtime_counts *counts = t->counts;
    const uint32_t held = t->outputs.held;
    if (held != PASSTIME_NONE && frame == &t->outputs.slots[held].frame &&
        sample < frame->sample_count) {
        const size_t place = (size_t)held * counts->samples + sample;
        const uint32_t wanted = capacity < counts->count ? capacity : counts->count;
        state = (passtime_counts_state)counts->states[place];
        if (state == PASSTIME_COUNTS_THERE && values != NULL) {
            memcpy(values, &counts->values[place * counts->count], wanted * sizeof *values);
        }
    }
    passtime_lock_give(&t->results_lock);
    return state;
}

/* The error of the mean by the batches of all samples; where all are alike there is none. */
static void sum_up(const struct figures *f, passtime_counter_stats *out)
{
    *out = (passtime_counter_stats){.size = sizeof *out,
                                    .count = f->count,
                                    .unproved = f->unproved,
                                    .lost = f->lost,
                                    .total = f->total,
                                    .last = f->last,
                                    .last_frame = f->last_frame};
    if (f->count == 0) {
        return;
    }
    out->flags = PASSTIME_STATS_HAS_MEAN | PASSTIME_STATS_HAS_MIN | PASSTIME_STATS_HAS_MAX;
    out->min = f->min;
    out->max = f->max;
    out->mean = f->min == f->max ? (double)f->min : f->mean;
    if (f->min == f->max) {
        out->flags |= f->count > 1 ? PASSTIME_STATS_HAS_SE : 0u;
        return;
    }
    const struct passtime_moments moments = {.count = f->count,
                                             .min_ns = f->min,
                                             .max_ns = f->max,
                                             .mean_ns = f->mean,
                                             .variance = f->squares / (double)(f->count - 1),
                                             .frames = (double)f->count,
                                             .batches = &f->batches};
    passtime_stats stats = {.size = sizeof stats};
    passtime_stats_mean(&moments, 0, &stats);
    if ((stats.flags & PASSTIME_STATS_HAS_SE) != 0) {
        out->flags |= PASSTIME_STATS_HAS_SE;
        out->se = stats.se_ns;
    }
}

passtime_result passtime_counter_series(passtime *t, uint32_t series, uint32_t counter,
                                        passtime_counter_stats *out)
{
    if (counter >= passtime_counter_count(t) || out == NULL) {
        return PASSTIME_INVALID;
    }
    passtime_result result = PASSTIME_INVALID;
    passtime_lock_take(&t->results_lock);
    if (series < t->tree.count && t->tree.nodes[series].used) {
        const struct figures *f = &t->counts->figures[(size_t)series * t->counts->count + counter];
        const bool any = f->count + f->unproved + f->lost > 0;
        if (any && f->life == t->tree.nodes[series].life) {
            sum_up(f, out);
            result = PASSTIME_OK;
        }
    }
    passtime_lock_give(&t->results_lock);
    return result;
}

const char *passtime_counts_state_name(passtime_counts_state state)
{
    switch (state) {
    case PASSTIME_COUNTS_THERE:
        return "there";
    case PASSTIME_COUNTS_NOT_ASKED:
        return "not asked";
    case PASSTIME_COUNTS_UNPROVED:
        return "unproved";
    case PASSTIME_COUNTS_LOST:
        return "lost";
    }
    return "unknown";
}
