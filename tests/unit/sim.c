/* SPDX-License-Identifier: MIT */
/* The simulator of durations. */
#include "unit/sim.h"

#include <math.h>

/* splitmix64's mixing of bits */
static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

void sim_seed(struct sim_random *r, uint64_t seed)
{
    /* Mixed, so that neighbouring seeds do not walk through the same states. */
    r->state = mix(seed + UINT64_C(0x123456789abcdef));
    r->has_spare = false;
}

uint64_t sim_bits(struct sim_random *r)
{
    r->state += UINT64_C(0x9e3779b97f4a7c15);
    return mix(r->state);
}

double sim_uniform(struct sim_random *r)
{
    return (double)(sim_bits(r) >> 11) * 0x1p-53;
}

/* Marsaglia's polar method. */
double sim_normal(struct sim_random *r)
{
    if (r->has_spare) {
        r->has_spare = false;
        return r->spare;
    }
    double x;
    double y;
    double s;
    do {
        x = 2 * sim_uniform(r) - 1;
        y = 2 * sim_uniform(r) - 1;
        s = x * x + y * y;
    } while (s >= 1 || s == 0);
    double scale = sqrt(-2 * log(s) / s);
    r->spare = y * scale;
    r->has_spare = true;
    return x * scale;
}

void sim_pass_start(struct sim_pass *p, uint64_t seed)
{
    sim_seed(&p->random, seed);
    p->level = sim_normal(&p->random);
}

uint64_t sim_pass_next(struct sim_pass *p)
{
    double level = sqrt(1 - p->white) * p->level;
    if (p->white > 0) {
        level += sqrt(p->white) * sim_normal(&p->random);
    }
    p->level = p->rho * p->level + sqrt(1 - p->rho * p->rho) * sim_normal(&p->random);
    double duration = p->mean_ns * (1 + p->spread * level);
    duration = duration > 0 ? duration : 0;
    double phase = p->locked ? p->phase : sim_uniform(&p->random);
    double quanta = floor(phase + duration / (double)p->quantum_ns);
    return (uint64_t)quanta * p->quantum_ns;
}
