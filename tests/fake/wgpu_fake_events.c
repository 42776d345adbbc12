/* SPDX-License-Identifier: MIT */
/* The fake's buffers as they are mapped, and its callbacks as they fire. */
#include <stdlib.h>

#include "fake/wgpu_fake_objects.h"

static void take(struct fake *fake)
{
    pthread_mutex_lock(&fake->lock);
}

static void give(struct fake *fake)
{
    pthread_mutex_unlock(&fake->lock);
}

/* Maps ------------------------------------------------------------------------------------------
 */

static void abort_map(WGPUBuffer buffer)
{
    if (buffer->map != NULL) {
        buffer->map->decided = true;
        buffer->map->status = WGPUMapAsyncStatus_Aborted;
        buffer->map->buffer = NULL;
        buffer->map = NULL;
    }
}

void fake_buffer_release(WGPUBuffer buffer)
{
    if (buffer->head.references == 1) {
        abort_map(buffer);
    }
    if (fake_unreference(&buffer->head)) {
        free(buffer->data);
        free(buffer);
    }
}

void fake_release_buffer(WGPUBuffer buffer)
{
    struct fake *fake = buffer->head.fake;
    take(fake);
    fake_buffer_release(buffer);
    give(fake);
}

WGPUFuture fake_map_async(WGPUBuffer buffer, WGPUMapMode mode, size_t offset, size_t size,
                          WGPUBufferMapCallbackInfo info)
{
    struct fake *fake = buffer->head.fake;
    take(fake);
    fake_log(fake, FAKE_MAP, buffer->head.ours, size, 0, 0);
    struct fake_event *event = fake_owe(fake, FAKE_EVENT_MAP);
    event->map = info;
    event->serial = fake->items_queued;
    const bool valid = mode == WGPUMapMode_Read && (buffer->usage & WGPUBufferUsage_MapRead) != 0 &&
                       offset % 8 == 0 && size % 4 == 0 && offset + size <= buffer->bytes &&
                       buffer->state == WGPUBufferMapState_Unmapped;
    if (fake->lost) {
        event->decided = true;
        event->status = WGPUMapAsyncStatus_Aborted;
    } else if (!valid) {
        fake_violation(fake, "a buffer can't be mapped like this");
        event->decided = true;
        event->status = WGPUMapAsyncStatus_Error;
    } else {
        /* A failing one is pending too, until its callback says so. */
        buffer->state = WGPUBufferMapState_Pending;
        buffer->map = event;
        event->buffer = buffer;
        event->decided = fake->fail_maps > 0 && fake->good_maps == 0;
        event->status = WGPUMapAsyncStatus_Error;
        fake->fail_maps -= event->decided;
        fake->good_maps -= fake->good_maps > 0;
    }
    give(fake);
    return (WGPUFuture){1};
}

const void *fake_mapped_range(WGPUBuffer buffer, size_t offset, size_t size)
{
    struct fake *fake = buffer->head.fake;
    take(fake);
    const bool valid = buffer->state == WGPUBufferMapState_Mapped && offset + size <= buffer->bytes;
    if (!valid) {
        fake_violation(fake, "a range of a buffer that is not mapped");
    }
    give(fake);
    return valid ? buffer->data + offset : NULL;
}

/* Legal on an unmapped buffer, but wgpu-native reports it as an error of the app: not for us. */
void fake_unmap(WGPUBuffer buffer)
{
    struct fake *fake = buffer->head.fake;
    take(fake);
    fake_log(fake, FAKE_UNMAP, buffer->head.ours, 0, 0, 0);
    if (buffer->state == WGPUBufferMapState_Unmapped) {
        fake_violation(fake, "a buffer was unmapped that is not mapped");
    }
    abort_map(buffer);
    buffer->state = WGPUBufferMapState_Unmapped;
    give(fake);
}

/* Callbacks -------------------------------------------------------------------------------------
 */

struct fake_event *fake_owe(struct fake *fake, enum fake_event_kind kind)
{
    struct fake_event *event = calloc(1, sizeof *event);
    if (event == NULL) {
        abort();
    }
    event->kind = kind;
    struct fake_event **end = &fake->events;
    while (*end != NULL) {
        end = &(*end)->next;
    }
    *end = event;
    return event;
}

static void call_back(const struct fake_event *event)
{
    const WGPUStringView text = {"", 0};
    switch (event->kind) {
    case FAKE_EVENT_MAP:
        event->map.callback((WGPUMapAsyncStatus)event->status, text, event->map.userdata1,
                            event->map.userdata2);
        break;
    case FAKE_EVENT_SCOPE:
        event->scope.callback((WGPUPopErrorScopeStatus)event->status, event->error, text,
                              event->scope.userdata1, event->scope.userdata2);
        break;
    case FAKE_EVENT_WORK_DONE:
        event->done.callback((WGPUQueueWorkDoneStatus)event->status, text, event->done.userdata1,
                             event->done.userdata2);
        break;
    }
}

static bool is_due(struct fake *fake, struct fake_event *event)
{
    if (event->kind == FAKE_EVENT_SCOPE) {
        return !fake->hold_scopes;
    }
    if (!event->decided) {
        if (event->serial > fake->items_run || (event->kind == FAKE_EVENT_MAP && fake->hold_maps)) {
            return false;
        }
        event->status = event->kind == FAKE_EVENT_MAP ? (int)WGPUMapAsyncStatus_Success
                                                      : (int)WGPUQueueWorkDoneStatus_Success;
    }
    if (event->buffer != NULL) {
        event->buffer->state =
            event->decided ? WGPUBufferMapState_Unmapped : WGPUBufferMapState_Mapped;
        event->buffer->map = NULL;
    }
    return true;
}

/* Takes the first event that is due off the list. */
static struct fake_event *next_due(struct fake *fake, bool cancel)
{
    for (struct fake_event **at = &fake->events; *at != NULL; at = &(*at)->next) {
        struct fake_event *event = *at;
        if (cancel || is_due(fake, event)) {
            *at = event->next;
            return event;
        }
    }
    return NULL;
}

void fake_fire_all(struct fake *fake, bool cancel)
{
    for (;;) {
        take(fake);
        struct fake_event *event = next_due(fake, cancel);
        fake->callbacks += event != NULL;
        give(fake);
        if (event == NULL) {
            return;
        }
        if (cancel) {
            event->status = 2; /* CallbackCancelled of every kind */
            if (event->buffer != NULL) {
                event->buffer->map = NULL;
            }
        }
        call_back(event);
        free(event);
    }
}

void fake_fire(struct fake *fake)
{
    fake_fire_all(fake, false);
}

void fake_process_events(WGPUInstance instance)
{
    fake_fire(instance->head.fake);
}

void fake_lose(struct fake *fake)
{
    take(fake);
    fake->lost = true;
    for (struct fake_event *event = fake->events; event != NULL; event = event->next) {
        if (event->kind == FAKE_EVENT_MAP && event->buffer != NULL) {
            event->buffer->state = WGPUBufferMapState_Unmapped;
            abort_map(event->buffer);
        } else if (event->kind == FAKE_EVENT_WORK_DONE) {
            event->decided = true;
            event->status = WGPUQueueWorkDoneStatus_Error;
        }
    }
    give(fake);
}
