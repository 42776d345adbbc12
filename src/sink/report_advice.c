/* SPDX-License-Identifier: MIT */
/* Finds runs of short passes and says what one pair of stamps around each would give. */
#include "sink/report_advice.h"

#include <stdarg.h>
#include <string.h>

#include "sink/report_figures.h"

enum { NAMES_SHOWN = 6, NAME_BYTES_SHOWN = 40 };

/* As in the check's finest pass: its mean comes within 10 % in a thousand frames. */
static const double quantum_parts = 11.0;
/* The pair then adds more than a tenth to the pass. */
static const double cost_times = 10.0;
/* So often in a frame, or more: it is its own neighbour. */
static const double often = 1.5;

/* What all passes of a context are held against. */
struct scale {
    double quantum_ns;
    double cost_ns; /* 0: not known, or smaller than can be told */
    double busy_ns; /* 0: not known */
    double frames;
};

static struct scale scale_of(const struct passtime_report_context *context)
{
    const struct passtime_snapshot *snapshot = context->snapshot;
    const passtime_check_cost *cost = context->stamp_cost;
    const uint64_t *fates = snapshot->ledger.fates;
    struct scale scale = {.quantum_ns = (double)snapshot->clock.quantum_ns};
    scale.frames = (double)(fates[PASSTIME_FRAME_COMPLETE] + fates[PASSTIME_FRAME_INCOMPLETE]);
    (void)passtime_figure(&snapshot->totals[PASSTIME_TOTAL_BUSY], PASSTIME_FIGURE_MEAN,
                          &scale.busy_ns);
    if (cost && cost->known && cost->low_ns > 0.0)
        scale.cost_ns = cost->ns;
    return scale;
}

/* What a pass's mean is below for sure. */
static bool upper_end(const passtime_stats *stats, double *ns)
{
    return passtime_figure(stats, PASSTIME_FIGURE_CI_HIGH, ns) ||
           passtime_figure(stats, PASSTIME_FIGURE_BELOW, ns) ||
           (!(stats->flags & PASSTIME_STATS_QUANTIZED) &&
            passtime_figure(stats, PASSTIME_FIGURE_MEAN, ns));
}

static bool is_short(const passtime_series_info *series, double limit_ns)
{
    double upper_ns;
    return series->source == PASSTIME_GPU_STAMPS && !(series->flags & PASSTIME_FLAG_OVERLAPS) &&
           series->stats.count > 0 && upper_end(&series->stats, &upper_ns) && upper_ns < limit_ns;
}

/* Frames until a mean of `ns` a frame is within 10 %: the law of a rounded duration. Above half a
 * step its error is at most half a step by the root of the frames. */
static double frames_for(double ns, double quantum_ns)
{
    if (!(ns > 0.0))
        return -1.0;
    double steps = quantum_ns / ns;
    return steps > 2.0 ? 100.0 * (steps - 1.0) : 25.0 * steps * steps;
}

/* Enters one more pass at the end of the run. */
static void extend(struct passtime_advice *run, const struct passtime_snapshot *snapshot,
                   uint32_t index, const struct scale *scale)
{
    const passtime_series_info *series = &snapshot->series[index];
    double mean_ns = -1.0;
    double a_frame = (double)(series->stats.count + series->stats.rejected) / scale->frames;
    if (run->name_count == 0)
        run->first = index;
    run->last = index;
    run->name_count++;
    run->passes_a_frame += a_frame;
    /* One that never ticked has a mean of which only an upper end is known. */
    if (!passtime_figure(&series->stats, PASSTIME_FIGURE_MEAN, &mean_ns) || !(mean_ns > 0.0)) {
        run->sum_ns = -1.0;
        run->frames_alone = -1.0;
        return;
    }
    if (run->sum_ns >= 0.0)
        run->sum_ns += a_frame * mean_ns;
    double frames = frames_for(mean_ns, scale->quantum_ns) / a_frame;
    if (run->frames_alone >= 0.0 && frames > run->frames_alone)
        run->frames_alone = frames;
}

static bool is_worth_it(const struct passtime_advice *run)
{
    return run->name_count > 1 || (run->name_count == 1 && run->passes_a_frame > often);
}

static void finish(struct passtime_advice *run, const struct scale *scale)
{
    run->frames_grouped = frames_for(run->sum_ns, scale->quantum_ns);
    if (run->by_cost)
        run->frames_alone = run->frames_grouped = -1.0; /* rounding is not what limits them */
    run->saved_ns = run->saved_share = -1.0;
    if (scale->cost_ns > 0.0 && run->passes_a_frame > 1.0) {
        run->saved_ns = (run->passes_a_frame - 1.0) * scale->cost_ns;
        run->saved_share = scale->busy_ns > 0.0 ? run->saved_ns / scale->busy_ns : -1.0;
    }
}

/* Neighbours are passes of one scope, queue and parent, in the order of first sight. */
static bool continues(const struct passtime_snapshot *snapshot, const struct passtime_advice *run,
                      uint32_t index)
{
    const passtime_series_info *last = &snapshot->series[run->last];
    const passtime_series_info *next = &snapshot->series[index];
    return run->name_count == 0 || (last->parent == next->parent && last->queue == next->queue);
}

size_t passtime_advise(const struct passtime_report_context *context,
                       struct passtime_advice list[PASSTIME_ADVICE_MAX])
{
    const struct passtime_snapshot *snapshot = context->snapshot;
    const struct scale scale = scale_of(context);
    const double step_ns = scale.quantum_ns / quantum_parts;
    const double cost_ns = cost_times * scale.cost_ns;
    const struct passtime_advice none = {.by_cost = cost_ns > step_ns,
                                         .limit_ns = cost_ns > step_ns ? cost_ns : step_ns};
    struct passtime_advice run = none;
    size_t count = 0;
    if (snapshot->clock.source != PASSTIME_GPU_STAMPS || !(scale.frames > 0.0))
        return 0;
    for (uint32_t i = 0; i <= snapshot->series_count && count < PASSTIME_ADVICE_MAX; i++) {
        bool end = i == snapshot->series_count;
        if (!end && (snapshot->series[i].kind != PASSTIME_SERIES_PASS ||
                     snapshot->series[i].stats.count + snapshot->series[i].stats.rejected == 0))
            continue;
        bool fits = !end && is_short(&snapshot->series[i], none.limit_ns);
        if (!fits || !continues(snapshot, &run, i)) {
            if (is_worth_it(&run)) {
                finish(&run, &scale);
                list[count++] = run;
            }
            run = none;
        }
        if (fits)
            extend(&run, snapshot, i, &scale);
    }
    return count;
}

/* A text of fixed size that is written piece by piece; what has no room is left out. */
struct writer {
    char *text;
    size_t bytes;
    size_t length;
};

__attribute__((format(printf, 2, 3))) static void put(struct writer *out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(out->text + out->length, out->bytes - out->length, format, arguments);
    va_end(arguments);
    if (length > 0)
        out->length += (size_t)length;
    if (out->length >= out->bytes)
        out->length = out->bytes - 1;
}

/* A long name is cut between characters, of which the bytes after the first are 10xxxxxx. */
static void put_name(struct writer *out, const char *name)
{
    size_t length = strlen(name);
    if (length <= NAME_BYTES_SHOWN) {
        put(out, "%s", name);
        return;
    }
    length = NAME_BYTES_SHOWN - 3;
    while (length > 0 && ((unsigned char)name[length] & 0xc0) == 0x80)
        length--;
    put(out, "%.*s...", (int)length, name);
}

static void put_names(struct writer *out, const struct passtime_snapshot *snapshot,
                      const struct passtime_advice *advice)
{
    uint32_t shown = 0;
    bool all = advice->name_count <= NAMES_SHOWN;
    uint32_t most = all ? advice->name_count : NAMES_SHOWN - 1;
    for (uint32_t i = advice->first; i <= advice->last && shown < most; i++) {
        const passtime_series_info *series = &snapshot->series[i];
        if (series->kind != PASSTIME_SERIES_PASS ||
            series->stats.count + series->stats.rejected == 0)
            continue;
        bool last = all && shown + 1 == most;
        put(out, "%s", shown == 0 ? "" : last ? " and " : ", ");
        put_name(out, series->name);
        shown++;
    }
    if (!all)
        put(out, " and %u more", advice->name_count - most);
    if (advice->name_count == 1)
        put(out, ", %.3g times a frame,", advice->passes_a_frame);
}

static void put_gain(struct writer *out, const struct passtime_advice *advice)
{
    if (advice->saved_ns >= 0.0) {
        put(out, "takes %.3g us of stamps off a frame", advice->saved_ns / 1e3);
        if (advice->saved_share >= 0.0)
            put(out, " (%.2g %% of it)", 100.0 * advice->saved_share);
    }
    if (advice->by_cost)
        return;
    if (advice->saved_ns >= 0.0)
        put(out, ", and ");
    if (advice->frames_grouped >= 0.0)
        put(out, "tells the sum of them, some %.2g us, within 10 %% in %.0f frames",
            advice->sum_ns / 1e3, advice->frames_grouped);
    else
        put(out, "tells the sum of them sooner than any one of them");
    if (advice->frames_grouped >= 0.0 && advice->frames_alone >= 0.0)
        put(out, "; the shortest one alone takes %.0f", advice->frames_alone);
}

void passtime_advice_text(const struct passtime_report_context *context,
                          const struct passtime_advice *advice, char text[PASSTIME_ADVICE_BYTES])
{
    struct writer out = {.text = text, .bytes = PASSTIME_ADVICE_BYTES};
    text[0] = '\0';
    put_names(&out, context->snapshot, advice);
    put(&out, " %s short against ", advice->name_count == 1 ? "is" : "are");
    if (advice->by_cost)
        put(&out, "what a pair of stamps costs (%.3g us). ", context->stamp_cost->ns / 1e3);
    else
        put(&out, "the clock's step of %llu ns. ",
            (unsigned long long)context->snapshot->clock.quantum_ns);
    put(&out, "Where they follow one another in one encoder, a group ");
    put_gain(&out, advice);
    put(&out, ".");
}
