/* SPDX-License-Identifier: MIT */
/*
 * A WebGPU device for the command line, through wgpu-native. Everything that plain webgpu.h does
 * not offer (listing adapters, the tick period, logging) is called here and nowhere else.
 *
 * One thread only. Every failing call writes one line to `error`: what is wrong, where, what to do.
 */
#ifndef PASSTIME_CLI_GPU_H
#define PASSTIME_CLI_GPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <webgpu/webgpu.h>

/* Which of the machine's graphics APIs to look at. Opening GL talks to the display server, so it is
 * left out unless it is asked for or nothing else answers. */
enum gpu_scope {
    GPU_SCOPE_PREFERRED, /* Vulkan, Metal and D3D12; GL too where none of them has an adapter. */
    GPU_SCOPE_ALL,       /* Every one, GL included. */
};

/* What an adapter says about itself. Texts are never NULL; an empty one was not told. */
struct gpu_adapter_info {
    char name[128];
    char driver[128];
    char vendor[64];
    const char *backend; /* "vulkan", "metal", "d3d12", "d3d11", "opengl", "opengles", "other". */
    const char *kind;    /* "discrete", "integrated", "software", "unknown". */
    bool software;       /* Runs on the CPU. */
    bool timestamps;     /* Offers timestamp queries at pass boundaries. */
    bool inside_passes;  /* Offers stamps between the draws of one pass (wgpu-native's feature). */
    uint32_t vendor_id;  /* PCI number; 0: not told. */
    uint32_t device_id;  /* PCI number; 0: not told. */
};

/* The machine's adapters, best first: real before software, Vulkan before GL. */
struct gpu_system;

/* Lists the adapters. NULL with a text in `error` where there is none at all. */
struct gpu_system *gpu_system_open(enum gpu_scope scope, char *error, size_t error_bytes);

/* Ends the list and the instance. Close every device of it first. NULL does nothing. */
void gpu_system_close(struct gpu_system *system);

uint32_t gpu_system_count(const struct gpu_system *system);

/* Valid until the system is closed. `index` is below the count. */
const struct gpu_adapter_info *gpu_system_adapter(const struct gpu_system *system, uint32_t index);

/*
 * The best adapter whose name, driver or backend contains `text` (ASCII case aside); NULL or ""
 * takes the best of all. False with a text in `error`, naming what there is, where none matches.
 */
bool gpu_system_find(const struct gpu_system *system, const char *text, uint32_t *index,
                     char *error, size_t error_bytes);

/* An open device. Fields are read-only to callers and valid until gpu_close. */
struct gpu {
    WGPUInstance instance; /* Borrowed from the system. */
    WGPUDevice device;
    WGPUQueue queue;
    WGPULimits limits;
    struct gpu_adapter_info info;
    bool timestamps;    /* The device has the timestamp-query feature. */
    bool inside_passes; /* The device can stamp inside passes. */
    double tick_ns;     /* ns per tick of a resolved stamp; 0 where timestamps is false. */

    uint32_t error_count;  /* Errors that no error scope took, since gpu_open. */
    char first_error[512]; /* The first of them; empty while error_count is 0. */
    bool lost;             /* The device is lost; nothing it was given will come back. */
    char lost_reason[256]; /* Why, as the driver says it. */
};

/*
 * Opens a device on adapter `index`, with the timestamp features that it offers. NULL with a text
 * in `error` on failure. The system must outlive it.
 */
struct gpu *gpu_open(struct gpu_system *system, uint32_t index, char *error, size_t error_bytes);

/* Waits for the device's work, then releases it. NULL does nothing. */
void gpu_close(struct gpu *gpu);

/* Fires the callbacks that are due. Never waits. */
void gpu_pump(struct gpu *gpu);

/* Waits until all submitted work has ended, firing callbacks. For the end of a run only. */
void gpu_wait(struct gpu *gpu);

#endif
