/* SPDX-License-Identifier: MIT */
/* One pair of stamps around several passes on this machine's best adapter: it ends, comes back, and
 * holds what is in it. Nothing here depends on how fast the adapter is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <passtime/webgpu.h>

#include "cli/gpu.h"

enum { FRAMES = 12, TRIES = 20000 };

static void empty_pass(WGPUCommandEncoder encoder, const WGPUPassTimestampWrites *writes)
{
    WGPUComputePassDescriptor desc = WGPU_COMPUTE_PASS_DESCRIPTOR_INIT;
    desc.timestampWrites = writes;
    WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, &desc);
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
}

/* A group of three passes, the middle one with a time of its own; with `broken` it has no end. */
static void draw(const struct gpu *gpu, passtime *t, uint64_t number, bool broken)
{
    WGPUPassTimestampWrites writes;
    passtime_recorder *rec = passtime_frame_begin(t, number);
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(gpu->device, NULL);
    empty_pass(encoder, passtime_webgpu_group_first(rec, "group", &writes));
    empty_pass(encoder, passtime_webgpu_pass(rec, "middle", &writes));
    empty_pass(encoder, broken ? NULL : passtime_webgpu_group_last(rec, &writes));
    empty_pass(encoder, passtime_webgpu_pass(rec, "after", &writes));
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuCommandEncoderRelease(encoder);
    wgpuQueueSubmit(gpu->queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
    passtime_submitted(rec);
    passtime_frame_end(t, number);
}

static const passtime_frame *await(struct gpu *gpu, passtime *t)
{
    const passtime_frame *frame = NULL;
    for (int i = 0; i < TRIES; i++) {
        gpu_wait(gpu);
        passtime_result result = passtime_next(t, &frame);
        if (result != PASSTIME_PENDING)
            break;
    }
    return frame;
}

static void check_group(const passtime_frame *frame)
{
    assert_int_equal(frame->fate, PASSTIME_FRAME_COMPLETE);
    assert_int_equal(frame->sample_count, 3);
    const passtime_sample *group = &frame->samples[0], *middle = &frame->samples[1];
    assert_string_equal(group->name, "group");
    assert_int_equal(middle->parent, 0);
    assert_true(group->begin_ns <= middle->begin_ns && middle->end_ns <= group->end_ns);
    assert_int_equal(frame->samples[2].parent, PASSTIME_NONE);
}

static void groups_on_a_device(passtime *t, struct gpu *gpu)
{
    uint32_t whole = 0;
    for (uint64_t number = 0; number < FRAMES; number++) {
        bool broken = number == FRAMES / 2;
        draw(gpu, t, number, broken);
        const passtime_frame *frame = await(gpu, t);
        if (frame == NULL)
            continue; /* not timed: the queries were not ready yet */
        if (broken)
            assert_int_equal(frame->samples[0].verdict, PASSTIME_UNFINISHED);
        else if (frame->samples[0].verdict != PASSTIME_REFUSED) {
            check_group(frame);
            whole++;
        }
    }
    assert_true(whole > 0);
    assert_int_equal(gpu->error_count, 0);
}

static void a_group_holds_the_passes_in_it(void **state)
{
    char error[512];
    uint32_t index = 0;
    passtime *t = NULL;
    (void)state;
    struct gpu_system *system = gpu_system_open(GPU_SCOPE_PREFERRED, error, sizeof error);
    if (system == NULL || !gpu_system_find(system, NULL, &index, error, sizeof error))
        skip();
    struct gpu *gpu = gpu_open(system, index, error, sizeof error);
    assert_non_null(gpu);
    if (gpu->timestamps) {
        passtime_webgpu_desc desc = PASSTIME_WEBGPU_DESC_INIT;
        desc.instance = gpu->instance;
        desc.device = gpu->device;
        desc.queue = gpu->queue;
        desc.tick_ns = gpu->tick_ns;
        assert_int_equal(passtime_create_webgpu(&desc, NULL, &t), PASSTIME_OK);
        groups_on_a_device(t, gpu);
    }
    passtime_destroy(&t);
    gpu_close(gpu);
    gpu_system_close(system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_group_holds_the_passes_in_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
