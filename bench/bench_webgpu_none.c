/* SPDX-License-Identifier: MIT */
/* Stands in for bench_webgpu.c where there is no webgpu.h. */
#include "bench.h"

bool bench_webgpu_open(struct bench_subject *subject, enum bench_naming naming)
{
    (void)subject;
    (void)naming;
    return false;
}
