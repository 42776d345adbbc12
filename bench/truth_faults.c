/* SPDX-License-Identifier: MIT */
/* Frames of a GPU under every fault: a million of them, and not one false sample. */
#include "truth.h"

#include "unit/faulty.h"

#include <math.h>

static const char part_faults[] = "Frames with faults: good samples that are not what the GPU did";

void truth_faults(struct truth_table *table)
{
    static const struct faulty_gpu gpus[] = {
        {5, 1, 64, 1, 1},  {20, 65536, 64, 1, 1}, {20, 100000, 64, 1, 1}, {20, 1, 36, 1, 1},
        {80, 1, 64, 1, 1}, {80, 65536, 64, 1, 1}, {80, 1, 40, 8333, 100}, {20, 1, 48, 625, 12},
    };
    uint32_t frames = table->brief ? 5000 : 125000; /* of each */
    for (uint32_t i = 0; i < sizeof gpus / sizeof gpus[0]; i++) {
        struct truth_row row = truth_row(part_faults, "samples");
        struct faulty_outcome out = faulty_run(&gpus[i], i + 1, frames);
        (void)snprintf(row.what, sizeof row.what, "%u frames, %u %% faults, Q %.1f us: %.0f good",
                       frames, gpus[i].fault_percent, (double)gpus[i].quantum_ns / 1000,
                       (double)out.good_samples);
        row.x = gpus[i].fault_percent;
        row.truth = 0;
        row.measured = (double)out.false_samples;
        row.error = row.measured;
        row.held = out.false_samples == 0 && out.books_balance && out.good_samples > frames / 20;
        truth_add(table, &row);
    }
}
