/* SPDX-License-Identifier: MIT */
/*
 * The WebGPU backend's face: making a context on a device, and handing passes their slots.
 */
#include <string.h>

#include "backend/webgpu_state.h"

/* Features outside the standard that allow stamps inside passes. */
enum {
    WGPU_NATIVE_INSIDE_ENCODERS = 0x00030024,
    WGPU_NATIVE_INSIDE_PASSES = 0x00030025,
    DAWN_INSIDE_PASSES = 0x00050003
};

uint32_t passtime_webgpu_required_features(const passtime_webgpu_procs *procs, WGPUAdapter adapter,
                                           bool inside_passes, WGPUFeatureName *features,
                                           uint32_t capacity)
{
    if (procs == NULL || adapter == NULL || features == NULL ||
        !procs->adapter_has_feature(adapter, WGPUFeatureName_TimestampQuery)) {
        return 0;
    }
    const int wanted[] = {WGPUFeatureName_TimestampQuery, WGPU_NATIVE_INSIDE_ENCODERS,
                          WGPU_NATIVE_INSIDE_PASSES, DAWN_INSIDE_PASSES};
    const size_t wanted_count = inside_passes ? sizeof wanted / sizeof wanted[0] : 1;
    uint32_t count = 0;
    for (size_t i = 0; i < wanted_count && count < capacity; i++) {
        if (procs->adapter_has_feature(adapter, (WGPUFeatureName)wanted[i])) {
            features[count++] = (WGPUFeatureName)wanted[i];
        }
    }
    return count;
}

void passtime_wgpu_log(const struct passtime_wgpu *self, passtime_log_item item,
                       const char *message)
{
    if (self->t != NULL) {
        passtime_front_log(self->t, item, message);
    } else {
        passtime_front_log_early(&self->shared->desc, item, message);
    }
}

struct passtime_wgpu *passtime_wgpu_of(const passtime_recorder *rec, bool *stamps)
{
    struct passtime_wgpu *self = passtime_front_recorder_self(rec, &passtime_wgpu_ops);
    *stamps = self != NULL;
    return self != NULL ? self : passtime_front_recorder_self(rec, &passtime_wgpu_cpu_ops);
}

WGPUQuerySet passtime_wgpu_slot(const struct passtime_wgpu *self, struct passtime_place place,
                                uint32_t *slot)
{
    *slot = 2 * (place.pair % PASSTIME_WGPU_PAIRS_PER_SET);
    return self->entries[place.entry].bank.sets[place.pair / PASSTIME_WGPU_PAIRS_PER_SET];
}

const WGPUPassTimestampWrites *passtime_webgpu_pass_id(passtime_recorder *rec, passtime_id id,
                                                       WGPUPassTimestampWrites *writes)
{
    struct passtime_wgpu *self = passtime_front_recorder_self(rec, &passtime_wgpu_ops);
    if (self == NULL) {
        passtime_wgpu_cpu_pass(rec, id);
        return NULL;
    }
    struct passtime_place place;
    if (!passtime_front_pass(rec, id, &place)) {
        passtime_wgpu_counters_name(self, rec, PASSTIME_NONE);
        return NULL;
    }
    struct passtime_wgpu_entry *entry = &self->entries[place.entry];
    if (writes == NULL || entry->suspect[place.pair]) {
        passtime_front_refuse(rec, place);
        passtime_wgpu_counters_name(self, rec, PASSTIME_NONE);
        passtime_wgpu_log(
            self, PASSTIME_LOG_BACKEND,
            "A pass is not timed: in the frame before, its place was named for a pass that "
            "did not run in time. Name a pass only where it is begun and submitted.");
        return NULL;
    }
    passtime_wgpu_own(entry, place.pair, rec);
    passtime_wgpu_counters_name(self, rec, place.pair);
    uint32_t slot;
    writes->nextInChain = NULL;
    writes->querySet = passtime_wgpu_slot(self, place, &slot);
    writes->beginningOfPassWriteIndex = slot;
    writes->endOfPassWriteIndex = slot + 1;
    return writes;
}

const WGPUPassTimestampWrites *passtime_webgpu_pass(passtime_recorder *rec, const char *name,
                                                    WGPUPassTimestampWrites *writes)
{
    return passtime_webgpu_pass_id(rec, passtime_front_name(rec, name), writes);
}

const WGPUPassTimestampWrites *passtime_webgpu_pass_n(passtime_recorder *rec, const char *name,
                                                      size_t bytes, WGPUPassTimestampWrites *writes)
{
    return passtime_webgpu_pass_id(rec, passtime_front_name_n(rec, name, bytes), writes);
}

bool passtime_wgpu_is_lost(void *object)
{
    const struct passtime_wgpu *self = object;
    return atomic_load(&self->shared->lost);
}

struct passtime_wgpu *passtime_wgpu_of_context(passtime *t)
{
    struct passtime_wgpu *self = passtime_front_self(t, &passtime_wgpu_ops);
    return self != NULL ? self : passtime_front_self(t, &passtime_wgpu_cpu_ops);
}

void passtime_webgpu_device_lost(passtime *t)
{
    struct passtime_wgpu *self = passtime_wgpu_of_context(t);
    if (self != NULL) {
        atomic_store(&self->shared->lost, true);
    }
}

passtime_result passtime_webgpu_get_info(passtime *t, passtime_webgpu_info *out)
{
    struct passtime_wgpu *self = passtime_wgpu_of_context(t);
    if (self == NULL || out == NULL) {
        return PASSTIME_INVALID;
    }
    *out = (passtime_webgpu_info){.size = sizeof *out,
                                  .flags = self->gpu.flags,
                                  .stamps = passtime_front_self(t, &passtime_wgpu_ops) != NULL,
                                  .in_render = self->in_render,
                                  .in_compute = self->in_compute,
                                  .lost = passtime_wgpu_is_lost(self),
                                  .failures = atomic_load(&self->failures)};
    for (uint32_t i = 0; i < self->entry_count; i++) {
        const struct passtime_wgpu_entry *entry = &self->entries[i];
        const bool ready = entry->build == PASSTIME_WGPU_BUILD_READY;
        const uint32_t pairs = ready ? entry->next.pairs : entry->tainted ? 0 : entry->bank.pairs;
        out->query_sets += entry->bank.set_count + entry->next.set_count;
        if (pairs != 0) {
            const bool least = out->entries_ready == 0 || pairs < out->pairs_ready;
            out->pairs_ready = least ? pairs : out->pairs_ready;
            out->entries_ready++;
        }
    }
    return PASSTIME_OK;
}

/* Making and ending */

static void free_entry(const passtime_desc *desc, struct passtime_wgpu_entry *entry)
{
    passtime_front_free(desc, entry->runs);
    passtime_front_free(desc, entry->known);
    passtime_front_free(desc, entry->suspect);
    passtime_front_free(desc, entry->rode);
    passtime_front_free(desc, (void *)entry->owner);
    passtime_front_free(desc, entry->ticks);
    passtime_front_free(desc, entry->last);
}

void passtime_wgpu_destroy(void *object)
{
    struct passtime_wgpu *self = object;
    const passtime_webgpu_procs *wgpu = &self->gpu.procs;
    struct passtime_wgpu_shared *shared = self->shared;
    const passtime_desc desc = shared->desc;
    for (uint32_t i = 0; i < self->entry_count; i++) {
        struct passtime_wgpu_entry *entry = &self->entries[i];
        passtime_wgpu_build_cancel(self, i);
        if (entry->phase >= PASSTIME_WGPU_DEFERRED) {
            passtime_wgpu_entry_abandon(self, i);
        }
        passtime_wgpu_bank_release(self, &entry->bank);
        free_entry(&desc, entry);
    }
    passtime_wgpu_counters_destroy(self);
    wgpu->queue_release(self->gpu.queue);
    wgpu->device_release(self->gpu.device);
    if (self->gpu.instance != NULL) {
        wgpu->instance_release(self->gpu.instance);
    }
    passtime_front_free(&desc, self->entries);
    passtime_front_free(&desc, self);
    passtime_wgpu_shared_drop(shared);
}

static bool allocate_entry(struct passtime_wgpu *self, struct passtime_wgpu_entry *entry)
{
    const passtime_desc *desc = &self->shared->desc;
    const size_t pairs = self->max_passes;
    entry->runs = passtime_front_allocate(desc, (pairs / 2 + 1) * sizeof *entry->runs);
    entry->known = passtime_front_allocate(desc, pairs);
    entry->suspect = passtime_front_allocate(desc, pairs);
    entry->ticks = passtime_front_allocate(desc, 2 * pairs * sizeof *entry->ticks);
    entry->last = passtime_front_allocate(desc, 2 * pairs * sizeof *entry->last);
    bool done = entry->runs && entry->known && entry->suspect && entry->ticks && entry->last;
    if (self->gpu.flags & PASSTIME_WEBGPU_RIDE) {
        entry->rode = passtime_front_allocate(desc, pairs);
        entry->owner = passtime_front_allocate(desc, pairs * sizeof *entry->owner);
        done = done && entry->rode && entry->owner;
    }
    return done;
}

static struct passtime_wgpu_shared *make_shared(const passtime_desc *desc, bool counters)
{
    const size_t entries = desc->frames_in_flight;
    const size_t job_count = 2 * entries + (counters ? entries + 1 : 0);
    struct passtime_wgpu_shared *shared =
        passtime_front_allocate(desc, sizeof *shared + job_count * sizeof shared->jobs[0]);
    if (shared == NULL) {
        return NULL;
    }
    atomic_store(&shared->references, 1);
    shared->desc = *desc;
    for (size_t i = 0; i < job_count; i++) {
        shared->jobs[i].end.shared = shared;
        for (uint32_t scope = 0; scope < PASSTIME_WGPU_SCOPES; scope++) {
            shared->jobs[i].scopes[scope].shared = shared;
        }
    }
    return shared;
}

/* From here on passtime_wgpu_destroy may be called on it: references are taken, memory may lack. */
static struct passtime_wgpu *make_object(const passtime_webgpu_desc *gpu, const passtime_desc *desc)
{
    struct passtime_wgpu_shared *shared = make_shared(desc, gpu->counters != NULL);
    if (shared == NULL) {
        return NULL;
    }
    struct passtime_wgpu *self = passtime_front_allocate(desc, sizeof *self);
    if (self == NULL) {
        passtime_wgpu_shared_drop(shared);
        return NULL;
    }
    self->shared = shared;
    self->gpu = *gpu;
    self->max_passes = desc->max_passes;
    self->max_rides = desc->max_recorders;
    self->unit = passtime_front_unit(gpu->tick_ns == 0 ? 1.0 : gpu->tick_ns);
    gpu->procs.queue_add_ref(gpu->queue);
    gpu->procs.device_add_ref(gpu->device);
    if (gpu->instance != NULL) {
        gpu->procs.instance_add_ref(gpu->instance);
    }
    return self;
}

static bool allocate_entries(struct passtime_wgpu *self)
{
    const passtime_desc *desc = &self->shared->desc;
    self->entries = passtime_front_allocate(desc, desc->frames_in_flight * sizeof *self->entries);
    bool done = self->entries != NULL;
    while (done && self->entry_count < desc->frames_in_flight) {
        done = allocate_entry(self, &self->entries[self->entry_count++]);
    }
    return done;
}

static bool device_has(const passtime_webgpu_desc *gpu, int feature)
{
    return gpu->procs.device_has_feature(gpu->device, (WGPUFeatureName)feature);
}

/* What the device was really given counts, not what its adapter offers. */
static void look_inside(struct passtime_wgpu *self)
{
    const bool inside = device_has(&self->gpu, WGPU_NATIVE_INSIDE_PASSES) ||
                        device_has(&self->gpu, DAWN_INSIDE_PASSES);
    self->in_render = inside && self->gpu.write_in_render != NULL;
    self->in_compute = inside && self->gpu.write_in_compute != NULL;
}

static passtime_result make_context(const passtime_webgpu_desc *gpu, const passtime_desc *desc,
                                    bool stamps, passtime **t)
{
    struct passtime_wgpu *self = make_object(gpu, desc);
    if (self == NULL) {
        return PASSTIME_NO_MEMORY;
    }
    if (stamps) {
        look_inside(self);
    }
    passtime_result result = PASSTIME_NO_MEMORY;
    const passtime_counters_desc *counters = gpu->counters;
    self->gpu.counters = NULL; /* The app's, and only during this call. */
    if (allocate_entries(self) &&
        (counters == NULL || passtime_wgpu_counters_create(self, counters->count))) {
        const struct passtime_traits traits = {
            .source = stamps ? PASSTIME_GPU_STAMPS : PASSTIME_CPU_RECORD,
            .valid_bits = 64,
            .unit = stamps ? self->unit : (struct passtime_unit){1, 1},
            .has_envelope = true,
            .boundary_unverified =
                stamps && (gpu->flags & PASSTIME_WEBGPU_BOUNDARY_UNVERIFIED) != 0,
            .zero_means_unwritten = stamps};
        result = passtime_front_create(stamps ? &passtime_wgpu_ops : &passtime_wgpu_cpu_ops, self,
                                       &traits, desc, t);
    }
    if (result != PASSTIME_OK) {
        passtime_wgpu_destroy(self);
        return result;
    }
    if (counters != NULL &&
        passtime_front_counters(*t, counters, passtime_wgpu_counters_asked) != PASSTIME_OK) {
        passtime_destroy(t);
        return PASSTIME_NO_MEMORY;
    }
    self->t = *t;
    for (uint32_t i = 0; stamps && i < self->entry_count; i++) {
        passtime_wgpu_build_begin(self, i, PASSTIME_WGPU_FIRST_PAIRS);
    }
    passtime_wgpu_build_steps(self);
    return PASSTIME_OK;
}

static const char *what_is_wrong(const passtime_webgpu_desc *gpu)
{
    const uint32_t known = PASSTIME_WEBGPU_FALLBACK_CPU | PASSTIME_WEBGPU_FORCE_CPU |
                           PASSTIME_WEBGPU_RIDE | PASSTIME_WEBGPU_DEFER_RESOLVE |
                           PASSTIME_WEBGPU_PUMP | PASSTIME_WEBGPU_SPONTANEOUS |
                           PASSTIME_WEBGPU_BOUNDARY_UNVERIFIED;
    const uint32_t both = PASSTIME_WEBGPU_RIDE | PASSTIME_WEBGPU_DEFER_RESOLVE;
    if (gpu->size != sizeof *gpu) {
        return "passtime_webgpu_desc has another size: begin from PASSTIME_WEBGPU_DESC_INIT.";
    }
    if (gpu->device == NULL || gpu->queue == NULL) {
        return "passtime_webgpu_desc needs a device and a queue.";
    }
    if ((gpu->flags & PASSTIME_WEBGPU_PUMP) != 0 && gpu->instance == NULL) {
        return "PASSTIME_WEBGPU_PUMP needs the instance.";
    }
    if ((gpu->flags & ~known) != 0 || (gpu->flags & both) == both) {
        return "passtime_webgpu_desc has unknown flags, or RIDE together with DEFER_RESOLVE.";
    }
    if (gpu->counters != NULL && !passtime_front_counters_are_valid(gpu->counters)) {
        return "passtime_counters_desc has another size, no counter, more than "
               "PASSTIME_COUNTERS_MAX, or one without a name.";
    }
    for (size_t i = 0; i < sizeof gpu->reserved / sizeof gpu->reserved[0]; i++) {
        if (gpu->reserved[i] != 0) {
            return "passtime_webgpu_desc has a reserved field that is not 0.";
        }
    }
    /* Every member of the table is a function pointer; one left out would be a crash later. */
    const unsigned char *bytes = (const unsigned char *)&gpu->procs;
    const unsigned char nothing[sizeof gpu->procs.queue_submit] = {0};
    for (size_t at = 0; at < sizeof gpu->procs; at += sizeof nothing) {
        if (memcmp(bytes + at, nothing, sizeof nothing) == 0) {
            return "passtime_webgpu_desc.procs lacks a function.";
        }
    }
    return NULL;
}

passtime_result passtime_create_webgpu(const passtime_webgpu_desc *gpu, const passtime_desc *desc,
                                       passtime **t)
{
    if (t == NULL) {
        return PASSTIME_INVALID;
    }
    *t = NULL;
    passtime_desc resolved;
    const passtime_result result = passtime_front_resolve_desc(desc, 4, &resolved);
    if (result != PASSTIME_OK || gpu == NULL) {
        return PASSTIME_INVALID;
    }
    const char *wrong = what_is_wrong(gpu);
    if (wrong != NULL) {
        passtime_front_log_early(&resolved, PASSTIME_LOG_BACKEND, wrong);
        return PASSTIME_INVALID;
    }
    if (gpu->counters != NULL && !passtime_wgpu_counters_fit(&resolved)) {
        passtime_front_log_early(&resolved, PASSTIME_LOG_BACKEND,
                                 "Counters of so many passes in flight are more than a buffer of "
                                 "WebGPU holds: lower max_passes or frames_in_flight.");
        return PASSTIME_INVALID;
    }
    const bool forced = gpu->flags & PASSTIME_WEBGPU_FORCE_CPU;
    const bool stamps = !forced && device_has(gpu, WGPUFeatureName_TimestampQuery);
    if (!stamps && !forced && !(gpu->flags & PASSTIME_WEBGPU_FALLBACK_CPU)) {
        passtime_front_log_early(&resolved, PASSTIME_LOG_UNSUPPORTED,
                                 "The device was made without the timestamp-query feature: request "
                                 "what passtime_webgpu_required_features() lists.");
        return PASSTIME_UNSUPPORTED;
    }
    if (!stamps) {
        passtime_front_log_early(&resolved, PASSTIME_LOG_FALLBACK,
                                 forced ? "CPU times are used, as asked; they are not GPU times."
                                        : "The device has no timestamp queries: CPU times are "
                                          "used, which are not GPU times.");
    }
    return make_context(gpu, &resolved, stamps, t);
}

const struct passtime_backend_ops passtime_wgpu_ops = {
    .size = sizeof(struct passtime_backend_ops),
    .api = "webgpu",
    .destroy = passtime_wgpu_destroy,
    .entry_begin = passtime_wgpu_entry_begin,
    .entry_resolve = passtime_wgpu_entry_resolve,
    .entry_collect = passtime_wgpu_entry_collect,
    .entry_release = passtime_wgpu_entry_release,
    .entry_abandon = passtime_wgpu_entry_abandon,
    .is_lost = passtime_wgpu_is_lost,
    .poll = passtime_wgpu_poll,
};
