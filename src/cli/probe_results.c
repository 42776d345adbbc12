/* SPDX-License-Identifier: MIT */
/* What is learnt from a timer, whatever the API. */
#include "cli/probe.h"

#include <stdio.h>

void probe_remember(void *user, passtime_log_item item, const char *message)
{
    struct probe_adapter *out = user;
    (void)item;
    snprintf(out->error, sizeof out->error, "%s", message);
}

void probe_take_results(passtime *t, struct probe_adapter *out)
{
    const passtime_frame *frame;
    while (passtime_next(t, &frame) == PASSTIME_OK) {
        for (uint32_t i = 0; i < frame->sample_count; i++) {
            const passtime_sample *sample = &frame->samples[i];
            uint64_t ns = sample->duration_ns;
            out->samples++;
            if (!passtime_is_good(sample->verdict))
                continue;
            out->good++;
            out->total_ns += ns;
            if (ns > 0 && (out->smallest_ns == 0 || ns < out->smallest_ns))
                out->smallest_ns = ns;
        }
    }
}

void probe_conclude(passtime *t, struct probe_adapter *out, const char *reason)
{
    passtime_clock_info clock;
    if (passtime_get_clock(t, &clock) == PASSTIME_OK) {
        out->source = clock.source;
        out->tick_ns = clock.tick_ns;
        out->quantum_ns = clock.quantum_ns;
        out->valid_bits = clock.valid_bits;
    }
    out->timed = out->good > 0;
    if (out->timed)
        out->error[0] = '\0';
    else if (reason[0])
        snprintf(out->error, sizeof out->error, "%.255s", reason);
    else if (out->error[0] == '\0')
        snprintf(out->error, sizeof out->error, "no pass came back with a time to believe");
}

/* On coarse stamps the shortest time that is not 0 is a step of the clock, whatever the pass took;
 * the mean of all of them is what it took. */
static uint64_t minimal_ns(const struct probe_adapter *out)
{
    bool coarse = out->quantum_ns > CHECK_COARSE_NS && out->smallest_ns <= out->quantum_ns;
    return coarse && out->good > 0 ? out->total_ns / out->good : out->smallest_ns;
}

void probe_prepare_check(struct probe_adapter *out, bool feature)
{
    static const passtime_check_input empty = PASSTIME_CHECK_INPUT_INIT;
    passtime_check_input *input = &out->check.input;
    *input = empty;
    input->feature = feature;
    input->source = out->source;
    input->minimal_samples = out->samples;
    input->minimal_good = out->good;
    input->quantum_ns = out->quantum_ns;
    input->minimal_ns = minimal_ns(out);
}
