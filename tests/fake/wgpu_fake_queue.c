/* SPDX-License-Identifier: MIT */
/* The fake's encoders and queue: what is recorded, what a submit accepts, and what then runs. */
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

/* Recording -------------------------------------------------------------------------------------
 */

void fake_record(WGPUCommandEncoder encoder, struct fake_command command)
{
    struct fake_command *copy = malloc(sizeof *copy);
    if (copy == NULL) {
        abort();
    }
    *copy = command;
    copy->next = NULL;
    if (copy->set != NULL) {
        copy->set->head.references++;
    }
    if (copy->from != NULL) {
        copy->from->head.references++;
    }
    if (copy->to != NULL) {
        copy->to->head.references++;
    }
    *encoder->last = copy;
    encoder->last = &copy->next;
}

void fake_free_commands(struct fake_command *commands)
{
    while (commands != NULL) {
        struct fake_command *next = commands->next;
        if (commands->set != NULL) {
            fake_set_release(commands->set);
        }
        if (commands->from != NULL) {
            fake_buffer_release(commands->from);
        }
        if (commands->to != NULL) {
            fake_buffer_release(commands->to);
        }
        free(commands);
        commands = next;
    }
}

void fake_must(WGPUCommandEncoder encoder, bool rule, const char *message)
{
    if (!rule) {
        encoder->broken = true;
        fake_violation(encoder->head.fake, message);
    }
}

static WGPUCommandEncoder create_encoder(WGPUDevice device,
                                         const WGPUCommandEncoderDescriptor *desc)
{
    struct fake *fake = device->head.fake;
    take(fake);
    WGPUCommandEncoder encoder = fake_new(fake, sizeof *encoder);
    encoder->last = &encoder->first;
    encoder->head.ours = desc != NULL && desc->label.data != NULL && desc->label.length == 8 &&
                         memcmp(desc->label.data, "passtime", 8) == 0;
    give(fake);
    return encoder;
}

static void check_writes(WGPUCommandEncoder encoder, const WGPUPassTimestampWrites *writes)
{
    const uint32_t begin = writes->beginningOfPassWriteIndex;
    const uint32_t end = writes->endOfPassWriteIndex;
    const uint32_t none = WGPU_QUERY_SET_INDEX_UNDEFINED;
    fake_must(encoder, writes->nextInChain == NULL && writes->querySet != NULL,
              "writes without a set");
    fake_must(encoder, begin != end, "both stamps of a pass have the same index");
    fake_must(encoder, begin == none || begin < writes->querySet->count, "begin index too large");
    fake_must(encoder, end == none || end < writes->querySet->count, "end index too large");
    fake_must(encoder, !writes->querySet->head.error, "a query set that could not be made is used");
}

void fake_stamp(WGPUCommandEncoder encoder, WGPUQuerySet set, uint32_t slot)
{
    if (set != NULL && slot != WGPU_QUERY_SET_INDEX_UNDEFINED) {
        fake_record(encoder,
                    (struct fake_command){.kind = FAKE_COMMAND_STAMP, .set = set, .a = slot});
    }
}

WGPUPassTimestampWrites fake_begin_pass(WGPUCommandEncoder encoder,
                                        const WGPUPassTimestampWrites *writes)
{
    fake_must(encoder, !encoder->in_pass, "a pass within a pass");
    encoder->in_pass = true;
    WGPUPassTimestampWrites kept = WGPU_PASS_TIMESTAMP_WRITES_INIT;
    if (writes != NULL) {
        check_writes(encoder, writes);
        kept = *writes;
        fake_stamp(encoder, kept.querySet, kept.beginningOfPassWriteIndex);
    }
    return kept;
}

void fake_end_pass(WGPUCommandEncoder encoder, const WGPUPassTimestampWrites *writes)
{
    encoder->in_pass = false;
    fake_stamp(encoder, writes->querySet, writes->endOfPassWriteIndex);
}

static WGPUComputePassEncoder begin_compute(WGPUCommandEncoder encoder,
                                            const WGPUComputePassDescriptor *desc)
{
    struct fake *fake = encoder->head.fake;
    take(fake);
    WGPUComputePassEncoder pass = fake_new(fake, sizeof *pass);
    pass->encoder = encoder;
    pass->writes = fake_begin_pass(encoder, desc->timestampWrites);
    give(fake);
    return pass;
}

static void end_compute(WGPUComputePassEncoder pass)
{
    take(pass->head.fake);
    fake_end_pass(pass->encoder, &pass->writes);
    give(pass->head.fake);
}

static void drop_compute(WGPUComputePassEncoder pass)
{
    struct fake *fake = pass->head.fake;
    take(fake);
    fake_drop(pass);
    give(fake);
}

static void resolve(WGPUCommandEncoder encoder, WGPUQuerySet set, uint32_t first, uint32_t count,
                    WGPUBuffer to, uint64_t offset)
{
    struct fake *fake = encoder->head.fake;
    take(fake);
    fake_log(fake, FAKE_RESOLVE, set->head.ours, first, count, offset);
    fake_must(encoder, !encoder->in_pass, "a resolve within a pass");
    fake_must(encoder, first < set->count && count <= set->count - first, "a resolve past the set");
    fake_must(encoder, offset % 256 == 0, "a resolve off the 256-byte grid");
    fake_must(encoder, (to->usage & WGPUBufferUsage_QueryResolve) != 0, "no QUERY_RESOLVE buffer");
    fake_must(encoder, offset + 8 * (uint64_t)count <= to->bytes, "a resolve past the buffer");
    fake_record(encoder, (struct fake_command){.kind = FAKE_COMMAND_RESOLVE,
                                               .set = set,
                                               .to = to,
                                               .a = first,
                                               .b = count,
                                               .c = offset});
    give(fake);
}

static void copy(WGPUCommandEncoder encoder, WGPUBuffer from, uint64_t from_offset, WGPUBuffer to,
                 uint64_t to_offset, uint64_t bytes)
{
    struct fake *fake = encoder->head.fake;
    take(fake);
    fake_log(fake, FAKE_COPY, to->head.ours, from_offset, to_offset, bytes);
    fake_must(encoder, !encoder->in_pass, "a copy within a pass");
    fake_must(encoder, (from->usage & WGPUBufferUsage_CopySrc) != 0, "no COPY_SRC buffer");
    fake_must(encoder, (to->usage & WGPUBufferUsage_CopyDst) != 0, "no COPY_DST buffer");
    fake_must(encoder, from_offset % 4 == 0 && to_offset % 4 == 0 && bytes % 4 == 0, "an odd copy");
    fake_must(encoder, from_offset + bytes <= from->bytes && to_offset + bytes <= to->bytes,
              "a copy past a buffer");
    encoder->broken = encoder->broken || from->head.error || to->head.error;
    fake_record(encoder, (struct fake_command){.kind = FAKE_COMMAND_COPY,
                                               .from = from,
                                               .to = to,
                                               .a = from_offset,
                                               .b = to_offset,
                                               .c = bytes});
    give(fake);
}

static void clear(WGPUCommandEncoder encoder, WGPUBuffer buffer, uint64_t offset, uint64_t bytes)
{
    struct fake *fake = encoder->head.fake;
    take(fake);
    fake_log(fake, FAKE_CLEAR, buffer->head.ours, offset, bytes, 0);
    fake_must(encoder, !encoder->in_pass, "a clear within a pass");
    fake_must(encoder, (buffer->usage & WGPUBufferUsage_CopyDst) != 0, "no COPY_DST buffer");
    fake_must(encoder, offset % 4 == 0 && bytes % 4 == 0, "an odd clear");
    fake_must(encoder, offset + bytes <= buffer->bytes, "a clear past the buffer");
    encoder->broken = encoder->broken || buffer->head.error;
    fake_record(encoder, (struct fake_command){
                             .kind = FAKE_COMMAND_CLEAR, .to = buffer, .a = offset, .b = bytes});
    give(fake);
}

static WGPUCommandBuffer finish(WGPUCommandEncoder encoder, const WGPUCommandBufferDescriptor *desc)
{
    (void)desc;
    struct fake *fake = encoder->head.fake;
    take(fake);
    fake_must(encoder, !encoder->finished && !encoder->in_pass,
              "an encoder is not ready to be finished");
    WGPUCommandBuffer commands = fake_new(fake, sizeof *commands);
    commands->head.ours = encoder->head.ours;
    commands->first = encoder->first;
    commands->broken = encoder->broken;
    if (encoder->head.ours && fake->good_finishes > 0) {
        fake->good_finishes--;
    } else if (encoder->head.ours && fake->fail_finishes > 0) {
        fake->fail_finishes--;
        commands->broken = true;
    }
    if (commands->broken) {
        fake_raise(fake, WGPUErrorType_Validation, "an encoder is not valid");
    }
    encoder->first = NULL;
    encoder->last = &encoder->first;
    encoder->finished = true;
    give(fake);
    return commands;
}

static void drop_encoder(WGPUCommandEncoder encoder)
{
    struct fake *fake = encoder->head.fake;
    take(fake);
    if (encoder->head.references == 1) {
        fake_free_commands(encoder->first);
        encoder->first = NULL;
    }
    fake_drop(encoder);
    give(fake);
}

static void drop_commands(WGPUCommandBuffer commands)
{
    struct fake *fake = commands->head.fake;
    take(fake);
    if (commands->head.references == 1) {
        fake_free_commands(commands->first);
        commands->first = NULL;
    }
    fake_drop(commands);
    give(fake);
}

/* Submitting and running ------------------------------------------------------------------------
 */

static struct fake_item *queue_item(struct fake *fake)
{
    struct fake_item *item = calloc(1, sizeof *item);
    if (item == NULL) {
        abort();
    }
    struct fake_item **end = &fake->items;
    while (*end != NULL) {
        end = &(*end)->next;
    }
    *end = item;
    fake->items_queued++;
    return item;
}

static bool may_run(const struct fake_command *commands)
{
    for (; commands != NULL; commands = commands->next) {
        const bool from_mapped =
            commands->from != NULL && commands->from->state != WGPUBufferMapState_Unmapped;
        const bool to_mapped =
            commands->to != NULL && commands->to->state != WGPUBufferMapState_Unmapped;
        if (from_mapped || to_mapped) {
            return false;
        }
    }
    return true;
}

static void submit(WGPUQueue queue, size_t count, const WGPUCommandBuffer *commands)
{
    struct fake *fake = queue->head.fake;
    take(fake);
    bool valid = true;
    for (size_t i = 0; i < count; i++) {
        fake_log(fake, FAKE_SUBMIT, commands[i]->head.ours, count, 0, 0);
        valid =
            valid && !commands[i]->broken && !commands[i]->submitted && may_run(commands[i]->first);
    }
    if (!valid) {
        fake_raise(fake, WGPUErrorType_Validation, "a submit is not valid: nothing of it runs");
    }
    for (size_t i = 0; valid && !fake->lost && i < count; i++) {
        queue_item(fake)->commands = commands[i]->first;
        commands[i]->first = NULL;
        commands[i]->submitted = true;
    }
    if (!fake->hold_gpu) {
        fake_run_locked(fake);
    }
    give(fake);
}

static void write_buffer(WGPUQueue queue, WGPUBuffer buffer, uint64_t offset, const void *data,
                         size_t bytes)
{
    struct fake *fake = queue->head.fake;
    take(fake);
    fake_log(fake, FAKE_WRITE, buffer->head.ours, offset, bytes, 0);
    if ((buffer->usage & WGPUBufferUsage_CopyDst) == 0 || offset + bytes > buffer->bytes ||
        offset % 4 != 0 || bytes % 4 != 0) {
        fake_violation(fake, "a buffer can't be written like this");
    }
    struct fake_item *item = queue_item(fake);
    item->buffer = buffer;
    buffer->head.references++;
    item->offset = offset;
    item->bytes = bytes;
    item->data = malloc(bytes);
    memcpy(item->data, data, bytes);
    if (!fake->hold_gpu) {
        fake_run_locked(fake);
    }
    give(fake);
}

static WGPUFuture work_done(WGPUQueue queue, WGPUQueueWorkDoneCallbackInfo info)
{
    struct fake *fake = queue->head.fake;
    take(fake);
    struct fake_event *event = fake_owe(fake, FAKE_EVENT_WORK_DONE);
    event->done = info;
    event->serial = fake->items_queued;
    event->decided = fake->lost;
    event->status = WGPUQueueWorkDoneStatus_Error;
    give(fake);
    return (WGPUFuture){1};
}

static void run_stamp(struct fake *fake, const struct fake_command *command)
{
    fake->gpu_ticks += fake->step_ticks;
    const uint32_t slot = (uint32_t)command->a;
    uint64_t value = fake->gpu_ticks;
    if (fake->stamp != NULL) {
        value = fake->stamp(fake->stamp_user, command->set, slot, value);
    }
    if (value != FAKE_LOST) {
        command->set->values[slot] = value;
        command->set->written[slot] = true;
    }
}

static void run_resolve(struct fake *fake, const struct fake_command *command)
{
    for (uint64_t i = 0; i < command->b; i++) {
        if (!command->set->written[command->a + i] && fake->stamp == NULL) {
            fake_violation(fake, "a slot is resolved that was never written: some drivers hang");
        }
    }
    memcpy(command->to->data + command->c, command->set->values + command->a, 8 * command->b);
}

/* What the WGSL of passtime_count() does. */
static void run_count(const struct fake_command *command)
{
    uint32_t words[2];
    uint8_t *at = command->to->data + command->a + 8 * command->b;
    memcpy(words, at, sizeof words);
    const uint32_t before = words[0];
    words[0] += (uint32_t)command->c;
    words[1] += before > UINT32_MAX - (uint32_t)command->c;
    memcpy(at, words, sizeof words);
}

static void run_command(struct fake *fake, const struct fake_command *command)
{
    switch (command->kind) {
    case FAKE_COMMAND_STAMP:
        run_stamp(fake, command);
        break;
    case FAKE_COMMAND_WORK:
        fake->gpu_ticks += command->a;
        break;
    case FAKE_COMMAND_RESOLVE:
        run_resolve(fake, command);
        break;
    case FAKE_COMMAND_CLEAR:
        memset(command->to->data + command->a, 0, command->b);
        break;
    case FAKE_COMMAND_COUNT:
        run_count(command);
        break;
    case FAKE_COMMAND_COPY:
        memcpy(command->to->data + command->b, command->from->data + command->a, command->c);
        break;
    }
}

void fake_run_locked(struct fake *fake)
{
    while (fake->items != NULL) {
        struct fake_item *item = fake->items;
        fake->items = item->next;
        fake->items_run++;
        for (const struct fake_command *at = item->commands; at != NULL && !fake->lost;
             at = at->next) {
            run_command(fake, at);
        }
        if (item->buffer != NULL) {
            memcpy(item->buffer->data + item->offset, item->data, item->bytes);
            fake_buffer_release(item->buffer);
        }
        fake_free_commands(item->commands);
        free(item->data);
        free(item);
    }
}

void fake_run(struct fake *fake)
{
    take(fake);
    fake_run_locked(fake);
    give(fake);
}

uint64_t fake_clock(void *user)
{
    struct fake *fake = user;
    take(fake);
    const uint64_t now_ns = 5000000000 + fake->gpu_ticks + fake->cpu_ns;
    give(fake);
    return now_ns;
}

void fake_fill_queue_procs(passtime_webgpu_procs *procs)
{
    procs->device_create_command_encoder = create_encoder;
    procs->queue_submit = submit;
    procs->queue_write_buffer = write_buffer;
    procs->queue_on_submitted_work_done = work_done;
    procs->command_encoder_begin_compute_pass = begin_compute;
    procs->command_encoder_resolve_query_set = resolve;
    procs->command_encoder_clear_buffer = clear;
    procs->command_encoder_copy_buffer_to_buffer = copy;
    procs->command_encoder_finish = finish;
    procs->command_encoder_release = drop_encoder;
    procs->compute_pass_encoder_end = end_compute;
    procs->compute_pass_encoder_release = drop_compute;
    procs->command_buffer_release = drop_commands;
}
