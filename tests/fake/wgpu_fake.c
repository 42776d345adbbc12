/* SPDX-License-Identifier: MIT */
/* The fake's device: objects and their lives, errors and their scopes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake/wgpu_fake_objects.h"

static void take(struct fake *fake)
{
    pthread_mutex_lock(&fake->lock);
}

static void give(struct fake *fake)
{
    pthread_mutex_unlock(&fake->lock);
}

/* Errors ----------------------------------------------------------------------------------------
 */

void fake_violation(struct fake *fake, const char *message)
{
    fake->violations++;
    snprintf(fake->message, sizeof fake->message, "%s", message);
}

static struct fake_scope *innermost(struct fake *fake, WGPUErrorFilter filter)
{
    for (uint32_t i = fake->scopes_open; i > 0; i--) {
        struct fake_scope *scope = &fake->scopes[i - 1];
        if (pthread_equal(scope->thread, pthread_self()) &&
            (filter == 0 || scope->filter == filter)) {
            return scope;
        }
    }
    return NULL;
}

void fake_raise(struct fake *fake, WGPUErrorType type, const char *message)
{
    const WGPUErrorFilter filter = type == WGPUErrorType_OutOfMemory ? WGPUErrorFilter_OutOfMemory
                                                                     : WGPUErrorFilter_Validation;
    struct fake_scope *scope = innermost(fake, filter);
    if (scope == NULL) {
        fake->uncaptured++;
        snprintf(fake->message, sizeof fake->message, "%s", message);
    } else if (scope->error == WGPUErrorType_NoError) {
        scope->error = type;
    }
}

static void push_scope(WGPUDevice device, WGPUErrorFilter filter)
{
    struct fake *fake = device->head.fake;
    take(fake);
    if (fake->scopes_open == sizeof fake->scopes / sizeof fake->scopes[0]) {
        fake_violation(fake, "scopes are pushed without end");
        fake->scopes_open--;
    }
    fake->scopes[fake->scopes_open++] =
        (struct fake_scope){pthread_self(), filter, WGPUErrorType_NoError};
    give(fake);
}

static WGPUErrorType take_scope(struct fake *fake, bool *found)
{
    struct fake_scope *scope = innermost(fake, (WGPUErrorFilter)0);
    *found = scope != NULL;
    if (scope == NULL) {
        return WGPUErrorType_Unknown;
    }
    const WGPUErrorType error = scope->error;
    const size_t after = (size_t)(fake->scopes + fake->scopes_open - (scope + 1));
    memmove(scope, scope + 1, after * sizeof *scope);
    fake->scopes_open--;
    return error;
}

static WGPUFuture pop_scope(WGPUDevice device, WGPUPopErrorScopeCallbackInfo info)
{
    struct fake *fake = device->head.fake;
    take(fake);
    bool found;
    struct fake_event *event = fake_owe(fake, FAKE_EVENT_SCOPE);
    event->error = take_scope(fake, &found);
    event->status = found ? WGPUPopErrorScopeStatus_Success : WGPUPopErrorScopeStatus_Error;
    event->decided = true;
    event->scope = info;
    give(fake);
    return (WGPUFuture){1};
}

/* Log -------------------------------------------------------------------------------------------
 */

void fake_log(struct fake *fake, enum fake_call_kind kind, bool ours, uint64_t a, uint64_t b,
              uint64_t c)
{
    const size_t count = fake->call_count;
    if ((count & (count - 1)) == 0) { /* Full: room for as many again. */
        const size_t room = count > 0 ? 2 * count : 1;
        struct fake_call *calls = realloc(fake->calls, room * sizeof *fake->calls);
        if (calls == NULL) {
            abort();
        }
        fake->calls = calls;
    }
    fake->calls[fake->call_count++] = (struct fake_call){kind, ours, a, b, c};
}

void fake_forget_calls(struct fake *fake)
{
    fake->call_count = 0;
}

const struct fake_call *fake_call(const struct fake *fake, enum fake_call_kind kind, size_t n)
{
    for (size_t i = 0; i < fake->call_count; i++) {
        if (fake->calls[i].kind == kind && fake->calls[i].ours && n-- == 0) {
            return &fake->calls[i];
        }
    }
    return NULL;
}

size_t fake_count(const struct fake *fake, enum fake_call_kind kind)
{
    size_t count = 0;
    while (fake_call(fake, kind, count) != NULL) {
        count++;
    }
    return count;
}

/* Lives -----------------------------------------------------------------------------------------
 */

void *fake_new(struct fake *fake, size_t bytes)
{
    struct fake_head *head = calloc(1, bytes);
    if (head == NULL) {
        abort();
    }
    head->fake = fake;
    head->references = 1;
    fake->live++;
    return head;
}

/* Returns true where that was the last reference; then only the memory is left to free. */
bool fake_unreference(struct fake_head *head)
{
    struct fake *fake = head->fake;
    if (head->references == 0) {
        fake_violation(fake, "an object was released too often");
        return false;
    }
    if (--head->references > 0) {
        return false;
    }
    fake->live--;
    return true;
}

void fake_drop(void *object)
{
    if (fake_unreference(object)) {
        free(object);
    }
}

static bool is_ours(WGPUStringView label)
{
    return label.data != NULL && label.length == 8 && memcmp(label.data, "passtime", 8) == 0;
}

static void root_add(struct fake_head *head)
{
    take(head->fake);
    head->references++;
    head->fake->roots++;
    give(head->fake);
}

static void root_release(struct fake_head *head)
{
    take(head->fake);
    if (head->references <= 1) {
        fake_violation(head->fake, "a device, queue or instance was released too often");
    } else {
        head->references--;
        head->fake->roots--;
    }
    give(head->fake);
}

static void instance_add(WGPUInstance object)
{
    root_add(&object->head);
}
static void instance_release(WGPUInstance object)
{
    root_release(&object->head);
}
static void device_add(WGPUDevice object)
{
    root_add(&object->head);
}
static void device_release(WGPUDevice object)
{
    root_release(&object->head);
}
static void queue_add(WGPUQueue object)
{
    root_add(&object->head);
}
static void queue_release(WGPUQueue object)
{
    root_release(&object->head);
}

static WGPUBool has_feature(const struct fake *fake, int feature)
{
    return (feature == WGPUFeatureName_TimestampQuery && fake->has_timestamps) ||
           ((feature == 0x00030024 || feature == 0x00030025) && fake->has_inside_native) ||
           (feature == 0x00050003 && fake->has_inside_dawn);
}

static WGPUBool device_has(WGPUDevice device, WGPUFeatureName feature)
{
    return has_feature(device->head.fake, (int)feature);
}

static WGPUBool adapter_has(WGPUAdapter adapter, WGPUFeatureName feature)
{
    return has_feature(adapter->head.fake, (int)feature);
}

static WGPUQuerySet create_set(WGPUDevice device, const WGPUQuerySetDescriptor *desc)
{
    struct fake *fake = device->head.fake;
    take(fake);
    WGPUQuerySet set = fake_new(fake, sizeof *set);
    set->head.ours = is_ours(desc->label);
    set->count = desc->count;
    set->values = calloc(desc->count + 1, sizeof *set->values);
    set->written = calloc(desc->count + 1, sizeof *set->written);
    fake_log(fake, FAKE_CREATE_SET, set->head.ours, desc->count, 0, 0);
    fake->sets_made++;
    if (desc->count > 4096 || desc->count == 0 || desc->type != WGPUQueryType_Timestamp ||
        !fake->has_timestamps) {
        fake_violation(fake, "a query set of a wrong kind or size");
    }
    const bool numbered =
        fake->sets_made >= fake->fail_sets_from && fake->sets_made <= fake->fail_sets_to;
    if (numbered || (fake->fail_sets_above != 0 && desc->count > fake->fail_sets_above)) {
        set->head.error = true;
        fake_raise(fake, WGPUErrorType_OutOfMemory, "no memory for a query set");
    }
    give(fake);
    return set;
}

void fake_set_release(WGPUQuerySet set)
{
    if (fake_unreference(&set->head)) {
        free(set->values);
        free(set->written);
        free(set);
    }
}

static void set_release(WGPUQuerySet set)
{
    struct fake *fake = set->head.fake;
    take(fake);
    fake_set_release(set);
    give(fake);
}

static WGPUBuffer create_buffer(WGPUDevice device, const WGPUBufferDescriptor *desc)
{
    struct fake *fake = device->head.fake;
    take(fake);
    if (fake->null_buffers > 0) {
        fake->null_buffers--;
        give(fake);
        return NULL;
    }
    WGPUBuffer buffer = fake_new(fake, sizeof *buffer);
    buffer->head.ours = is_ours(desc->label);
    buffer->usage = desc->usage;
    buffer->bytes = (size_t)desc->size;
    buffer->data = calloc(1, buffer->bytes + 1);
    buffer->state = WGPUBufferMapState_Unmapped;
    if (fake->fail_buffers > 0) {
        fake->fail_buffers--;
        buffer->head.error = true;
        fake_raise(fake, WGPUErrorType_OutOfMemory, "no memory for a buffer");
    }
    fake_log(fake, FAKE_CREATE_BUFFER, buffer->head.ours, desc->size, 0, 0);
    if ((desc->usage & WGPUBufferUsage_MapRead) != 0 &&
        (desc->usage & ~(WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst)) != 0) {
        fake_violation(fake, "MAP_READ goes with COPY_DST only");
    }
    give(fake);
    return buffer;
}

/* Beginning and end -----------------------------------------------------------------------------
 */

static void *new_root(struct fake *fake, size_t bytes)
{
    void *root = fake_new(fake, bytes);
    fake->live--;
    return root;
}

struct fake *fake_create(void)
{
    struct fake *fake = calloc(1, sizeof *fake);
    if (fake == NULL || pthread_mutex_init(&fake->lock, NULL) != 0) {
        abort();
    }
    fake->has_timestamps = true;
    fake->step_ticks = 10;
    fake->gpu_ticks = 1000000;
    fake->instance = new_root(fake, sizeof *fake->instance);
    fake->adapter = new_root(fake, sizeof *fake->adapter);
    fake->device = new_root(fake, sizeof *fake->device);
    fake->queue = new_root(fake, sizeof *fake->queue);
    return fake;
}

uint32_t fake_destroy(struct fake *fake)
{
    take(fake);
    fake_run_locked(fake);
    give(fake);
    fake_fire_all(fake, true);
    const uint32_t leaked = fake->live + fake->roots + fake->scopes_open;
    free(fake->instance);
    free(fake->adapter);
    free(fake->device);
    free(fake->queue);
    free(fake->calls);
    pthread_mutex_destroy(&fake->lock);
    free(fake);
    return leaked;
}

passtime_webgpu_desc fake_webgpu_desc(struct fake *fake)
{
    passtime_webgpu_desc desc = {.size = sizeof desc,
                                 .instance = fake->instance,
                                 .device = fake->device,
                                 .queue = fake->queue};
    passtime_webgpu_procs *procs = &desc.procs;
    procs->instance_add_ref = instance_add;
    procs->instance_release = instance_release;
    procs->instance_process_events = fake_process_events;
    procs->adapter_has_feature = adapter_has;
    procs->device_add_ref = device_add;
    procs->device_release = device_release;
    procs->device_has_feature = device_has;
    procs->device_create_query_set = create_set;
    procs->device_create_buffer = create_buffer;
    procs->device_push_error_scope = push_scope;
    procs->device_pop_error_scope = pop_scope;
    procs->queue_add_ref = queue_add;
    procs->queue_release = queue_release;
    procs->query_set_release = set_release;
    procs->buffer_map_async = fake_map_async;
    procs->buffer_get_const_mapped_range = fake_mapped_range;
    procs->buffer_unmap = fake_unmap;
    procs->buffer_release = fake_release_buffer;
    fake_fill_queue_procs(procs);
    return desc;
}

void fake_app_error(struct fake *fake)
{
    take(fake);
    fake_raise(fake, WGPUErrorType_Validation, "an error of the app's own");
    give(fake);
}

void fake_app_push_scope(struct fake *fake)
{
    push_scope(fake->device, WGPUErrorFilter_Validation);
}

WGPUErrorType fake_app_pop_scope(struct fake *fake)
{
    take(fake);
    bool found;
    const WGPUErrorType error = take_scope(fake, &found);
    give(fake);
    return error;
}
