/* SPDX-License-Identifier: MIT */
/* The plan of `probe --check`: what is run how often and in which order, and what is kept of it. */
#include "cli/check.h"

#include <stdlib.h>

#include "port/port.h"

enum {
    STEPS = 5,
    REPEATS = 9,       /* of each step in each run */
    ORDER_REPEATS = 9, /* of the pass alone, and of the same after another */
    ORDER_PARTS = 4,
    LONG_PARTS = 16,
    COST_PASSES = 32, /* between the two that are always timed */
    COST_PAIRS = 48,
    SCALE_MOST = 8192,
    TRIES = 3, /* of a proof that does not come to its end */
};

/* One part lasts at least that long, and some steps of the clock. */
static const double part_ns = 250e3;
static const double part_quanta = 8.0;

struct plan {
    struct check_device *device;
    struct check_outcome *out;
    uint64_t end_ns;
    uint64_t random;
};

static bool in_time(const struct plan *plan)
{
    return passtime_port_now_ns() < plan->end_ns;
}

static uint32_t random_below(struct plan *plan, uint32_t limit)
{
    plan->random = plan->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(plan->random >> 33) % limit;
}

static int by_size(const void *a, const void *b)
{
    const double *left = a, *right = b;
    return (*left > *right) - (*left < *right);
}

/* The second shortest of nine: what the work takes where nothing else disturbs it, without the luck
 * of a single shortest value. */
static double typical(double *values, uint32_t count)
{
    if (count == 0)
        return 0.0;
    qsort(values, count, sizeof values[0], by_size);
    return values[count / 8];
}

/* Samples come in the order of recording, so that each timed pass finds its own. */
static void take_samples(const passtime_frame *frame, struct check_pass *passes, uint32_t count)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!passes[i].timed || next >= frame->sample_count)
            continue;
        const passtime_sample *sample = &frame->samples[next++];
        passes[i].good = passtime_is_good(sample->verdict);
        passes[i].begin_ns = (double)sample->begin_ns;
        passes[i].end_ns = (double)(sample->begin_ns + sample->duration_ns);
    }
}

passtime_result check_take(passtime *timer, uint64_t number, struct check_pass *passes,
                           uint32_t count, struct check_cpu *cpu)
{
    const passtime_frame *frame = NULL;
    passtime_result result;
    do {
        uint64_t begun_ns = passtime_port_now_ns();
        result = passtime_next(timer, &frame);
        cpu->collect_ns = (double)(passtime_port_now_ns() - begun_ns);
    } while (result == PASSTIME_OK && frame->number != number);
    if (result == PASSTIME_OK)
        take_samples(frame, passes, count);
    return result;
}

static double length_ns(const struct check_pass *pass)
{
    return pass->end_ns - pass->begin_ns;
}

static bool run_one(struct plan *plan, enum check_kind kind, uint32_t parts,
                    struct check_pass *pass, struct check_cpu *cpu)
{
    *pass = (struct check_pass){.kind = kind, .parts = parts, .timed = true};
    return in_time(plan) && plan->device->frame(plan->device->user, pass, 1, cpu);
}

/* By the GPU's clock where that says anything; by the CPU's where that has seen enough for any GPU,
 * so that stamps which leave the work out do not make it grow without end. */
static bool part_is_long_enough(struct plan *plan, enum check_kind kind)
{
    double quantum = (double)plan->out->input.quantum_ns * part_quanta;
    double least = part_ns > quantum ? part_ns : quantum, shortest = 0.0;
    bool cpu_enough = true;
    for (uint32_t i = 0; i < 3; i++) {
        struct check_pass pass;
        struct check_cpu cpu = {0};
        if (run_one(plan, kind, 1, &pass, &cpu) && pass.good &&
            (i == 0 || length_ns(&pass) < shortest))
            shortest = length_ns(&pass);
        cpu_enough = cpu_enough && cpu.submit_ns >= 16.0 * least;
    }
    return shortest >= least || cpu_enough;
}

static void find_scale(struct plan *plan, enum check_kind kind)
{
    uint32_t scale = 1;
    plan->device->set_scale(plan->device->user, kind, scale);
    while (scale < SCALE_MOST && in_time(plan) && !part_is_long_enough(plan, kind)) {
        scale *= 2;
        plan->device->set_scale(plan->device->user, kind, scale);
    }
}

/* What one run gathers of all steps. */
struct gathered {
    double gpu_ns[PASSTIME_CHECK_KINDS_MAX][STEPS][REPEATS];
    double cpu_ns[PASSTIME_CHECK_KINDS_MAX][STEPS][REPEATS];
    uint32_t gpu_count[PASSTIME_CHECK_KINDS_MAX][STEPS];
    uint32_t cpu_count[PASSTIME_CHECK_KINDS_MAX][STEPS];
};

static void gather(struct plan *plan, struct gathered *all, uint32_t kind, uint32_t step)
{
    struct check_pass pass;
    struct check_cpu cpu = {0};
    bool came = run_one(plan, (enum check_kind)kind, 1u << step, &pass, &cpu);
    if (came && pass.good)
        all->gpu_ns[kind][step][all->gpu_count[kind][step]++] = length_ns(&pass);
    if (cpu.submit_ns > 0.0)
        all->cpu_ns[kind][step][all->cpu_count[kind][step]++] = cpu.submit_ns;
}

/* All steps of all kinds as often, in random order: a clock that speeds up or a machine that gets
 * busy then touches all of them alike. */
static void run_steps(struct plan *plan, uint32_t run)
{
    static const struct gathered nothing;
    struct gathered all = nothing;
    uint32_t order[PASSTIME_CHECK_KINDS_MAX * STEPS];
    uint32_t count = plan->device->kind_count * STEPS;
    for (uint32_t repeat = 0; repeat < REPEATS; repeat++) {
        for (uint32_t i = 0; i < count; i++) {
            uint32_t other = random_below(plan, i + 1);
            order[i] = order[other];
            order[other] = i;
        }
        for (uint32_t i = 0; i < count; i++)
            gather(plan, &all, order[i] / STEPS, order[i] % STEPS);
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t kind = i / STEPS, at = i % STEPS;
        passtime_check_step *step = &plan->out->input.kinds[kind].steps[at];
        step->parts = 1u << at;
        step->count[run] = all.gpu_count[kind][at];
        step->gpu_ns[run] = typical(all.gpu_ns[kind][at], all.gpu_count[kind][at]);
        step->cpu_ns[run] = typical(all.cpu_ns[kind][at], all.cpu_count[kind][at]);
        plan->out->input.kinds[kind].step_count = STEPS;
    }
}

/* By turns: the pass alone, and the same pass right after a long one. */
static void run_order(struct plan *plan, uint32_t kind)
{
    passtime_check_kind *out = &plan->out->input.kinds[kind];
    double alone[ORDER_REPEATS], after[ORDER_REPEATS], before[ORDER_REPEATS];
    uint32_t other = plan->device->kind_count > 1 ? 1 - kind : kind;
    out->order_count = 0;
    out->parts = ORDER_PARTS;
    out->other_parts = LONG_PARTS;
    for (uint32_t i = 0; i < ORDER_REPEATS; i++) {
        struct check_pass pass;
        struct check_cpu cpu = {0};
        struct check_pass pair[2] = {
            {.kind = (enum check_kind)other, .parts = LONG_PARTS, .timed = true},
            {.kind = (enum check_kind)kind, .parts = ORDER_PARTS, .timed = true}};
        if (!run_one(plan, (enum check_kind)kind, ORDER_PARTS, &pass, &cpu) || !pass.good ||
            !plan->device->frame(plan->device->user, pair, 2, &cpu) || !pair[0].good ||
            !pair[1].good)
            continue;
        alone[out->order_count] = length_ns(&pass);
        before[out->order_count] = length_ns(&pair[0]);
        after[out->order_count++] = length_ns(&pair[1]);
    }
    out->alone_ns = typical(alone, out->order_count);
    out->before_other_ns = typical(before, out->order_count);
    out->after_other_ns = typical(after, out->order_count);
}

/* A frame of many empty passes between two that are timed; its span, or below 0: none. */
static double cost_frame(struct plan *plan, bool stamped, struct check_cpu *cpu)
{
    struct check_pass passes[COST_PASSES + 2];
    for (uint32_t i = 0; i < COST_PASSES + 2; i++) {
        bool outer = i == 0 || i == COST_PASSES + 1;
        passes[i] =
            (struct check_pass){.kind = plan->device->kind_count > 1 ? CHECK_SECOND : CHECK_FIRST,
                                .timed = stamped || outer};
    }
    if (!in_time(plan) || !plan->device->frame(plan->device->user, passes, COST_PASSES + 2, cpu) ||
        !passes[0].good || !passes[COST_PASSES + 1].good || !(passes[0].begin_ns > 0.0))
        return -1.0;
    return passes[COST_PASSES + 1].end_ns - passes[0].begin_ns;
}

/* With and without stamps by turns, which of them first by chance. */
static void run_cost(struct plan *plan)
{
    struct check_outcome *out = plan->out;
    double differences[COST_PAIRS], pass[COST_PAIRS], frame[COST_PAIRS], collect[COST_PAIRS];
    uint32_t count = 0, frames = 0;
    for (uint32_t i = 0; i < COST_PAIRS; i++) {
        struct check_cpu cpu = {0}, plain_cpu = {0};
        bool stamped_first = random_below(plan, 2) == 0;
        double plain = stamped_first ? 0.0 : cost_frame(plan, false, &plain_cpu);
        double stamped = cost_frame(plan, true, &cpu);
        if (stamped_first)
            plain = cost_frame(plan, false, &plain_cpu);
        if (stamped >= 0.0 && plain >= 0.0)
            differences[count++] = (stamped - plain) / COST_PASSES;
        if (cpu.passes_ns > 0.0) {
            pass[frames] = cpu.passes_ns / (COST_PASSES + 2);
            frame[frames] = cpu.frame_ns;
            collect[frames++] = cpu.collect_ns;
        }
    }
    /* Above some microseconds a quantum makes medians meaningless. */
    out->pair_cost =
        passtime_check_difference(differences, count, out->input.quantum_ns > CHECK_COARSE_NS);
    /* One that can't be told from nothing says nothing of the passes that are worth timing. */
    out->input.has_pair_cost = out->pair_cost.known && out->pair_cost.low_ns > 0.0;
    out->input.pair_cost_ns = out->pair_cost.ns;
    out->has_cpu = frames > 0;
    out->cpu_pass_ns = typical(pass, frames);
    out->cpu_frame_ns = typical(frame, frames);
    out->cpu_collect_ns = typical(collect, frames);
}

/* A busy machine can fail a device that is sound. */
static bool is_worth_another_try(const struct check_outcome *out)
{
    return out->verdict.reason != PASSTIME_CHECK_PROVED &&
           out->verdict.reason != PASSTIME_CHECK_NO_FEATURE;
}

static void prove(struct plan *plan)
{
    for (uint32_t run = 0; run < 2; run++)
        run_steps(plan, run);
    for (uint32_t kind = 0; kind < plan->device->kind_count; kind++)
        run_order(plan, kind);
    plan->out->run = passtime_check_judge(&plan->out->input, &plan->out->verdict) == PASSTIME_OK;
}

void check_run(struct check_device *device, uint64_t allowed_ns, struct check_outcome *out)
{
    struct plan plan = {.device = device, .out = out, .random = passtime_port_now_ns()};
    plan.end_ns = passtime_port_now_ns() + allowed_ns;
    out->kind_count = device->kind_count;
    run_cost(&plan);
    if (device->cost_only)
        return;
    for (uint32_t kind = 0; kind < device->kind_count; kind++)
        find_scale(&plan, (enum check_kind)kind);
    uint64_t begun_ns = passtime_port_now_ns();
    prove(&plan);
    uint64_t spent_ns = passtime_port_now_ns() - begun_ns;
    for (uint32_t i = 1; i < TRIES && is_worth_another_try(out) &&
                         passtime_port_now_ns() + 2 * spent_ns < plan.end_ns;
         i++)
        prove(&plan);
}
