/* SPDX-License-Identifier: MIT */
/* What the app does on the fake: passes with work, draws, submits and drops; and the CPU's clock.
 */
#include "fake/wgpu_fake_objects.h"

static void take(struct fake *fake)
{
    pthread_mutex_lock(&fake->lock);
}

static void give(struct fake *fake)
{
    pthread_mutex_unlock(&fake->lock);
}

WGPUCommandEncoder fake_app_encoder(struct fake *fake)
{
    return fake_webgpu_desc(fake).procs.device_create_command_encoder(fake->device, NULL);
}

static void work(WGPUCommandEncoder encoder, uint64_t ticks)
{
    fake_record(encoder, (struct fake_command){.kind = FAKE_COMMAND_WORK, .a = ticks});
}

void fake_app_pass(WGPUCommandEncoder encoder, const WGPUPassTimestampWrites *writes,
                   uint64_t work_ticks)
{
    take(encoder->head.fake);
    const WGPUPassTimestampWrites kept = fake_begin_pass(encoder, writes);
    work(encoder, work_ticks);
    fake_end_pass(encoder, &kept);
    give(encoder->head.fake);
}

WGPURenderPassEncoder fake_app_render(WGPUCommandEncoder encoder,
                                      const WGPUPassTimestampWrites *writes)
{
    struct fake *fake = encoder->head.fake;
    take(fake);
    WGPURenderPassEncoder pass = fake_new(fake, sizeof *pass);
    pass->encoder = encoder;
    pass->writes = fake_begin_pass(encoder, writes);
    give(fake);
    return pass;
}

void fake_app_draw(WGPURenderPassEncoder pass, uint64_t work_ticks)
{
    take(pass->head.fake);
    work(pass->encoder, work_ticks);
    give(pass->head.fake);
}

void fake_app_render_end(WGPURenderPassEncoder pass)
{
    struct fake *fake = pass->head.fake;
    take(fake);
    fake_end_pass(pass->encoder, &pass->writes);
    fake_drop(pass);
    give(fake);
}

static void write_inside(WGPUCommandEncoder encoder, WGPUQuerySet set, uint32_t slot)
{
    struct fake *fake = encoder->head.fake;
    take(fake);
    fake_must(encoder, encoder->in_pass, "a stamp inside a pass, outside of one");
    fake_must(encoder, fake->has_inside_native || fake->has_inside_dawn,
              "no stamps inside passes here");
    fake_must(encoder, slot < set->count, "a slot past the set");
    fake_stamp(encoder, set, slot);
    give(fake);
}

void fake_write_in_render(WGPURenderPassEncoder pass, WGPUQuerySet set, uint32_t slot)
{
    write_inside(pass->encoder, set, slot);
}

void fake_write_in_compute(WGPUComputePassEncoder pass, WGPUQuerySet set, uint32_t slot)
{
    write_inside(pass->encoder, set, slot);
}

void fake_app_count(WGPUCommandEncoder encoder, WGPUBuffer counters, uint32_t offset,
                    uint32_t counter, uint32_t amount)
{
    struct fake *fake = encoder->head.fake;
    take(fake);
    fake_must(encoder, (counters->usage & WGPUBufferUsage_Storage) != 0, "no STORAGE buffer");
    fake_must(encoder, offset % 256 == 0, "a dynamic offset off the 256-byte grid");
    fake_must(encoder, offset + 8 * (uint64_t)(counter + 1) <= counters->bytes,
              "a binding past the buffer");
    fake_record(
        encoder,
        (struct fake_command){
            .kind = FAKE_COMMAND_COUNT, .to = counters, .a = offset, .b = counter, .c = amount});
    give(fake);
}

void fake_app_submit(struct fake *fake, WGPUCommandEncoder encoder)
{
    const passtime_webgpu_procs procs = fake_webgpu_desc(fake).procs;
    WGPUCommandBuffer commands = procs.command_encoder_finish(encoder, NULL);
    procs.queue_submit(fake->queue, 1, &commands);
    procs.command_buffer_release(commands);
    procs.command_encoder_release(encoder);
}

void fake_app_drop(WGPUCommandEncoder encoder)
{
    fake_webgpu_desc(encoder->head.fake).procs.command_encoder_release(encoder);
}
