/* SPDX-License-Identifier: MIT */
/* The parts of `passtime probe`: measuring one adapter, and doing so in a process of its own. */
#ifndef PASSTIME_CLI_PROBE_H
#define PASSTIME_CLI_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gpu;

enum { PROBE_ADAPTERS_MAX = 16, PROBE_TEXT_BYTES = 256 };

/* What is known of one adapter. Plain bytes: it travels through a pipe. */
struct probe_adapter {
    char name[128], driver[128], backend[16], kind[16];
    bool software;
    bool timestamps;    /* offers timestamp queries */
    bool inside_passes; /* offers stamps inside passes */
    bool timed;         /* passes were timed, good ones came back */
    double tick_ns;
    uint64_t quantum_ns;          /* 0: not known */
    uint64_t smallest_ns;         /* smallest difference above 0; 0: none was seen */
    uint32_t valid_bits;          /* 0: not known */
    uint32_t samples, good;       /* passes recorded and those with a good verdict */
    char error[PROBE_TEXT_BYTES]; /* why it could not be measured; "" where it was */
};

struct probe_list {
    uint32_t count;
    struct probe_adapter adapters[PROBE_ADAPTERS_MAX];
    char error[1024]; /* why there is none */
};

/* Times small passes on an open device and fills in what was learnt. Takes a few seconds at most,
 * as long as the driver returns from its calls. */
void probe_measure(struct gpu *gpu, struct probe_adapter *out);

/* Lists the adapters, and measures one of them. A driver may hang or crash: each call runs in a
 * process of its own, which is killed after `timeout_ms`. */
void probe_list_adapters(struct probe_list *out, uint32_t timeout_ms);
void probe_one_adapter(uint32_t index, struct probe_adapter *out, uint32_t timeout_ms);

#endif
