/* SPDX-License-Identifier: MIT */
/*
 * Stamps between the draws or dispatches of one pass, through functions that plain webgpu.h lacks.
 * Where the device was not given the feature, a group is refused before anything is recorded into
 * the pass.
 */
#include "backend/webgpu_state.h"

/* The pass of either kind that a stamp goes into; one of the two is NULL. */
struct target {
    WGPURenderPassEncoder render;
    WGPUComputePassEncoder compute;
};

static bool can_stamp(const struct passtime_wgpu *self, struct target target)
{
    return (target.render != NULL && self->in_render) ||
           (target.compute != NULL && self->in_compute);
}

static void stamp(const struct passtime_wgpu *self, struct target target,
                  struct passtime_place place, uint32_t which)
{
    uint32_t slot;
    WGPUQuerySet set = passtime_wgpu_slot(self, place, &slot);
    if (target.render != NULL) {
        self->gpu.write_in_render(target.render, set, slot + which);
    } else {
        self->gpu.write_in_compute(target.compute, set, slot + which);
    }
}

static void begin(passtime_recorder *rec, struct target target, const char *name)
{
    bool stamps;
    struct passtime_wgpu *self = passtime_wgpu_of(rec, &stamps);
    if (self == NULL) {
        return;
    }
    const passtime_id id = passtime_front_name(rec, name);
    if (!stamps) {
        passtime_wgpu_cpu_open(self, rec, id);
        return;
    }
    struct passtime_place place;
    if (!passtime_front_open(rec, id, &place)) {
        return;
    }
    struct passtime_wgpu_entry *entry = &self->entries[place.entry];
    if (!can_stamp(self, target)) {
        passtime_front_refuse(rec, place);
        passtime_wgpu_log(
            self, PASSTIME_LOG_UNSUPPORTED,
            "Stamps inside passes need the device's native feature and the write_in_… "
            "functions of passtime_webgpu_desc; this group is not timed.");
    } else if (entry->suspect[place.pair]) {
        passtime_front_refuse(rec, place);
    } else {
        passtime_wgpu_own(entry, place.pair, rec);
        stamp(self, target, place, 0);
        entry->suspect[place.pair] = 1;
    }
}

static void end(passtime_recorder *rec, struct target target)
{
    bool stamps;
    struct passtime_wgpu *self = passtime_wgpu_of(rec, &stamps);
    if (self == NULL) {
        return;
    }
    if (!stamps) {
        passtime_wgpu_cpu_close(self, rec, 0);
        return;
    }
    struct passtime_place place;
    if (passtime_front_close(rec, &place) && can_stamp(self, target)) {
        stamp(self, target, place, 1);
        self->entries[place.entry].suspect[place.pair] = 0;
    }
}

void passtime_webgpu_begin_in_render(passtime_recorder *rec, WGPURenderPassEncoder pass,
                                     const char *name)
{
    begin(rec, (struct target){pass, NULL}, name);
}

void passtime_webgpu_end_in_render(passtime_recorder *rec, WGPURenderPassEncoder pass)
{
    end(rec, (struct target){pass, NULL});
}

void passtime_webgpu_begin_in_compute(passtime_recorder *rec, WGPUComputePassEncoder pass,
                                      const char *name)
{
    begin(rec, (struct target){NULL, pass}, name);
}

void passtime_webgpu_end_in_compute(passtime_recorder *rec, WGPUComputePassEncoder pass)
{
    end(rec, (struct target){NULL, pass});
}
