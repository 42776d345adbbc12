/* SPDX-License-Identifier: MIT */
/* The inside of the fake, shared by its files. */
#ifndef PASSTIME_TESTS_WGPU_FAKE_OBJECTS_H
#define PASSTIME_TESTS_WGPU_FAKE_OBJECTS_H

#include "fake/wgpu_fake.h"

/* The head of every object. `error`: an error object; `ours`: labelled "passtime". */
struct fake_head {
    struct fake *fake;
    uint32_t references;
    bool error;
    bool ours;
};

struct WGPUInstanceImpl {
    struct fake_head head;
};
struct WGPUAdapterImpl {
    struct fake_head head;
};
struct WGPUDeviceImpl {
    struct fake_head head;
};
struct WGPUQueueImpl {
    struct fake_head head;
};

struct WGPUQuerySetImpl {
    struct fake_head head;
    uint32_t count;
    uint64_t *values;
    bool *written;
};

struct WGPUBufferImpl {
    struct fake_head head;
    WGPUBufferUsage usage;
    size_t bytes;
    uint8_t *data;
    WGPUBufferMapState state;
    struct fake_event *map; /* pending */
};

enum fake_command_kind {
    FAKE_COMMAND_STAMP,
    FAKE_COMMAND_WORK,
    FAKE_COMMAND_RESOLVE,
    FAKE_COMMAND_CLEAR,
    FAKE_COMMAND_COUNT,
    FAKE_COMMAND_COPY
};

struct fake_command {
    enum fake_command_kind kind;
    WGPUQuerySet set;
    WGPUBuffer from;
    WGPUBuffer to;
    uint64_t a; /* slot, first slot, source offset, offset or ticks of work */
    uint64_t b; /* slots, destination offset, bytes to clear or counter */
    uint64_t c; /* destination offset, bytes or amount */
    struct fake_command *next;
};

struct WGPUCommandEncoderImpl {
    struct fake_head head;
    struct fake_command *first;
    struct fake_command **last;
    bool broken;
    bool finished;
    bool in_pass;
};

struct WGPUCommandBufferImpl {
    struct fake_head head;
    struct fake_command *first;
    bool broken;
    bool submitted;
};

struct WGPUComputePassEncoderImpl {
    struct fake_head head;
    WGPUCommandEncoder encoder;
    WGPUPassTimestampWrites writes;
    bool ended;
};
struct WGPURenderPassEncoderImpl {
    struct fake_head head;
    WGPUCommandEncoder encoder;
    WGPUPassTimestampWrites writes;
    bool ended;
};

/* Something the queue is to do: run a list of commands, or write to a buffer. */
struct fake_item {
    struct fake_command *commands;
    WGPUBuffer buffer;
    uint64_t offset;
    size_t bytes;
    uint8_t *data;
    struct fake_item *next;
};

enum fake_event_kind { FAKE_EVENT_MAP, FAKE_EVENT_SCOPE, FAKE_EVENT_WORK_DONE };

/* A callback owed. */
struct fake_event {
    enum fake_event_kind kind;
    bool decided;    /* status is known already */
    int status;      /* of the kind's enum */
    uint64_t serial; /* of the queue's items that must have run */
    WGPUBuffer buffer;
    WGPUErrorType error;
    WGPUBufferMapCallbackInfo map;
    WGPUPopErrorScopeCallbackInfo scope;
    WGPUQueueWorkDoneCallbackInfo done;
    struct fake_event *next;
};

/* wgpu_fake.c; with the lock held, but for drop. */
void *fake_new(struct fake *fake, size_t bytes);
void fake_drop(void *object);
/* True where that was the last reference; then only the memory is left to free. */
bool fake_unreference(struct fake_head *head);
void fake_violation(struct fake *fake, const char *message);
void fake_raise(struct fake *fake, WGPUErrorType type, const char *message);
void fake_log(struct fake *fake, enum fake_call_kind kind, bool ours, uint64_t a, uint64_t b,
              uint64_t c);
void fake_set_release(WGPUQuerySet set);

/* wgpu_fake_events.c */
struct fake_event *fake_owe(struct fake *fake, enum fake_event_kind kind);
void fake_buffer_release(WGPUBuffer buffer);
void fake_fire_all(struct fake *fake, bool cancel);
WGPUFuture fake_map_async(WGPUBuffer buffer, WGPUMapMode mode, size_t offset, size_t size,
                          WGPUBufferMapCallbackInfo info);
const void *fake_mapped_range(WGPUBuffer buffer, size_t offset, size_t size);
void fake_unmap(WGPUBuffer buffer);
void fake_release_buffer(WGPUBuffer buffer);
void fake_process_events(WGPUInstance instance);

/* wgpu_fake_queue.c */
void fake_free_commands(struct fake_command *commands);
void fake_run_locked(struct fake *fake);
void fake_fill_queue_procs(passtime_webgpu_procs *procs);
WGPUPassTimestampWrites fake_begin_pass(WGPUCommandEncoder encoder,
                                        const WGPUPassTimestampWrites *writes);
void fake_end_pass(WGPUCommandEncoder encoder, const WGPUPassTimestampWrites *writes);
void fake_record(WGPUCommandEncoder encoder, struct fake_command command);
void fake_stamp(WGPUCommandEncoder encoder, WGPUQuerySet set, uint32_t slot);
/* An encoder that breaks a rule is found out when it is finished. */
void fake_must(WGPUCommandEncoder encoder, bool rule, const char *message);

#endif
