/* SPDX-License-Identifier: MIT */
/* A fuzzer is this function: libFuzzer calls it, and so does the test that replays the corpora. */
#ifndef PASSTIME_FUZZ_FUZZ_H
#define PASSTIME_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
