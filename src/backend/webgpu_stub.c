/* SPDX-License-Identifier: MIT */
/*
 * Stands in for the WebGPU backend where the library was built without webgpu.h. Its public header
 * can't be included then, so the functions are declared here by what they pass on: pointers.
 */
#include "core/backend.h"

PASSTIME_API uint32_t passtime_webgpu_required_features(const void *procs, void *adapter,
                                                        bool inside_passes, void *features,
                                                        uint32_t capacity);
PASSTIME_API passtime_result passtime_create_webgpu(const void *gpu, const passtime_desc *desc,
                                                    passtime **t);
PASSTIME_API const void *passtime_webgpu_pass(passtime_recorder *rec, const char *name,
                                              void *writes);
PASSTIME_API const void *passtime_webgpu_pass_n(passtime_recorder *rec, const char *name,
                                                size_t bytes, void *writes);
PASSTIME_API const void *passtime_webgpu_pass_id(passtime_recorder *rec, passtime_id id,
                                                 void *writes);
PASSTIME_API void passtime_webgpu_pass_end(passtime_recorder *rec);
PASSTIME_API void passtime_webgpu_begin_in_render(passtime_recorder *rec, void *pass,
                                                  const char *name);
PASSTIME_API void passtime_webgpu_end_in_render(passtime_recorder *rec, void *pass);
PASSTIME_API void passtime_webgpu_begin_in_compute(passtime_recorder *rec, void *pass,
                                                   const char *name);
PASSTIME_API void passtime_webgpu_end_in_compute(passtime_recorder *rec, void *pass);
PASSTIME_API const void *passtime_webgpu_group_first(passtime_recorder *rec, const char *name,
                                                     void *writes);
PASSTIME_API const void *passtime_webgpu_group_last(passtime_recorder *rec, void *writes);
PASSTIME_API void passtime_webgpu_ride(passtime_recorder *rec, void *encoder);
PASSTIME_API size_t passtime_webgpu_counters_wgsl(uint32_t count, uint32_t group, uint32_t binding,
                                                  char *out, size_t bytes);
PASSTIME_API void *passtime_webgpu_counters_buffer(passtime *t, uint64_t *bytes);
PASSTIME_API uint32_t passtime_webgpu_counters(passtime_recorder *rec);
PASSTIME_API void passtime_webgpu_device_lost(passtime *t);
PASSTIME_API passtime_result passtime_webgpu_get_info(passtime *t, void *out);

uint32_t passtime_webgpu_required_features(const void *procs, void *adapter, bool inside_passes,
                                           void *features, uint32_t capacity)
{
    (void)procs, (void)adapter, (void)inside_passes, (void)features, (void)capacity;
    return 0;
}

passtime_result passtime_create_webgpu(const void *gpu, const passtime_desc *desc, passtime **t)
{
    (void)gpu;
    if (t == NULL) {
        return PASSTIME_INVALID;
    }
    *t = NULL;
    passtime_desc resolved;
    if (passtime_front_resolve_desc(desc, 4, &resolved) == PASSTIME_OK) {
        passtime_front_log_early(&resolved, PASSTIME_LOG_NOT_BUILT,
                                 "This library was built without webgpu.h: build it with "
                                 "-DPASSTIME_WGPU_DIR=DIR, the folder of your WebGPU.");
    }
    return PASSTIME_UNSUPPORTED;
}

const void *passtime_webgpu_pass(passtime_recorder *rec, const char *name, void *writes)
{
    (void)rec, (void)name, (void)writes;
    return NULL;
}

const void *passtime_webgpu_pass_n(passtime_recorder *rec, const char *name, size_t bytes,
                                   void *writes)
{
    (void)rec, (void)name, (void)bytes, (void)writes;
    return NULL;
}

const void *passtime_webgpu_pass_id(passtime_recorder *rec, passtime_id id, void *writes)
{
    (void)rec, (void)id, (void)writes;
    return NULL;
}

const void *passtime_webgpu_group_first(passtime_recorder *rec, const char *name, void *writes)
{
    (void)rec, (void)name, (void)writes;
    return NULL;
}

const void *passtime_webgpu_group_last(passtime_recorder *rec, void *writes)
{
    (void)rec, (void)writes;
    return NULL;
}

void passtime_webgpu_pass_end(passtime_recorder *rec)
{
    (void)rec;
}

void passtime_webgpu_begin_in_render(passtime_recorder *rec, void *pass, const char *name)
{
    (void)rec, (void)pass, (void)name;
}

void passtime_webgpu_end_in_render(passtime_recorder *rec, void *pass)
{
    (void)rec, (void)pass;
}

void passtime_webgpu_begin_in_compute(passtime_recorder *rec, void *pass, const char *name)
{
    (void)rec, (void)pass, (void)name;
}

void passtime_webgpu_end_in_compute(passtime_recorder *rec, void *pass)
{
    (void)rec, (void)pass;
}

void passtime_webgpu_ride(passtime_recorder *rec, void *encoder)
{
    (void)rec, (void)encoder;
}

size_t passtime_webgpu_counters_wgsl(uint32_t count, uint32_t group, uint32_t binding, char *out,
                                     size_t bytes)
{
    (void)count, (void)group, (void)binding;
    if (bytes > 0) {
        out[0] = '\0';
    }
    return 0;
}

void *passtime_webgpu_counters_buffer(passtime *t, uint64_t *bytes)
{
    (void)t, (void)bytes;
    return NULL;
}

uint32_t passtime_webgpu_counters(passtime_recorder *rec)
{
    (void)rec;
    return 0;
}

void passtime_webgpu_device_lost(passtime *t)
{
    (void)t;
}

passtime_result passtime_webgpu_get_info(passtime *t, void *out)
{
    (void)t, (void)out;
    return PASSTIME_INVALID;
}
