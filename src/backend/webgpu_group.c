/* SPDX-License-Identifier: MIT */
/* Groups: one pair of stamps around several passes, the begin written by the first of them and the
 * end by the last. */
#include "backend/webgpu_state.h"

static const WGPUPassTimestampWrites *fill(const struct passtime_wgpu *self,
                                           struct passtime_place place, bool end,
                                           WGPUPassTimestampWrites *writes)
{
    uint32_t slot;
    writes->nextInChain = NULL;
    writes->querySet = passtime_wgpu_slot(self, place, &slot);
    writes->beginningOfPassWriteIndex = end ? WGPU_QUERY_SET_INDEX_UNDEFINED : slot;
    writes->endOfPassWriteIndex = end ? slot + 1 : WGPU_QUERY_SET_INDEX_UNDEFINED;
    return writes;
}

const WGPUPassTimestampWrites *passtime_webgpu_group_first(passtime_recorder *rec, const char *name,
                                                           WGPUPassTimestampWrites *writes)
{
    bool stamps;
    struct passtime_place place;
    struct passtime_wgpu *self = passtime_wgpu_of(rec, &stamps);
    if (self == NULL) {
        return NULL;
    }
    const passtime_id id = passtime_front_name(rec, name);
    if (!stamps) {
        passtime_wgpu_cpu_pass(rec, id);
        return NULL;
    }
    if (!passtime_front_open(rec, id, &place)) {
        passtime_wgpu_counters_name(self, rec, PASSTIME_NONE);
        return NULL;
    }
    struct passtime_wgpu_entry *entry = &self->entries[place.entry];
    if (writes == NULL || entry->suspect[place.pair]) {
        passtime_front_refuse(rec, place);
        passtime_wgpu_counters_name(self, rec, PASSTIME_NONE);
        return NULL;
    }
    passtime_wgpu_counters_name(self, rec, place.pair);
    passtime_wgpu_own(entry, place.pair, rec);
    /* Its begin will be written; should its end not be, the slot's next user must not inherit it.
     */
    entry->suspect[place.pair] = PASSTIME_WGPU_OPEN;
    return fill(self, place, false, writes);
}

const WGPUPassTimestampWrites *passtime_webgpu_group_last(passtime_recorder *rec,
                                                          WGPUPassTimestampWrites *writes)
{
    struct passtime_place place;
    struct passtime_wgpu *self = passtime_front_recorder_self(rec, &passtime_wgpu_ops);
    if (self == NULL) {
        return NULL;
    }
    passtime_wgpu_counters_name(self, rec, PASSTIME_NONE);
    if (!passtime_front_close(rec, &place)) {
        return NULL;
    }
    struct passtime_wgpu_entry *entry = &self->entries[place.entry];
    if (entry->suspect[place.pair] != PASSTIME_WGPU_OPEN) {
        return NULL; /* refused when it began, or no group of passes */
    }
    if (writes == NULL) {
        passtime_front_refuse(rec, place);
        return NULL;
    }
    entry->suspect[place.pair] = 0;
    passtime_wgpu_counters_name(self, rec, place.pair);
    return fill(self, place, true, writes);
}
