/* SPDX-License-Identifier: MIT */
/* `demo passes --counters`: what the counters in the shaders add to the passes' own time. */
#include "cli/demo.h"

#include <string.h>

#include "port/port.h"

enum { PAIRS_LEAST = 8, PAIRS_MOST = 40, COARSE_QUANTUM_NS = 2000 };

static const uint64_t time_allowed_ns = 8000000000u;
/* Frames that are drawn to measure have numbers that no other frame has. */
static const uint64_t first_number = (uint64_t)1 << 33;

/* GPU times of the passes of one frame; in the order of the scene. */
struct times {
    double ns[SCENE_PASSES_MAX];
};

/* False: the frame was not timed by the GPU, or a pass of it was not. */
static bool take_times(const struct demo *demo, const passtime_frame *frame, struct times *times)
{
    const struct scene_kind *kind = demo->kind;
    uint32_t found = 0;
    for (uint32_t i = 0; i < frame->sample_count; i++) {
        const passtime_sample *sample = &frame->samples[i];
        for (uint32_t pass = 0; pass < kind->pass_count; pass++) {
            if (strcmp(sample->name, kind->pass_names[pass]) != 0 ||
                !passtime_is_good(sample->verdict) || !passtime_is_gpu_time(sample->source))
                continue;
            times->ns[pass] = (double)sample->duration_ns;
            found++;
        }
    }
    return frame->fate == PASSTIME_FRAME_COMPLETE && found == kind->pass_count;
}

/* One frame alone on the device. */
static bool draw_one(struct demo *demo, uint64_t number, bool counting, struct times *times)
{
    const passtime_frame *frame;
    demo->counting = counting;
    /* Both of a pair draw the same picture. */
    frame = demo_draw_alone(demo, number, (uint32_t)(number - first_number) / 2);
    demo->counting = true;
    return frame && take_times(demo, frame, times);
}

static double middle(double *values, uint32_t count)
{
    return passtime_check_difference(values, count, false).ns;
}

void demo_counters_cost(struct demo *demo)
{
    double added[SCENE_PASSES_MAX][PAIRS_MOST], without[SCENE_PASSES_MAX][PAIRS_MOST];
    const struct scene_kind *kind = demo->kind;
    const uint64_t begun_ns = passtime_port_now_ns();
    uint32_t count = 0, random = 1;
    for (uint32_t pair = 0; pair < PAIRS_MOST && demo_goes_on(demo); pair++) {
        struct times times[2];
        const uint64_t now_ns = passtime_port_now_ns();
        if (pair >= PAIRS_LEAST && now_ns - begun_ns > time_allowed_ns)
            break;
        live_draw(&demo->live, "what counters cost", pair, PAIRS_MOST, now_ns);
        /* Which comes first is left to chance, so that what drifts falls on both alike. */
        random = random * 1664525 + 1013904223;
        const bool first = random >> 31;
        bool good = draw_one(demo, first_number + 2 * (uint64_t)pair, first, &times[first]);
        good =
            draw_one(demo, first_number + 2 * (uint64_t)pair + 1, !first, &times[!first]) && good;
        for (uint32_t pass = 0; good && pass < kind->pass_count; pass++) {
            added[pass][count] = times[1].ns[pass] - times[0].ns[pass];
            without[pass][count] = times[0].ns[pass];
        }
        count += good;
    }
    passtime_clock_info clock = {0};
    passtime_get_clock(demo->timer, &clock);
    demo->counters_gpu_times = passtime_is_gpu_time(clock.source);
    demo->counters_cost_count = kind->pass_count;
    for (uint32_t pass = 0; pass < kind->pass_count; pass++) {
        demo->counters_costs[pass] = (struct passtime_counters_cost){
            .pass = kind->pass_names[pass],
            .added =
                passtime_check_difference(added[pass], count, clock.quantum_ns > COARSE_QUANTUM_NS),
            .without_ns = middle(without[pass], count)};
    }
}

/* How many pairs are drawn does not depend on --frames, so that more of them are no help. */
static void print_why_not(const struct demo *demo)
{
    const uint32_t pairs = demo->counters_costs[0].added.count;
    fputs("\nWhat counting adds to the passes' times could not be measured here: ", stdout);
    if (!demo->counters_gpu_times)
        puts("that takes GPU times.");
    else if (!demo->counters_costs[0].added.known)
        printf("%u pair%s of frames, with and without it, had good GPU times of every pass, and "
               "an error takes %d. The machine is busy, the device too slow, or the run was broken "
               "off: let it rest and run again.\n",
               pairs, pairs == 1 ? "" : "s", PAIRS_LEAST);
    else
        puts("the passes are shorter than a step of the GPU's clock. Give a larger --size.");
}

void demo_print_counters_cost(const struct demo *demo)
{
    bool known = false;
    for (uint32_t i = 0; i < demo->counters_cost_count; i++) {
        const struct passtime_counters_cost *cost = &demo->counters_costs[i];
        const passtime_check_cost *added = &cost->added;
        if (!added->known || !(cost->without_ns > 0.0))
            continue;
        if (!known)
            printf("\nWhat counting adds to a pass's own time, from %u pairs of frames with and "
                   "without it:\n",
                   added->count);
        known = true;
        const bool long_one = cost->without_ns >= 1e6;
        const double unit_ns = long_one ? 1e6 : 1e3;
        const char *unit = long_one ? "ms" : "us";
        printf("%-12s %+.3g %s (95 %%: %+.3g to %+.3g %s), %+.2g %% of %.4g %s\n", cost->pass,
               added->ns / unit_ns, unit, added->low_ns / unit_ns, added->high_ns / unit_ns, unit,
               100.0 * added->ns / cost->without_ns, cost->without_ns / unit_ns, unit);
    }
    if (!known)
        print_why_not(demo);
}
