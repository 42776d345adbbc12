/* SPDX-License-Identifier: MIT */
/*
 * Asynchronous calls of the WebGPU backend. A callback does nothing but settle its ticket and drop
 * the reference it holds, so that it is harmless on any thread and at any time, also after destroy.
 */
#include "backend/webgpu_state.h"

static uint32_t generation_of(uint32_t word)
{
    return word / 8;
}

WGPUCallbackMode passtime_wgpu_mode(const struct passtime_wgpu *self)
{
    return self->gpu.flags & PASSTIME_WEBGPU_SPONTANEOUS ? WGPUCallbackMode_AllowSpontaneous
                                                         : WGPUCallbackMode_AllowProcessEvents;
}

void passtime_wgpu_shared_drop(struct passtime_wgpu_shared *shared)
{
    if (atomic_fetch_sub_explicit(&shared->references, 1, memory_order_acq_rel) == 1) {
        const passtime_desc desc = shared->desc;
        passtime_front_free(&desc, shared);
    }
}

struct passtime_wgpu_job *passtime_wgpu_frame_job(struct passtime_wgpu *self, uint32_t entry)
{
    return &self->shared->jobs[2 * (size_t)entry];
}

struct passtime_wgpu_job *passtime_wgpu_build_job(struct passtime_wgpu *self, uint32_t entry)
{
    return &self->shared->jobs[2 * (size_t)entry + 1];
}

struct passtime_wgpu_job *passtime_wgpu_counters_job(struct passtime_wgpu *self, uint32_t entry)
{
    return &self->shared->jobs[2 * (size_t)self->shared->desc.frames_in_flight + entry];
}

/* Only whoever asks opens and voids a ticket; callbacks change a word that is PENDING. */
static uint32_t next_generation(const struct passtime_wgpu_ticket *ticket)
{
    return generation_of(atomic_load_explicit(&ticket->word, memory_order_relaxed)) + 1;
}

/* Returns the second word of the callback's user data: the generation that it answers. */
static void *ticket_open(struct passtime_wgpu_ticket *ticket)
{
    const uint32_t word = next_generation(ticket) * 8 + PASSTIME_WGPU_PENDING;
    atomic_fetch_add_explicit(&ticket->shared->references, 1, memory_order_relaxed);
    atomic_store_explicit(&ticket->word, word, memory_order_release);
    return (void *)(uintptr_t)generation_of(word);
}

static void ticket_void(struct passtime_wgpu_ticket *ticket)
{
    atomic_store_explicit(&ticket->word, next_generation(ticket) * 8, memory_order_release);
}

/* The clock is the app's: it is asked only while its context lives. */
static void note_time(struct passtime_wgpu_ticket *ticket, uint32_t pending)
{
    const passtime_desc *desc = &ticket->shared->desc;
    if (atomic_load_explicit(&ticket->word, memory_order_acquire) == pending) {
        atomic_store_explicit(&ticket->seen_ns[generation_of(pending) & 1],
                              desc->clock(desc->clock_user), memory_order_relaxed);
    }
}

/* `timed`: when the answer came matters. */
static void ticket_settle(struct passtime_wgpu_ticket *ticket, void *generation,
                          enum passtime_wgpu_answer answer, bool timed)
{
    struct passtime_wgpu_shared *shared = ticket->shared;
    const uint32_t word = (uint32_t)(uintptr_t)generation * 8;
    uint32_t pending = word + PASSTIME_WGPU_PENDING;
    if (timed) {
        note_time(ticket, pending);
    }
    atomic_compare_exchange_strong_explicit(&ticket->word, &pending, word + (uint32_t)answer,
                                            memory_order_acq_rel, memory_order_relaxed);
    atomic_fetch_add_explicit(&shared->callbacks, 1, memory_order_relaxed);
    passtime_wgpu_shared_drop(shared);
}

enum passtime_wgpu_answer passtime_wgpu_ticket_answer(const struct passtime_wgpu_ticket *ticket)
{
    const uint32_t word = atomic_load_explicit(&ticket->word, memory_order_acquire);
    return (enum passtime_wgpu_answer)(word % 8);
}

uint64_t passtime_wgpu_ticket_seen_ns(const struct passtime_wgpu_ticket *ticket)
{
    const uint32_t word = atomic_load_explicit(&ticket->word, memory_order_acquire);
    return atomic_load_explicit(&ticket->seen_ns[generation_of(word) & 1], memory_order_relaxed);
}

void passtime_wgpu_weigh(struct passtime_wgpu *self, enum passtime_wgpu_answer answer)
{
    _Atomic uint32_t *aborts = &self->shared->aborts;
    if (answer == PASSTIME_WGPU_DONE) {
        atomic_store(aborts, 0);
    } else if (answer == PASSTIME_WGPU_GONE ||
               (answer == PASSTIME_WGPU_ABORTED && atomic_fetch_add(aborts, 1) > 0)) {
        atomic_store(&self->shared->lost, true);
    }
}

enum passtime_wgpu_answer passtime_wgpu_job_answer(const struct passtime_wgpu_job *job)
{
    enum passtime_wgpu_answer worst = passtime_wgpu_ticket_answer(&job->end);
    bool pending = worst == PASSTIME_WGPU_PENDING;
    for (uint32_t i = 0; i < PASSTIME_WGPU_SCOPES; i++) {
        const enum passtime_wgpu_answer answer = passtime_wgpu_ticket_answer(&job->scopes[i]);
        pending = pending || answer == PASSTIME_WGPU_PENDING;
        worst = answer > worst ? answer : worst;
    }
    return pending ? PASSTIME_WGPU_PENDING : worst;
}

void passtime_wgpu_job_void(struct passtime_wgpu_job *job)
{
    ticket_void(&job->end);
    for (uint32_t i = 0; i < PASSTIME_WGPU_SCOPES; i++) {
        ticket_void(&job->scopes[i]);
    }
}

/* Internal errors come of pipelines, which Passtime has none of; wgpu-native 29 aborts on that
 * filter. */
void passtime_wgpu_push_scopes(struct passtime_wgpu *self)
{
    const passtime_webgpu_procs *wgpu = &self->gpu.procs;
    wgpu->device_push_error_scope(self->gpu.device, WGPUErrorFilter_Validation);
    wgpu->device_push_error_scope(self->gpu.device, WGPUErrorFilter_OutOfMemory);
}

/* A scope that could not be popped leaves the calls under it unproved, which is as bad as an error.
 */
static void on_scope(WGPUPopErrorScopeStatus status, WGPUErrorType type, WGPUStringView message,
                     void *ticket, void *generation)
{
    (void)message;
    const bool clean = status == WGPUPopErrorScopeStatus_Success && type == WGPUErrorType_NoError;
    ticket_settle(ticket, generation, clean ? PASSTIME_WGPU_DONE : PASSTIME_WGPU_FAILED, false);
}

void passtime_wgpu_pop_scopes(struct passtime_wgpu *self, struct passtime_wgpu_job *job)
{
    for (uint32_t i = 0; i < PASSTIME_WGPU_SCOPES; i++) {
        WGPUPopErrorScopeCallbackInfo info = WGPU_POP_ERROR_SCOPE_CALLBACK_INFO_INIT;
        info.mode = passtime_wgpu_mode(self);
        info.callback = on_scope;
        info.userdata1 = &job->scopes[i];
        info.userdata2 = ticket_open(&job->scopes[i]);
        self->gpu.procs.device_pop_error_scope(self->gpu.device, info);
    }
}

/* Nothing here unmaps a buffer whose ticket still counts, so an abort comes from outside: a loss,
 * most likely. A cancelled callback says that the instance is gone, which is beyond doubt. */
static void on_map(WGPUMapAsyncStatus status, WGPUStringView message, void *ticket,
                   void *generation)
{
    (void)message;
    enum passtime_wgpu_answer answer = PASSTIME_WGPU_FAILED;
    if (status == WGPUMapAsyncStatus_Success) {
        answer = PASSTIME_WGPU_DONE;
    } else if (status == WGPUMapAsyncStatus_Aborted) {
        answer = PASSTIME_WGPU_ABORTED;
    } else if (status == WGPUMapAsyncStatus_CallbackCancelled) {
        answer = PASSTIME_WGPU_GONE;
    }
    ticket_settle(ticket, generation, answer, true);
}

void passtime_wgpu_map(struct passtime_wgpu *self, WGPUBuffer buffer, size_t bytes,
                       struct passtime_wgpu_ticket *ticket)
{
    WGPUBufferMapCallbackInfo info = WGPU_BUFFER_MAP_CALLBACK_INFO_INIT;
    info.mode = passtime_wgpu_mode(self);
    info.callback = on_map;
    info.userdata1 = ticket;
    info.userdata2 = ticket_open(ticket);
    self->gpu.procs.buffer_map_async(buffer, WGPUMapMode_Read, 0, bytes, info);
}

void passtime_wgpu_unmap(struct passtime_wgpu *self, WGPUBuffer buffer,
                         struct passtime_wgpu_job *job)
{
    const enum passtime_wgpu_answer answer = passtime_wgpu_ticket_answer(&job->end);
    ticket_void(&job->end);
    if (answer == PASSTIME_WGPU_DONE || answer == PASSTIME_WGPU_PENDING) {
        self->gpu.procs.buffer_unmap(buffer);
    }
}

static void on_work_done(WGPUQueueWorkDoneStatus status, WGPUStringView message, void *ticket,
                         void *generation)
{
    (void)message;
    enum passtime_wgpu_answer answer = PASSTIME_WGPU_FAILED;
    if (status == WGPUQueueWorkDoneStatus_Success) {
        answer = PASSTIME_WGPU_DONE;
    } else if (status == WGPUQueueWorkDoneStatus_CallbackCancelled) {
        answer = PASSTIME_WGPU_GONE;
    }
    ticket_settle(ticket, generation, answer, true);
}

void passtime_wgpu_work_done(struct passtime_wgpu *self, struct passtime_wgpu_ticket *ticket)
{
    WGPUQueueWorkDoneCallbackInfo info = WGPU_QUEUE_WORK_DONE_CALLBACK_INFO_INIT;
    info.mode = passtime_wgpu_mode(self);
    info.callback = on_work_done;
    info.userdata1 = ticket;
    info.userdata2 = ticket_open(ticket);
    self->gpu.procs.queue_on_submitted_work_done(self->gpu.queue, info);
}
