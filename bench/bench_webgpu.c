/* SPDX-License-Identifier: MIT */
/*
 * The WebGPU backend on a WebGPU that does nothing: no call has an effect, but that callbacks fire
 * when events are processed, and that a mapped buffer holds stamps.
 */
#include "bench_stamps.h"

#include <passtime/webgpu.h>

#include <stdlib.h>

enum { CALLS_MAX = 256 };

/* What an object handle points to, of whatever kind but a buffer: the device. */
struct null_wgpu {
    struct bench_stamps stamps;
    WGPUPassTimestampWrites *volatile last; /* where the app's descriptor would be read */
    uint32_t maps;
    uint32_t scopes;
    WGPUBufferMapCallbackInfo map[CALLS_MAX]; /* asked for and not yet answered */
    struct null_buffer *map_buffer[CALLS_MAX];
    uint64_t map_begun_ns[CALLS_MAX];
    WGPUPopErrorScopeCallbackInfo scope[CALLS_MAX];
};

struct null_buffer {
    struct null_wgpu *gpu;
    uint64_t bytes;
    uint64_t ticks[]; /* room for a frame at least */
};

static struct null_wgpu *of_device(WGPUDevice device)
{
    return (struct null_wgpu *)(void *)device;
}

static WGPUBool has_feature(WGPUDevice device, WGPUFeatureName feature)
{
    (void)device;
    return feature == WGPUFeatureName_TimestampQuery;
}

static WGPUBool adapter_has_feature(WGPUAdapter adapter, WGPUFeatureName feature)
{
    (void)adapter;
    return feature == WGPUFeatureName_TimestampQuery;
}

static void instance_nothing(WGPUInstance instance)
{
    (void)instance;
}

static void device_nothing(WGPUDevice device)
{
    (void)device;
}

static void queue_nothing(WGPUQueue queue)
{
    (void)queue;
}

static WGPUQuerySet create_query_set(WGPUDevice device, const WGPUQuerySetDescriptor *desc)
{
    (void)desc;
    return (WGPUQuerySet)(void *)device;
}

static WGPUBuffer create_buffer(WGPUDevice device, const WGPUBufferDescriptor *desc)
{
    size_t frame_bytes = 2 * BENCH_PASSES * sizeof(uint64_t);
    size_t bytes = desc->size > frame_bytes ? (size_t)desc->size : frame_bytes;
    struct null_buffer *buffer = calloc(1, sizeof *buffer + bytes);
    if (buffer != NULL) {
        buffer->gpu = of_device(device);
        buffer->bytes = bytes;
    }
    return (WGPUBuffer)(void *)buffer;
}

static void release_buffer(WGPUBuffer buffer)
{
    free((void *)buffer);
}

static WGPUCommandEncoder create_encoder(WGPUDevice device,
                                         const WGPUCommandEncoderDescriptor *desc)
{
    (void)desc;
    return (WGPUCommandEncoder)(void *)device;
}

static void push_scope(WGPUDevice device, WGPUErrorFilter filter)
{
    (void)device;
    (void)filter;
}

static WGPUFuture pop_scope(WGPUDevice device, WGPUPopErrorScopeCallbackInfo info)
{
    struct null_wgpu *gpu = of_device(device);
    if (gpu->scopes == CALLS_MAX) {
        abort();
    }
    gpu->scope[gpu->scopes++] = info;
    return (WGPUFuture){0};
}

static void submit(WGPUQueue queue, size_t count, const WGPUCommandBuffer *commands)
{
    (void)queue;
    (void)count;
    (void)commands;
}

static void write_buffer(WGPUQueue queue, WGPUBuffer buffer, uint64_t offset, const void *data,
                         size_t bytes)
{
    (void)queue;
    (void)buffer;
    (void)offset;
    (void)data;
    (void)bytes;
}

static WGPUFuture work_done(WGPUQueue queue, WGPUQueueWorkDoneCallbackInfo info)
{
    (void)queue;
    (void)info;
    return (WGPUFuture){0};
}

static WGPUComputePassEncoder begin_pass(WGPUCommandEncoder encoder,
                                         const WGPUComputePassDescriptor *desc)
{
    (void)desc;
    return (WGPUComputePassEncoder)(void *)encoder;
}

static void resolve(WGPUCommandEncoder encoder, WGPUQuerySet set, uint32_t first, uint32_t count,
                    WGPUBuffer buffer, uint64_t offset)
{
    (void)encoder;
    (void)set;
    (void)first;
    (void)count;
    (void)buffer;
    (void)offset;
}

static void copy(WGPUCommandEncoder encoder, WGPUBuffer from, uint64_t from_offset, WGPUBuffer to,
                 uint64_t to_offset, uint64_t bytes)
{
    (void)encoder;
    (void)from;
    (void)from_offset;
    (void)to;
    (void)to_offset;
    (void)bytes;
}

static WGPUCommandBuffer finish(WGPUCommandEncoder encoder, const WGPUCommandBufferDescriptor *desc)
{
    (void)desc;
    return (WGPUCommandBuffer)(void *)encoder;
}

static void encoder_nothing(WGPUCommandEncoder encoder)
{
    (void)encoder;
}

static void pass_nothing(WGPUComputePassEncoder pass)
{
    (void)pass;
}

static void commands_nothing(WGPUCommandBuffer commands)
{
    (void)commands;
}

static void set_nothing(WGPUQuerySet set)
{
    (void)set;
}

static WGPUFuture map(WGPUBuffer handle, WGPUMapMode mode, size_t offset, size_t bytes,
                      WGPUBufferMapCallbackInfo info)
{
    struct null_buffer *buffer = (struct null_buffer *)(void *)handle;
    struct null_wgpu *gpu = buffer->gpu;
    (void)mode;
    (void)offset;
    (void)bytes;
    if (gpu->maps == CALLS_MAX) {
        abort();
    }
    gpu->map[gpu->maps] = info;
    gpu->map_buffer[gpu->maps] = buffer;
    gpu->map_begun_ns[gpu->maps++] = bench_stamps_clock(&gpu->stamps);
    return (WGPUFuture){0};
}

static const void *mapped_range(WGPUBuffer buffer, size_t offset, size_t bytes)
{
    (void)offset;
    (void)bytes;
    return ((struct null_buffer *)(void *)buffer)->ticks;
}

static void unmap(WGPUBuffer buffer)
{
    (void)buffer;
}

/* The GPU has done its work, 16 ms later: its stamps are in the buffers. */
static void process_events(struct bench_subject *subject)
{
    struct null_wgpu *gpu = subject->self;
    const WGPUStringView no_message = {NULL, 0};
    gpu->stamps.shift_ns += BENCH_STAMPS_FRAME_NS;
    for (uint32_t i = 0; i < gpu->maps; i++) {
        bench_stamps_fill(&gpu->stamps, gpu->map_begun_ns[i], gpu->map_buffer[i]->ticks);
        gpu->map[i].callback(WGPUMapAsyncStatus_Success, no_message, gpu->map[i].userdata1,
                             gpu->map[i].userdata2);
    }
    for (uint32_t i = 0; i < gpu->scopes; i++) {
        gpu->scope[i].callback(WGPUPopErrorScopeStatus_Success, WGPUErrorType_NoError, no_message,
                               gpu->scope[i].userdata1, gpu->scope[i].userdata2);
    }
    gpu->maps = 0;
    gpu->scopes = 0;
}

static const passtime_webgpu_procs null_procs = {
    .instance_add_ref = instance_nothing,
    .instance_release = instance_nothing,
    .instance_process_events = instance_nothing,
    .adapter_has_feature = adapter_has_feature,
    .device_add_ref = device_nothing,
    .device_release = device_nothing,
    .device_has_feature = has_feature,
    .device_create_query_set = create_query_set,
    .device_create_buffer = create_buffer,
    .device_create_command_encoder = create_encoder,
    .device_push_error_scope = push_scope,
    .device_pop_error_scope = pop_scope,
    .queue_add_ref = queue_nothing,
    .queue_release = queue_nothing,
    .queue_submit = submit,
    .queue_write_buffer = write_buffer,
    .queue_on_submitted_work_done = work_done,
    .command_encoder_begin_compute_pass = begin_pass,
    .command_encoder_resolve_query_set = resolve,
    .command_encoder_copy_buffer_to_buffer = copy,
    .command_encoder_finish = finish,
    .command_encoder_release = encoder_nothing,
    .compute_pass_encoder_end = pass_nothing,
    .compute_pass_encoder_release = pass_nothing,
    .command_buffer_release = commands_nothing,
    .query_set_release = set_nothing,
    .buffer_map_async = map,
    .buffer_get_const_mapped_range = mapped_range,
    .buffer_unmap = unmap,
    .buffer_release = release_buffer,
};

/* What an app does with them is to hand them on: they must have been written. */
static void record_by_id(struct bench_subject *subject, passtime_recorder *rec)
{
    struct null_wgpu *gpu = subject->self;
    WGPUPassTimestampWrites writes;
    for (uint32_t i = 0; i < BENCH_PASSES; i++) {
        (void)passtime_webgpu_pass_id(rec, subject->ids[i], &writes);
        gpu->last = &writes;
    }
    gpu->last = NULL;
}

static void record_by_string(struct bench_subject *subject, passtime_recorder *rec)
{
    struct null_wgpu *gpu = subject->self;
    WGPUPassTimestampWrites writes;
    for (uint32_t i = 0; i < BENCH_PASSES; i++) {
        (void)passtime_webgpu_pass(rec, subject->names[i], &writes);
        gpu->last = &writes;
    }
    gpu->last = NULL;
}

static void *counted_allocate(void *user, size_t bytes)
{
    struct bench_subject *subject = user;
    subject->context_bytes += bytes;
    return malloc(bytes);
}

static void counted_release(void *user, void *memory)
{
    (void)user;
    free(memory);
}

static void null_close(struct bench_subject *subject)
{
    passtime_destroy(&subject->t);
    process_events(subject);
    free(subject->self);
    subject->self = NULL;
}

bool bench_webgpu_open(struct bench_subject *subject, enum bench_naming naming)
{
    *subject =
        (struct bench_subject){.record = naming == BENCH_BY_ID ? record_by_id : record_by_string,
                               .pump = process_events,
                               .close = null_close};
    struct null_wgpu *null_gpu = calloc(1, sizeof *null_gpu);
    if (null_gpu == NULL) {
        return false;
    }
    bench_stamps_init(&null_gpu->stamps, BENCH_IN_SEQUENCE, 1);
    subject->self = null_gpu;
    passtime_webgpu_desc gpu = {.size = sizeof gpu,
                                .device = (WGPUDevice)(void *)null_gpu,
                                .queue = (WGPUQueue)(void *)null_gpu,
                                .procs = null_procs};
    passtime_desc desc = PASSTIME_DESC_INIT;
    desc.max_passes = BENCH_PASSES;
    desc.frames_in_flight = BENCH_FRAMES_IN_FLIGHT;
    desc.clock = bench_stamps_clock;
    desc.clock_user = &null_gpu->stamps;
    desc.allocator = (passtime_allocator){counted_allocate, counted_release, subject};
    if (passtime_create_webgpu(&gpu, &desc, &subject->t) != PASSTIME_OK) {
        null_close(subject);
        return false;
    }
    bench_subject_name(subject, naming);
    return true;
}
