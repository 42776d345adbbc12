/* SPDX-License-Identifier: MIT */
/*
 * The WebGPU backend: passes are timed by timestamp queries at their boundaries, for any
 * implementation of webgpu.h (Dawn, wgpu-native, Emscripten's port).
 *
 * The library links no WebGPU implementation: it calls the functions in passtime_webgpu_procs,
 * which PASSTIME_WEBGPU_DESC_INIT fills with those that the app itself links.
 *
 * Passtime never waits for the GPU, never destroys an object that work in flight may use, and never
 * leaves an error scope of its own open. Its callbacks only set flags; by default they fire while
 * the app calls wgpuInstanceProcessEvents(), and without such calls no result arrives (the ledger's
 * `unpumped` says so).
 *
 * Threads: as passtime/passtime.h says; a recorder's functions here count as using the recorder.
 * passtime_frame_begin(), passtime_frame_end() and the end of a recorder may call WebGPU, so the
 * implementation must allow calls from their threads.
 */
#ifndef PASSTIME_WEBGPU_H
#define PASSTIME_WEBGPU_H

#include <passtime/counters.h>
#include <passtime/passtime.h>
#include <webgpu/webgpu.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The functions of WebGPU that Passtime calls; none may be NULL. */
typedef struct passtime_webgpu_procs {
    WGPUProcInstanceAddRef instance_add_ref;
    WGPUProcInstanceRelease instance_release;
    WGPUProcInstanceProcessEvents instance_process_events;
    WGPUProcAdapterHasFeature adapter_has_feature;
    WGPUProcDeviceAddRef device_add_ref;
    WGPUProcDeviceRelease device_release;
    WGPUProcDeviceHasFeature device_has_feature;
    WGPUProcDeviceCreateQuerySet device_create_query_set;
    WGPUProcDeviceCreateBuffer device_create_buffer;
    WGPUProcDeviceCreateCommandEncoder device_create_command_encoder;
    WGPUProcDevicePushErrorScope device_push_error_scope;
    WGPUProcDevicePopErrorScope device_pop_error_scope;
    WGPUProcQueueAddRef queue_add_ref;
    WGPUProcQueueRelease queue_release;
    WGPUProcQueueSubmit queue_submit;
    WGPUProcQueueWriteBuffer queue_write_buffer;
    WGPUProcQueueOnSubmittedWorkDone queue_on_submitted_work_done;
    WGPUProcCommandEncoderBeginComputePass command_encoder_begin_compute_pass;
    WGPUProcCommandEncoderResolveQuerySet command_encoder_resolve_query_set;
    WGPUProcCommandEncoderClearBuffer command_encoder_clear_buffer;
    WGPUProcCommandEncoderCopyBufferToBuffer command_encoder_copy_buffer_to_buffer;
    WGPUProcCommandEncoderFinish command_encoder_finish;
    WGPUProcCommandEncoderRelease command_encoder_release;
    WGPUProcComputePassEncoderEnd compute_pass_encoder_end;
    WGPUProcComputePassEncoderRelease compute_pass_encoder_release;
    WGPUProcCommandBufferRelease command_buffer_release;
    WGPUProcQuerySetRelease query_set_release;
    WGPUProcBufferMapAsync buffer_map_async;
    WGPUProcBufferGetConstMappedRange buffer_get_const_mapped_range;
    WGPUProcBufferUnmap buffer_unmap;
    WGPUProcBufferRelease buffer_release;
} passtime_webgpu_procs;

#define PASSTIME_WEBGPU_PROCS_INIT                                                                 \
    {                                                                                              \
        wgpuInstanceAddRef, wgpuInstanceRelease, wgpuInstanceProcessEvents, wgpuAdapterHasFeature, \
            wgpuDeviceAddRef, wgpuDeviceRelease, wgpuDeviceHasFeature, wgpuDeviceCreateQuerySet,   \
            wgpuDeviceCreateBuffer, wgpuDeviceCreateCommandEncoder, wgpuDevicePushErrorScope,      \
            wgpuDevicePopErrorScope, wgpuQueueAddRef, wgpuQueueRelease, wgpuQueueSubmit,           \
            wgpuQueueWriteBuffer, wgpuQueueOnSubmittedWorkDone,                                    \
            wgpuCommandEncoderBeginComputePass, wgpuCommandEncoderResolveQuerySet,                 \
            wgpuCommandEncoderClearBuffer, wgpuCommandEncoderCopyBufferToBuffer,                   \
            wgpuCommandEncoderFinish, wgpuCommandEncoderRelease, wgpuComputePassEncoderEnd,        \
            wgpuComputePassEncoderRelease, wgpuCommandBufferRelease, wgpuQuerySetRelease,          \
            wgpuBufferMapAsync, wgpuBufferGetConstMappedRange, wgpuBufferUnmap, wgpuBufferRelease  \
    }

/* Stamps slot `query_index` at this point inside a pass. Not in plain webgpu.h: wgpu-native and
 * Dawn call them wgpuRenderPassEncoderWriteTimestamp and wgpuComputePassEncoderWriteTimestamp. */
typedef void (*passtime_webgpu_write_in_render_fn)(WGPURenderPassEncoder pass, WGPUQuerySet set,
                                                   uint32_t query_index);
typedef void (*passtime_webgpu_write_in_compute_fn)(WGPUComputePassEncoder pass, WGPUQuerySet set,
                                                    uint32_t query_index);

/* Options for passtime_webgpu_desc.flags. */
enum {
    PASSTIME_WEBGPU_FALLBACK_CPU = 1u << 0, /* without timestamp queries: CPU times, labelled so */
    PASSTIME_WEBGPU_FORCE_CPU = 1u << 1,    /* CPU times even where stamps exist */
    PASSTIME_WEBGPU_RIDE = 1u << 2, /* resolve in the app's encoder: passtime_webgpu_ride() */
    PASSTIME_WEBGPU_DEFER_RESOLVE = 1u << 3, /* resolve only once the stamped work has ended, for
                                                drivers that give 0 when asked sooner */
    PASSTIME_WEBGPU_PUMP = 1u << 4,          /* Passtime calls wgpuInstanceProcessEvents() in its
                                                collecting calls; that fires the app's callbacks too,
                                                which then must not call Passtime */
    PASSTIME_WEBGPU_SPONTANEOUS = 1u << 5,   /* Passtime's callbacks may fire on any thread, at any
                                                time (WGPUCallbackMode_AllowSpontaneous) */
    PASSTIME_WEBGPU_BOUNDARY_UNVERIFIED = 1u << 6 /* GPU stamps carry
                                                     PASSTIME_FLAG_BOUNDARY_UNVERIFIED: for devices
                                                     where `passtime probe --check` finds the
                                                     boundaries of passes untrue */
};

/* How a WebGPU context is made. 0 in a field means its default. */
typedef struct passtime_webgpu_desc {
    uint32_t size;         /* sizeof(passtime_webgpu_desc); PASSTIME_WEBGPU_DESC_INIT sets it */
    uint32_t flags;        /* PASSTIME_WEBGPU_ bits */
    WGPUInstance instance; /* needed for PUMP only; a reference is kept until destroy */
    WGPUDevice device;     /* needed; a reference is kept until destroy */
    WGPUQueue queue;       /* needed; all timed work is submitted to it; a reference is kept */
    double tick_ns;        /* ns per tick of a resolved stamp; default 1, the standard. wgpu-native
                              gives ticks: wgpuQueueGetTimestampPeriod(queue). NaN, infinite or
                              negative: unknown, every pass is rejected as UNIT_UNKNOWN */
    passtime_webgpu_write_in_render_fn write_in_render;   /* default: no stamps inside passes */
    passtime_webgpu_write_in_compute_fn write_in_compute; /* default: no stamps inside passes */
    const passtime_counters_desc *counters; /* shader counters; default: none. Needed during the
                                               create only */
    uint64_t reserved[4];                   /* must be 0 */
    passtime_webgpu_procs procs;            /* what to call; the initialiser fills it in */
} passtime_webgpu_desc;

#define PASSTIME_WEBGPU_DESC_INIT                                                                  \
    {                                                                                              \
        sizeof(passtime_webgpu_desc), 0, NULL, NULL, NULL, 0.0, NULL, NULL, NULL, {0, 0, 0, 0},    \
            PASSTIME_WEBGPU_PROCS_INIT                                                             \
    }

/* What a WebGPU context works with now. */
typedef struct passtime_webgpu_info {
    uint32_t size;          /* sizeof(passtime_webgpu_info), set by the library */
    uint32_t flags;         /* PASSTIME_WEBGPU_ bits that were asked for */
    bool stamps;            /* GPU stamps; false: the CPU fallback */
    bool in_render;         /* stamps inside render passes work */
    bool in_compute;        /* stamps inside compute passes work */
    bool lost;              /* the device is gone */
    uint32_t entries_ready; /* ring entries that have their queries */
    uint32_t pairs_ready;   /* passes that each of those can time, the smallest of them */
    uint32_t query_sets;    /* query sets alive */
    uint32_t failures;      /* query sets and buffers that the device refused */
} passtime_webgpu_info;

/* Lists the device features that timing needs and `adapter` offers, for requiredFeatures: the
 * standard timestamp-query, and with `inside_passes` also the native ones for stamps inside passes.
 * Writes at most `capacity` names (4 is enough) and returns how many; 0: this adapter cannot stamp.
 */
PASSTIME_API uint32_t passtime_webgpu_required_features(const passtime_webgpu_procs *procs,
                                                        WGPUAdapter adapter, bool inside_passes,
                                                        WGPUFeatureName *features,
                                                        uint32_t capacity);

/* Makes a context on a device. `desc` may be NULL for all defaults. The device must have been
 * made with the timestamp-query feature; without it: UNSUPPORTED, or CPU times with FALLBACK_CPU.
 * Query sets are made in the background: until the first is known to work, frames count as
 * SKIPPED_WARMUP. On failure *t is NULL, and desc->log was told the reason. */
PASSTIME_API passtime_result passtime_create_webgpu(const passtime_webgpu_desc *gpu,
                                                    const passtime_desc *desc, passtime **t);

/* Records a pass and fills *writes for the pass descriptor's timestampWrites. Returns `writes`, or
 * NULL where this pass is not timed, which is just what timestampWrites takes: write
 * `descriptor.timestampWrites = passtime_webgpu_pass(rec, "shadow", &writes);`. *writes must live
 * until the pass is begun. Use each result for one pass, in the encoder that the recorder stands
 * for. With the CPU fallback this begins the pass's recording time and returns NULL. WebGPU spec:
 * "timestampWrites". */
PASSTIME_API const WGPUPassTimestampWrites *
passtime_webgpu_pass(passtime_recorder *rec, const char *name, WGPUPassTimestampWrites *writes);
/* The same, with a name of `bytes` bytes that need not end in a zero. */
PASSTIME_API const WGPUPassTimestampWrites *passtime_webgpu_pass_n(passtime_recorder *rec,
                                                                   const char *name, size_t bytes,
                                                                   WGPUPassTimestampWrites *writes);
/* The same by interned id, the fastest. */
PASSTIME_API const WGPUPassTimestampWrites *
passtime_webgpu_pass_id(passtime_recorder *rec, passtime_id id, WGPUPassTimestampWrites *writes);

/* Says that the recording of the last pass has ended: call it after wgpu…PassEncoderEnd(). Only the
 * CPU fallback needs it; without, a pass ends where the next one begins or its recorder is
 * submitted, and its sample carries PASSTIME_FLAG_IMPLIED_END. */
PASSTIME_API void passtime_webgpu_pass_end(passtime_recorder *rec);

/* A group: several passes that follow one another, timed by one pair of stamps as one number for
 * all of them. For passes so short that a pair for each would cost more than it tells. Give the
 * first one's result to the first pass's timestampWrites, and the last one's to the last pass's;
 * passes in between take none, or a time of their own, and are then nested in the group. First and
 * last are two passes of one encoder. NULL: not timed, which is just what timestampWrites takes.
 * The feature is timestamp-query, nothing more. A group that is not ended is UNFINISHED. With the
 * CPU fallback the group is the recording of its passes: call passtime_webgpu_pass_end() after the
 * last of them only. */
PASSTIME_API const WGPUPassTimestampWrites *
passtime_webgpu_group_first(passtime_recorder *rec, const char *name,
                            WGPUPassTimestampWrites *writes);
PASSTIME_API const WGPUPassTimestampWrites *
passtime_webgpu_group_last(passtime_recorder *rec, WGPUPassTimestampWrites *writes);

/* Begin and end a group of draws or dispatches inside a pass; groups nest. They need the native
 * feature (passtime_webgpu_required_features) and desc's write_in_render or write_in_compute;
 * elsewhere the group counts as REFUSED, and nothing is recorded into the pass. A group must end in
 * the pass that it began in. */
PASSTIME_API void passtime_webgpu_begin_in_render(passtime_recorder *rec,
                                                  WGPURenderPassEncoder pass, const char *name);
PASSTIME_API void passtime_webgpu_end_in_render(passtime_recorder *rec, WGPURenderPassEncoder pass);
PASSTIME_API void passtime_webgpu_begin_in_compute(passtime_recorder *rec,
                                                   WGPUComputePassEncoder pass, const char *name);
PASSTIME_API void passtime_webgpu_end_in_compute(passtime_recorder *rec,
                                                 WGPUComputePassEncoder pass);

/* With PASSTIME_WEBGPU_RIDE: resolves and copies the recorder's stamps in the app's own `encoder`,
 * instead of in a submission of Passtime's. Call it once per recorder, after its last pass and
 * before the encoder is finished, with no pass open. A word that only this encoder copies proves
 * that it ran: without it, or where a submitted recorder did not ride, the whole frame is
 * LATE_SUBMIT. Submit before passtime_submitted(): once that is said, the buffer that the encoder
 * copies to is being mapped, and a late submit of it is a validation error of the app. */
PASSTIME_API void passtime_webgpu_ride(passtime_recorder *rec, WGPUCommandEncoder encoder);

/* Shader counters, with a device of any kind: what compute and fragment shaders count comes back
 * with the frame (passtime/counters.h). The app puts the text of passtime_webgpu_counters_wgsl()
 * before its shader and calls passtime_count(INDEX, AMOUNT) in it; binds the counters' buffer with
 * a dynamic offset; and gives each pass the offset that passtime_webgpu_counters() returns.
 * Counters are read and set to 0 again in a submission of Passtime's own, after the frame. A shader
 * that counts has side effects: a GPU may then also run it for pixels that the depth test would
 * have spared, so count what a pass does in a run of its own where that matters.
 *
 * The WGSL of `count` counters at @group(group) @binding(binding): writes at most `bytes` bytes to
 * `out`, its closing zero included, and returns how many characters the whole text has. */
PASSTIME_API size_t passtime_webgpu_counters_wgsl(uint32_t count, uint32_t group, uint32_t binding,
                                                  char *out, size_t bytes);
/* The buffer to bind, from offset 0 and of *bytes bytes, as a read-write storage buffer with a
 * dynamic offset. It lives as long as the context, which owns it. NULL: the context has no
 * counters, or the device refused their buffer, which is known once events were processed. */
PASSTIME_API WGPUBuffer passtime_webgpu_counters_buffer(passtime *t, uint64_t *bytes);
/* The dynamic offset for the pass or group that was named last on this recorder: call it after
 * passtime_webgpu_pass() and give it to every SetBindGroup of that pass. Always valid: where
 * nothing is to be counted (NULL, not timed, no slot) it leads to a place that nobody reads.
 * Commands with it must be submitted before passtime_submitted(); later ones are not counted. */
PASSTIME_API uint32_t passtime_webgpu_counters(passtime_recorder *rec);

/* Says that the device is lost; for the app's device-lost callback, any thread. Frames in flight
 * end once, as LOST_DEVICE, and further ones are not timed. For a new device make a new context.
 * Passtime also finds out by itself, from its own callbacks, as far as those still come. */
PASSTIME_API void passtime_webgpu_device_lost(passtime *t);

/* Copies what the context works with. INVALID where it is no WebGPU context. To be called by the
 * thread that calls passtime_frame_begin(). */
PASSTIME_API passtime_result passtime_webgpu_get_info(passtime *t, passtime_webgpu_info *out);

#ifdef __cplusplus
}
#endif

#endif
