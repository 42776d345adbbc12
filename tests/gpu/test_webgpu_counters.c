/* SPDX-License-Identifier: MIT */
/* Shader counters on this machine's best adapter: work of known amounts is counted exactly, in
 * every frame, whether passes are timed by stamps or by the CPU. Nothing here depends on time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include <passtime/webgpu.h>

#include "cli/gpu.h"
#include "cli/scene_kit.h"

enum { FRAMES = 12, TRIES = 20000, PASSES = 3 };

struct rig {
    struct gpu_system *system;
    struct gpu *gpu;
    passtime *t;
    passtime_recorder *recorder;
    char wgsl[1024];
    struct scene_counters counters;
    uint32_t side_pixels;
};

static const uint64_t loops[PASSES] = {64, 256, 1024};

static void set_up(struct rig *rig, uint32_t flags, const passtime_counter_desc *names,
                   uint32_t count)
{
    char error[512];
    uint32_t index = 0;
    memset(rig, 0, sizeof *rig);
    rig->system = gpu_system_open(GPU_SCOPE_PREFERRED, error, sizeof error);
    if (rig->system == NULL || !gpu_system_find(rig->system, NULL, &index, error, sizeof error))
        skip();
    rig->gpu = gpu_open(rig->system, index, error, sizeof error);
    assert_non_null(rig->gpu);
    passtime_counters_desc counters = PASSTIME_COUNTERS_DESC_INIT;
    counters.counters = names;
    counters.count = count;
    passtime_webgpu_desc desc = PASSTIME_WEBGPU_DESC_INIT;
    desc.instance = rig->gpu->instance;
    desc.device = rig->gpu->device;
    desc.queue = rig->gpu->queue;
    desc.tick_ns = rig->gpu->tick_ns;
    desc.flags = flags | PASSTIME_WEBGPU_FALLBACK_CPU;
    desc.counters = &counters;
    assert_int_equal(passtime_create_webgpu(&desc, NULL, &rig->t), PASSTIME_OK);
    size_t length = passtime_webgpu_counters_wgsl(count, 1, 0, rig->wgsl, sizeof rig->wgsl);
    assert_true(length > 0 && length < sizeof rig->wgsl);
    rig->counters.wgsl = rig->wgsl;
    rig->counters.buffer = passtime_webgpu_counters_buffer(rig->t, &rig->counters.size_bytes);
    assert_non_null(rig->counters.buffer);
}

static void tear_down(struct rig *rig)
{
    assert_int_equal(rig->gpu->error_count, 0);
    passtime_destroy(&rig->t);
    gpu_close(rig->gpu);
    gpu_system_close(rig->system);
}

static const WGPUPassTimestampWrites *time_pass(void *user, const char *name,
                                                WGPUPassTimestampWrites *storage)
{
    return passtime_webgpu_pass(((struct rig *)user)->recorder, name, storage);
}

static void end_pass(void *user, const char *name)
{
    (void)name;
    passtime_webgpu_pass_end(((struct rig *)user)->recorder);
}

static uint32_t take_counters(void *user, const char *name)
{
    (void)name;
    return passtime_webgpu_counters(((struct rig *)user)->recorder);
}

static void submit(struct rig *rig, WGPUCommandEncoder encoder)
{
    passtime_webgpu_ride(rig->recorder, encoder); /* does nothing where that was not asked for */
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuCommandEncoderRelease(encoder);
    wgpuQueueSubmit(rig->gpu->queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
}

static void draw(struct rig *rig, struct scene *scene, uint64_t number, bool counting)
{
    const struct scene_timing timing = {rig, time_pass, end_pass, counting ? take_counters : NULL};
    rig->recorder = passtime_frame_begin(rig->t, number);
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(rig->gpu->device, NULL);
    scene_frame(scene, (uint32_t)number, &timing, encoder);
    submit(rig, encoder);
    passtime_submitted(rig->recorder);
    passtime_frame_end(rig->t, number);
}

/* Looks at all frames that are there; returns how many had counts. */
static uint32_t look(struct rig *rig, bool wait)
{
    uint32_t counted = 0;
    for (int i = 0; i < TRIES; i++) {
        const passtime_frame *frame;
        gpu_pump(rig->gpu);
        passtime_result result = passtime_next(rig->t, &frame);
        if (result == PASSTIME_OK) {
            bool odd = frame->number % 2 == 1;
            uint64_t pixels = (uint64_t)rig->side_pixels * rig->side_pixels;
            for (uint32_t p = 0; p < PASSES; p++) {
                uint64_t counts[2] = {7, 7};
                passtime_counts_state state = passtime_counts(rig->t, frame, p, counts, 2);
                assert_int_equal(state, odd ? PASSTIME_COUNTS_NOT_ASKED : PASSTIME_COUNTS_THERE);
                assert_int_equal(counts[0], odd ? 7 : pixels);
                assert_int_equal(counts[1], odd ? 7 : pixels * loops[p]);
                counted += !odd;
            }
        } else if (result == PASSTIME_EMPTY || !wait) {
            break;
        } else {
            gpu_wait(rig->gpu);
        }
    }
    return counted;
}

/* The series tell the same, as counts, and their times know nothing of it. */
static void check_series(struct rig *rig, uint64_t samples)
{
    const uint64_t pixels = (uint64_t)rig->side_pixels * rig->side_pixels;
    uint32_t found = 0;
    for (uint32_t s = 0; s < passtime_series_count(rig->t); s++) {
        passtime_series_info info;
        if (passtime_series(rig->t, s, &info) != PASSTIME_OK)
            continue;
        for (uint32_t p = 0; p < PASSES; p++) {
            passtime_counter_stats stats;
            if (strcmp(info.name, scene_passes_kind.pass_names[p]) != 0)
                continue;
            assert_int_equal(passtime_counter_series(rig->t, s, 1, &stats), PASSTIME_OK);
            assert_int_equal(stats.count, samples);
            assert_int_equal(stats.lost + stats.unproved, 0);
            assert_int_equal(stats.min, pixels * loops[p]);
            assert_int_equal(stats.max, stats.min);
            assert_int_equal(stats.total, samples * stats.min);
            assert_true(stats.mean == (double)stats.min && stats.se == 0.0);
            found++;
        }
    }
    assert_int_equal(found, PASSES);
}

static void counts_of_the_passes(uint32_t flags, uint32_t side_pixels)
{
    struct rig rig;
    char error[512];
    uint32_t counted = 0;
    const struct scene_desc desc = {.size_pixels = side_pixels};
    set_up(&rig, flags, scene_passes_kind.counters, scene_passes_kind.counter_count);
    rig.side_pixels = side_pixels;
    struct scene *scene = scene_passes_create(rig.gpu, &desc, error, sizeof error);
    assert_non_null(scene);
    if (!scene_count(scene, &rig.counters, error, sizeof error))
        fail_msg("%s", error);
    for (uint64_t number = 0; number < FRAMES; number++) {
        draw(&rig, scene, number, number % 2 == 0);
        if (number % 4 == 3)
            gpu_wait(rig.gpu); /* else up to four are in flight at once */
        counted += look(&rig, false);
    }
    counted += look(&rig, true);
    assert_true(counted > 0 && counted % PASSES == 0);
    check_series(&rig, counted / PASSES);
    scene_destroy(scene);
    tear_down(&rig);
}

static void exact_counts_beside_times(void **state)
{
    (void)state;
    counts_of_the_passes(0, 256);
}

static void exact_counts_where_the_gpu_can_not_stamp(void **state)
{
    (void)state;
    counts_of_the_passes(PASSTIME_WEBGPU_FORCE_CPU, 48);
}

static void exact_counts_where_stamps_ride(void **state)
{
    (void)state;
    counts_of_the_passes(PASSTIME_WEBGPU_RIDE, 48);
}

static void exact_counts_where_the_resolve_is_put_off(void **state)
{
    (void)state;
    counts_of_the_passes(PASSTIME_WEBGPU_DEFER_RESOLVE, 48);
}

/* Adding --------------------------------------------------------------------------------------- */

enum { INVOCATIONS = 64 * 40 };

/* Counter 0: what no 32 bits hold. Counter 1: 1 each. Counter 2: nothing. Counter 3 is not there.
 */
static const char adding[] = "@compute @workgroup_size(64) fn main() {"
                             "    passtime_count(0u, 0xfffffffbu);"
                             "    passtime_count(1u, 1u);"
                             "    passtime_count(2u, 0u);"
                             "    passtime_count(3u, 1u);"
                             "}";

struct adder {
    WGPUComputePipeline pipeline;
    WGPUBindGroup group;
};

static void make_adder(struct rig *rig, struct adder *adder)
{
    char text[2048];
    struct gpu *gpu = rig->gpu;
    WGPUBindGroupLayoutEntry entry = WGPU_BIND_GROUP_LAYOUT_ENTRY_INIT;
    entry.binding = 5;
    entry.visibility = WGPUShaderStage_Compute;
    entry.buffer.type = WGPUBufferBindingType_Storage;
    entry.buffer.hasDynamicOffset = true;
    WGPUBindGroupLayoutDescriptor layout_desc = WGPU_BIND_GROUP_LAYOUT_DESCRIPTOR_INIT;
    layout_desc.entryCount = 1;
    layout_desc.entries = &entry;
    WGPUBindGroupLayout layout = wgpuDeviceCreateBindGroupLayout(gpu->device, &layout_desc);
    WGPUPipelineLayoutDescriptor desc = WGPU_PIPELINE_LAYOUT_DESCRIPTOR_INIT;
    desc.bindGroupLayoutCount = 1;
    desc.bindGroupLayouts = &layout;
    passtime_webgpu_counters_wgsl(3, 0, 5, text, sizeof text);
    strcat(text, adding);
    WGPUShaderModule module = kit_shader(gpu, "adding", text);
    WGPUPipelineLayout pipeline_layout = wgpuDeviceCreatePipelineLayout(gpu->device, &desc);
    WGPUComputePipelineDescriptor pipeline = WGPU_COMPUTE_PIPELINE_DESCRIPTOR_INIT;
    pipeline.layout = pipeline_layout;
    pipeline.compute.module = module;
    pipeline.compute.entryPoint = kit_text("main");
    WGPUBindGroupEntry bound = kit_bind_buffer(5, rig->counters.buffer);
    bound.size = rig->counters.size_bytes;
    adder->pipeline = wgpuDeviceCreateComputePipeline(gpu->device, &pipeline);
    adder->group = kit_bind_group(gpu, layout, &bound, 1);
    wgpuPipelineLayoutRelease(pipeline_layout);
    wgpuShaderModuleRelease(module);
}

static void add(struct rig *rig, const struct adder *adder, WGPUCommandEncoder encoder,
                const char *name, uint32_t workgroups)
{
    WGPUPassTimestampWrites writes;
    WGPUComputePassDescriptor desc = WGPU_COMPUTE_PASS_DESCRIPTOR_INIT;
    desc.timestampWrites = passtime_webgpu_pass(rig->recorder, name, &writes);
    uint32_t offset = passtime_webgpu_counters(rig->recorder);
    WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, &desc);
    wgpuComputePassEncoderSetPipeline(pass, adder->pipeline);
    wgpuComputePassEncoderSetBindGroup(pass, 0, adder->group, 1, &offset);
    wgpuComputePassEncoderDispatchWorkgroups(pass, workgroups, 1, 1);
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
    passtime_webgpu_pass_end(rig->recorder);
}

static void sums_beyond_32_bits_are_exact(void **state)
{
    static const passtime_counter_desc names[] = {{"sum", NULL}, {"calls", "calls"}, {"none", ""}};
    struct rig rig;
    struct adder adder;
    uint32_t seen = 0;
    (void)state;
    set_up(&rig, 0, names, 3);
    make_adder(&rig, &adder);
    for (uint64_t number = 0; number < FRAMES; number++) {
        const passtime_frame *frame = NULL;
        rig.recorder = passtime_frame_begin(rig.t, number);
        WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(rig.gpu->device, NULL);
        add(&rig, &adder, encoder, "many", INVOCATIONS / 64);
        add(&rig, &adder, encoder, "few", 1);
        submit(&rig, encoder);
        passtime_submitted(rig.recorder);
        passtime_frame_end(rig.t, number);
        gpu_wait(rig.gpu);
        if (passtime_next(rig.t, &frame) != PASSTIME_OK)
            continue; /* not timed: the queries were not ready yet */
        uint64_t counts[3];
        assert_int_equal(passtime_counts(rig.t, frame, 0, counts, 3), PASSTIME_COUNTS_THERE);
        assert_int_equal(counts[0], INVOCATIONS * UINT64_C(0xfffffffb));
        assert_int_equal(counts[1], INVOCATIONS);
        assert_int_equal(counts[2], 0);
        assert_int_equal(passtime_counts(rig.t, frame, 1, counts, 3), PASSTIME_COUNTS_THERE);
        assert_int_equal(counts[0], 64 * UINT64_C(0xfffffffb));
        assert_int_equal(counts[1], 64);
        seen++;
    }
    assert_true(seen > 0);
    wgpuBindGroupRelease(adder.group);
    wgpuComputePipelineRelease(adder.pipeline);
    tear_down(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_counts_beside_times),
        cmocka_unit_test(exact_counts_where_the_gpu_can_not_stamp),
        cmocka_unit_test(exact_counts_where_stamps_ride),
        cmocka_unit_test(exact_counts_where_the_resolve_is_put_off),
        cmocka_unit_test(sums_beyond_32_bits_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
