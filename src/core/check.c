/* SPDX-License-Identifier: MIT */
/* Judges whether a device measures: pure arithmetic over what was measured on it. */
#include <passtime/check.h>

#include "core/math.h"

/* Limits of the proof. A busy machine, or one whose clock speeds up under load, must not fail it; a
 * device whose times have nothing to do with the work must. */
enum { COUNT_LEAST = 3, STEPS_LEAST = 3, FRAMES_FOR_A_MEAN = 1000 };
static const double rank_least = 0.9;
static const double linear_error_most = 0.25;
static const double repeat_error_most = 1.0 / 3.0;
static const double ratio_least = 0.5;
static const double ratio_most = 2.0;

static double absolute(double value)
{
    return value < 0.0 ? -value : value;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* False for negative ones, infinite ones and NaN. */
static bool is_time(double ns)
{
    return ns >= 0.0 && ns <= 1e18;
}

static bool is_near(double ratio)
{
    return ratio >= ratio_least && ratio <= ratio_most;
}

static bool is_there(const passtime_check_step *step)
{
    return step->count[0] >= COUNT_LEAST && step->count[1] >= COUNT_LEAST;
}

static double gpu_time(const passtime_check_step *step)
{
    return (step->gpu_ns[0] + step->gpu_ns[1]) / 2.0;
}

static double cpu_time(const passtime_check_step *step)
{
    return (step->cpu_ns[0] + step->cpu_ns[1]) / 2.0;
}

/* A ratio that is off by no more than two runs of the same work are apart proves nothing. */
static passtime_check_result judge_ratio(double ratio, const passtime_check_kind_verdict *kind)
{
    double agreed = kind->repeats == PASSTIME_CHECK_FAILS ? 1.0 - kind->repeat_error : 1.0;
    if (is_near(ratio))
        return PASSTIME_CHECK_HOLDS;
    return ratio >= ratio_least * agreed && ratio * agreed <= ratio_most ? PASSTIME_CHECK_UNKNOWN
                                                                         : PASSTIME_CHECK_FAILS;
}

typedef double (*time_of)(const passtime_check_step *step);

/* Ranks from 1, equal values sharing the mean of theirs. */
static double rank_of(const passtime_check_kind *kind, uint32_t index, time_of time)
{
    double below = 0.0, equal = 0.0, mine = time(&kind->steps[index]);
    for (uint32_t i = 0; i < kind->step_count; i++) {
        double other = time(&kind->steps[i]);
        if (other < mine)
            below += 1.0;
        else if (!(other > mine))
            equal += 1.0;
    }
    return below + (equal + 1.0) / 2.0;
}

/* Spearman's rank correlation, the general form, for ties occur on rounded stamps. */
static double rank_correlation(const passtime_check_kind *kind, time_of time)
{
    double n = (double)kind->step_count, middle = (n + 1.0) / 2.0;
    double both = 0.0, works = 0.0, times = 0.0;
    for (uint32_t i = 0; i < kind->step_count; i++) {
        double work = (double)i + 1.0 - middle; /* the steps come by rising work */
        double rank = rank_of(kind, i, time) - middle;
        both += work * rank;
        works += work * work;
        times += rank * rank;
    }
    return times > 0.0 ? both / passtime_sqrt(works * times) : 0.0;
}

struct line {
    double start_ns;
    double slope_ns;
};

/* The line of least squares through all steps. */
static struct line fit(const passtime_check_kind *kind, time_of time)
{
    double n = (double)kind->step_count, works = 0.0, times = 0.0, both = 0.0, square = 0.0;
    for (uint32_t i = 0; i < kind->step_count; i++) {
        double x = (double)kind->steps[i].parts, y = time(&kind->steps[i]);
        works += x;
        times += y;
        both += x * y;
        square += x * x;
    }
    double slope = (n * both - works * times) / (n * square - works * works);
    return (struct line){.start_ns = (times - slope * works) / n, .slope_ns = slope};
}

static void judge_line(const passtime_check_kind *kind, passtime_check_kind_verdict *out)
{
    struct line line = fit(kind, gpu_time);
    double longest = 0.0, worst = 0.0;
    for (uint32_t i = 0; i < kind->step_count; i++) {
        double y = gpu_time(&kind->steps[i]);
        double expected = line.start_ns + line.slope_ns * (double)kind->steps[i].parts;
        worst = larger(worst, absolute(y - expected));
        longest = larger(longest, y);
    }
    out->has_slope = true;
    out->slope_ns = line.slope_ns;
    out->linear_error = longest > 0.0 ? worst / longest : 0.0;
    out->linear = line.slope_ns > 0.0 && out->linear_error <= linear_error_most
                      ? PASSTIME_CHECK_HOLDS
                      : PASSTIME_CHECK_FAILS;
}

/* A stamp that is taken late or early leaves a share of the work out, whatever the rank says. The
 * CPU sees each part too, beside what a submission takes: the slopes are to agree. */
static void judge_cover(const passtime_check_kind *kind, passtime_check_kind_verdict *out)
{
    double cpu_slope = fit(kind, cpu_time).slope_ns;
    if (!out->cpu_rises || !(cpu_slope > 0.0))
        return;
    out->has_cover = true;
    out->cover_ratio = out->slope_ns / cpu_slope;
    out->covers = judge_ratio(out->cover_ratio, out);
}

/* Steps within four quanta of each other differ by the rounding alone. */
static void compare_runs(const passtime_check_kind *kind, double quantum_ns,
                         passtime_check_kind_verdict *out)
{
    double worst = 0.0;
    for (uint32_t i = 0; i < kind->step_count; i++) {
        const double *ns = kind->steps[i].gpu_ns;
        double more = larger(ns[0], ns[1]), apart = absolute(ns[0] - ns[1]);
        if (apart > 4.0 * quantum_ns)
            worst = larger(worst, apart / more);
    }
    out->has_repeat = true;
    out->repeat_error = worst;
    out->repeats = worst <= repeat_error_most ? PASSTIME_CHECK_HOLDS : PASSTIME_CHECK_FAILS;
}

static void judge_order(const passtime_check_kind *kind, double quantum_ns,
                        passtime_check_kind_verdict *out)
{
    /* A pass of a few quanta can be half or double by the rounding alone. */
    if (kind->order_count < COUNT_LEAST || !(kind->alone_ns > 4.0 * quantum_ns))
        return;
    out->has_order = true;
    out->order_ratio = kind->after_other_ns / kind->alone_ns;
    if (out->boundary != PASSTIME_CHECK_FAILS)
        out->boundary = judge_ratio(out->order_ratio, out);
}

static void judge_kind(const passtime_check_kind *kind, double quantum_ns,
                       passtime_check_kind_verdict *out)
{
    bool all = kind->step_count >= STEPS_LEAST, cpu = all;
    for (uint32_t i = 0; i < kind->step_count; i++) {
        all = all && is_there(&kind->steps[i]);
        cpu = cpu && kind->steps[i].cpu_ns[0] > 0.0 && kind->steps[i].cpu_ns[1] > 0.0;
    }
    out->cpu_rises = cpu && rank_correlation(kind, cpu_time) >= rank_least;
    if (!all)
        return;
    out->has_rank = true;
    out->rank = rank_correlation(kind, gpu_time);
    out->rises = out->rank >= rank_least ? PASSTIME_CHECK_HOLDS : PASSTIME_CHECK_FAILS;
    judge_line(kind, out);
    compare_runs(kind, quantum_ns, out);
    judge_cover(kind, out);
    if (out->covers == PASSTIME_CHECK_FAILS)
        out->boundary = PASSTIME_CHECK_FAILS;
    judge_order(kind, quantum_ns, out);
}

static bool is_sound(const passtime_check_kind *kind)
{
    bool sound = kind->step_count <= PASSTIME_CHECK_STEPS_MAX && is_time(kind->alone_ns) &&
                 is_time(kind->after_other_ns) && is_time(kind->before_other_ns);
    for (uint32_t i = 0; sound && i < kind->step_count; i++) {
        const passtime_check_step *step = &kind->steps[i];
        sound = is_time(step->gpu_ns[0]) && is_time(step->gpu_ns[1]) && is_time(step->cpu_ns[0]) &&
                is_time(step->cpu_ns[1]) && step->parts > 0 &&
                (i == 0 || step->parts > kind->steps[i - 1].parts);
    }
    return sound;
}

/* How many of the kinds that were run … */
struct tally {
    uint32_t run;
    uint32_t told;     /* … came to anything */
    uint32_t sound;    /* … rise with the work, and cover it */
    uint32_t linear;   /* … are in proportion too */
    uint32_t repeated; /* … agree from run to run too */
    uint32_t flat;     /* … do not rise */
    uint32_t untrue;   /* … have boundaries that are not true */
};

static struct tally count_kinds(const passtime_check_input *input,
                                const passtime_check_verdict *verdict)
{
    struct tally tally = {0};
    for (uint32_t i = 0; i < PASSTIME_CHECK_KINDS_MAX; i++) {
        const passtime_check_kind_verdict *kind = &verdict->kinds[i];
        bool sound = kind->rises == PASSTIME_CHECK_HOLDS && kind->covers != PASSTIME_CHECK_FAILS;
        tally.run += input->kinds[i].step_count > 0;
        tally.told += kind->rises != PASSTIME_CHECK_UNKNOWN;
        tally.sound += sound;
        tally.linear += sound && kind->linear == PASSTIME_CHECK_HOLDS;
        tally.repeated += sound && kind->repeats == PASSTIME_CHECK_HOLDS;
        tally.flat += kind->rises == PASSTIME_CHECK_FAILS;
        tally.untrue += kind->boundary == PASSTIME_CHECK_FAILS;
    }
    return tally;
}

static passtime_check_reason find_reason(const passtime_check_input *input,
                                         const passtime_check_verdict *verdict,
                                         const struct tally *tally)
{
    if (!input->feature)
        return PASSTIME_CHECK_NO_FEATURE;
    if (verdict->stamps == PASSTIME_CHECK_FAILS)
        return PASSTIME_CHECK_NO_STAMPS;
    if (verdict->stamps == PASSTIME_CHECK_UNKNOWN || tally->run == 0 || tally->told < tally->run)
        return PASSTIME_CHECK_TOO_LITTLE;
    if (tally->flat == tally->run)
        return PASSTIME_CHECK_NOT_RISING;
    /* What is left out of one kind says more than how well the rest agrees. */
    if (tally->sound < tally->run || tally->untrue > 0)
        return PASSTIME_CHECK_BOUNDARY_UNTRUE;
    if (tally->linear < tally->sound)
        return PASSTIME_CHECK_NOT_LINEAR;
    return tally->repeated < tally->sound ? PASSTIME_CHECK_NOT_REPEATABLE : PASSTIME_CHECK_PROVED;
}

/* One kind of pass that can be timed is worth having. */
static bool judge_gpu(const passtime_check_input *input, passtime_check_verdict *out)
{
    struct tally tally = count_kinds(input, out);
    out->reason = find_reason(input, out, &tally);
    return tally.sound > 0 &&
           (out->reason == PASSTIME_CHECK_PROVED || out->reason == PASSTIME_CHECK_NOT_LINEAR ||
            out->reason == PASSTIME_CHECK_NOT_REPEATABLE ||
            out->reason == PASSTIME_CHECK_BOUNDARY_UNTRUE);
}

static passtime_check_method choose(const passtime_check_input *input,
                                    const passtime_check_verdict *out)
{
    bool any = false, cpu = true;
    if (out->can_measure)
        return input->source == PASSTIME_GPU_ELAPSED ? PASSTIME_CHECK_ELAPSED
                                                     : PASSTIME_CHECK_STAMPS;
    /* The feature is there and may well work: what is slow or busy speaks for no other method. */
    if (out->reason == PASSTIME_CHECK_TOO_LITTLE)
        return PASSTIME_CHECK_NOT_TOLD;
    for (uint32_t i = 0; i < PASSTIME_CHECK_KINDS_MAX; i++) {
        any = any || input->kinds[i].step_count > 0;
        cpu = cpu && (input->kinds[i].step_count == 0 || out->kinds[i].cpu_rises);
    }
    if (!any)
        return PASSTIME_CHECK_NOTHING;
    return cpu ? PASSTIME_CHECK_CPU_SUBMIT : PASSTIME_CHECK_COUNTERS;
}

/* A pass of d under a quantum Q ticks with probability d/Q, so that its mean of n frames is off by
 * sqrt((Q/d - 1) / n) of itself: 10 % in a thousand frames at d = Q / 11. */
static void find_finest(const passtime_check_input *input, passtime_check_verdict *out)
{
    double finest = 0.0;
    if (!out->can_measure || input->quantum_ns == 0)
        return;
    finest = (double)input->quantum_ns / (1.0 + FRAMES_FOR_A_MEAN * 0.01);
    finest = larger(finest, 2.0 * (double)input->minimal_ns);
    if (input->has_pair_cost)
        finest = larger(finest, 10.0 * input->pair_cost_ns);
    out->has_finest = true;
    out->finest_ns = finest;
}

passtime_result passtime_check_judge(const passtime_check_input *input, passtime_check_verdict *out)
{
    static const passtime_check_verdict nothing = {.size = sizeof *out};
    bool sound = input && out && input->size == sizeof *input;
    for (uint32_t i = 0; sound && i < PASSTIME_CHECK_KINDS_MAX; i++)
        sound = is_sound(&input->kinds[i]);
    /* A cost may come out negative where it is smaller than its error. */
    if (!sound || (input->has_pair_cost && !is_time(absolute(input->pair_cost_ns))))
        return PASSTIME_INVALID;
    *out = nothing;
    if (input->minimal_samples > 0 && input->feature)
        out->stamps = (uint64_t)input->minimal_good * 2 > input->minimal_samples
                          ? PASSTIME_CHECK_HOLDS
                          : PASSTIME_CHECK_FAILS;
    for (uint32_t i = 0; i < PASSTIME_CHECK_KINDS_MAX; i++)
        judge_kind(&input->kinds[i], (double)input->quantum_ns, &out->kinds[i]);
    out->can_measure = judge_gpu(input, out);
    out->method = choose(input, out);
    find_finest(input, out);
    return PASSTIME_OK;
}

const char *passtime_check_result_name(passtime_check_result result)
{
    static const char *const names[] = {"unknown", "holds", "fails"};
    return (uint32_t)result < 3 ? names[result] : "unknown";
}

const char *passtime_check_method_name(passtime_check_method method)
{
    static const char *const names[] = {"nothing",    "stamps",          "elapsed",
                                        "cpu submit", "shader counters", "not told"};
    return (uint32_t)method < 6 ? names[method] : "nothing";
}

const char *passtime_check_reason_name(passtime_check_reason reason)
{
    static const char *const names[] = {"proved",          "no feature",         "no stamps",
                                        "not rising",      "not linear",         "not repeatable",
                                        "boundary untrue", "too little measured"};
    return (uint32_t)reason < 8 ? names[reason] : "too little measured";
}
