/* SPDX-License-Identifier: MIT */
/* The WebGPU backend on this machine's best adapter. Nothing here depends on how fast it is. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <webgpu/wgpu.h>

#include <passtime/webgpu.h>

#include "cli/gpu.h"

enum { SIZES = 3, FRAMES = 24 };

/* A device with three compute pipelines of growing work, and a context on it. */
struct rig {
    struct gpu_system *system;
    struct gpu *gpu;
    passtime_webgpu_desc desc;
    passtime_desc core;
    passtime *t;
    WGPUComputePipeline pipelines[SIZES];
    WGPUBindGroup groups[SIZES];
    WGPUBuffer buffer;
    uint64_t number;
};

static const char *const names[SIZES] = {"small", "middle", "large"};
static const char shader_text[] =
    "@group(0) @binding(0) var<storage, read_write> sink: array<u32>;"
    "override loops: u32;"
    "@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {"
    "    var x = id.x;"
    "    for (var i = 0u; i < loops; i++) { x = x * 1664525u + 1013904223u; }"
    "    sink[id.x % 64u] = x;"
    "}";

static void make_work(struct rig *rig)
{
    WGPUDevice device = rig->gpu->device;
    WGPUShaderSourceWGSL source = WGPU_SHADER_SOURCE_WGSL_INIT;
    source.code = (WGPUStringView){shader_text, WGPU_STRLEN};
    WGPUShaderModuleDescriptor module_desc = WGPU_SHADER_MODULE_DESCRIPTOR_INIT;
    module_desc.nextInChain = &source.chain;
    WGPUShaderModule module = wgpuDeviceCreateShaderModule(device, &module_desc);
    WGPUBufferDescriptor buffer_desc = WGPU_BUFFER_DESCRIPTOR_INIT;
    buffer_desc.size = 256;
    buffer_desc.usage = WGPUBufferUsage_Storage;
    rig->buffer = wgpuDeviceCreateBuffer(device, &buffer_desc);
    for (int i = 0; i < SIZES; i++) {
        const WGPUConstantEntry loops = {NULL, {"loops", WGPU_STRLEN}, 16 << (4 * i)};
        WGPUComputePipelineDescriptor desc = WGPU_COMPUTE_PIPELINE_DESCRIPTOR_INIT;
        desc.compute.module = module;
        desc.compute.entryPoint = (WGPUStringView){"main", WGPU_STRLEN};
        desc.compute.constants = &loops;
        desc.compute.constantCount = 1;
        rig->pipelines[i] = wgpuDeviceCreateComputePipeline(device, &desc);
        WGPUBindGroupEntry entry = WGPU_BIND_GROUP_ENTRY_INIT;
        entry.buffer = rig->buffer;
        WGPUBindGroupDescriptor group = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
        group.layout = wgpuComputePipelineGetBindGroupLayout(rig->pipelines[i], 0);
        group.entryCount = 1;
        group.entries = &entry;
        rig->groups[i] = wgpuDeviceCreateBindGroup(device, &group);
        wgpuBindGroupLayoutRelease(group.layout);
    }
    wgpuShaderModuleRelease(module);
}

/* False: this machine has nothing to test on. */
static bool rig_setup(struct rig *rig)
{
    char error[512] = "";
    uint32_t index = 0;
    *rig = (struct rig){.core = PASSTIME_DESC_INIT};
    rig->system = gpu_system_open(GPU_SCOPE_PREFERRED, error, sizeof error);
    if (rig->system == NULL || !gpu_system_find(rig->system, NULL, &index, error, sizeof error)) {
        print_message("no adapter: %s\n", error);
        return false;
    }
    rig->gpu = gpu_open(rig->system, index, error, sizeof error);
    assert_non_null(rig->gpu);
    if (!rig->gpu->timestamps) {
        print_message("no timestamp queries: %s\n", rig->gpu->info.name);
        return false;
    }
    const passtime_webgpu_desc desc = PASSTIME_WEBGPU_DESC_INIT;
    rig->desc = desc;
    rig->desc.instance = rig->gpu->instance;
    rig->desc.device = rig->gpu->device;
    rig->desc.queue = rig->gpu->queue;
    rig->desc.tick_ns = rig->gpu->tick_ns;
    make_work(rig);
    return true;
}

static void rig_open(struct rig *rig)
{
    assert_int_equal(passtime_create_webgpu(&rig->desc, &rig->core, &rig->t), PASSTIME_OK);
}

/* Ends all, and fails the test where the device took anything amiss. */
static void rig_close(struct rig *rig)
{
    passtime_destroy(&rig->t);
    if (rig->gpu != NULL) {
        gpu_wait(rig->gpu);
        assert_string_equal(rig->gpu->first_error, "");
        assert_int_equal(rig->gpu->error_count, 0);
        assert_false(rig->gpu->lost);
    }
    for (int i = 0; i < SIZES && rig->buffer != NULL; i++) {
        wgpuBindGroupRelease(rig->groups[i]);
        wgpuComputePipelineRelease(rig->pipelines[i]);
    }
    if (rig->buffer != NULL) {
        wgpuBufferRelease(rig->buffer);
    }
    gpu_close(rig->gpu);
    gpu_system_close(rig->system);
}

static void dispatch(struct rig *rig, WGPUComputePassEncoder pass, int size)
{
    wgpuComputePassEncoderSetPipeline(pass, rig->pipelines[size]);
    wgpuComputePassEncoderSetBindGroup(pass, 0, rig->groups[size], 0, NULL);
    wgpuComputePassEncoderDispatchWorkgroups(pass, 64, 1, 1);
}

static void encode_pass(struct rig *rig, passtime_recorder *rec, WGPUCommandEncoder encoder,
                        int size)
{
    WGPUPassTimestampWrites writes;
    WGPUComputePassDescriptor desc = WGPU_COMPUTE_PASS_DESCRIPTOR_INIT;
    desc.timestampWrites = passtime_webgpu_pass(rec, names[size], &writes);
    WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, &desc);
    dispatch(rig, pass, size);
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
}

static void submit(struct rig *rig, WGPUCommandEncoder encoder)
{
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuQueueSubmit(rig->gpu->queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
    wgpuCommandEncoderRelease(encoder);
}

/* A frame of `passes` passes, small, middle, large in turn. Returns its number. */
static uint64_t run_frame(struct rig *rig, int passes)
{
    const uint64_t number = ++rig->number;
    passtime_recorder *rec = passtime_frame_begin(rig->t, number);
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(rig->gpu->device, NULL);
    for (int i = 0; i < passes; i++) {
        encode_pass(rig, rec, encoder, i % SIZES);
    }
    if (rig->desc.flags & PASSTIME_WEBGPU_RIDE) {
        passtime_webgpu_ride(rec, encoder);
    }
    submit(rig, encoder);
    passtime_submitted(rec);
    passtime_frame_end(rig->t, number);
    return number;
}

/* Pumps until a frame comes back; NULL: none is in flight. */
static const passtime_frame *next_frame(struct rig *rig)
{
    const passtime_frame *frame = NULL;
    passtime_result result = PASSTIME_PENDING;
    while ((result = passtime_next(rig->t, &frame)) == PASSTIME_PENDING) {
        gpu_pump(rig->gpu);
    }
    return frame;
}

static void drain(struct rig *rig)
{
    while (next_frame(rig) != NULL) {
    }
}

/* The first frame that is timed, after the queries are ready. */
static const passtime_frame *first_frame(struct rig *rig, int passes)
{
    const passtime_frame *frame = NULL;
    for (int i = 0; i < 50 && frame == NULL; i++) {
        run_frame(rig, passes);
        gpu_wait(rig->gpu);
        frame = next_frame(rig);
    }
    assert_non_null(frame);
    return frame;
}

/* The shortest time: what else the machine does can only add to one. */
static uint64_t shortest_ns(struct rig *rig, const char *name)
{
    for (uint32_t i = 0; i < passtime_series_count(rig->t); i++) {
        passtime_series_info info;
        if (passtime_series(rig->t, i, &info) == PASSTIME_OK && strcmp(info.name, name) == 0) {
            assert_true((info.stats.flags & PASSTIME_STATS_HAS_MIN) != 0);
            return info.stats.min_ns;
        }
    }
    fail_msg("no series %s", name);
    return 0;
}

static void check_order(const passtime_frame *frame)
{
    for (uint32_t i = 0; i < frame->sample_count; i++) {
        const passtime_sample *sample = &frame->samples[i];
        assert_int_equal(sample->verdict, PASSTIME_GOOD);
        assert_int_equal(sample->source, PASSTIME_GPU_STAMPS);
        assert_true(sample->duration_ns > 0);
        assert_int_equal(sample->end_ns - sample->begin_ns, sample->duration_ns);
        if (i > 0 && (sample->flags & PASSTIME_FLAG_OVERLAPS) == 0) {
            assert_true(sample->begin_ns >= frame->samples[i - 1].end_ns);
        }
    }
}

/* More work takes longer: sixteen times the loops at least twice the time. */
static void more_work_takes_longer(void **state)
{
    (void)state;
    struct rig rig;
    if (!rig_setup(&rig)) {
        rig_close(&rig);
        skip();
    }
    rig_open(&rig);
    for (int i = 0; i < FRAMES; i++) {
        check_order(first_frame(&rig, 9));
    }
    const uint64_t small = shortest_ns(&rig, "small");
    const uint64_t middle = shortest_ns(&rig, "middle");
    const uint64_t large = shortest_ns(&rig, "large");
    print_message("small %" PRIu64 " ns, middle %" PRIu64 " ns, large %" PRIu64 " ns\n", small,
                  middle, large);
    assert_true(middle > small);
    assert_true(large > 2 * middle);
    rig_close(&rig);
}

/* Frames are not waited for: the ring fills or results come, all of them accounted for. */
static void frames_in_a_row(void **state)
{
    (void)state;
    struct rig rig;
    if (!rig_setup(&rig)) {
        rig_close(&rig);
        skip();
    }
    rig_open(&rig);
    for (int i = 0; i < FRAMES; i++) {
        run_frame(&rig, 3);
        gpu_pump(rig.gpu);
    }
    drain(&rig);
    passtime_ledger ledger;
    passtime_get_ledger(rig.t, &ledger);
    assert_int_equal(ledger.frames_in_flight, 0);
    assert_true(ledger.verdicts[PASSTIME_GOOD] > 0);
    uint64_t fates = 0;
    for (int i = 0; i < PASSTIME_FATE_COUNT; i++) {
        fates += ledger.fates[i];
    }
    assert_int_equal(fates, FRAMES);
    assert_int_equal(ledger.verdicts[PASSTIME_GOOD], ledger.passes_recorded);
    rig_close(&rig);
}

/* BR-03: a pass that is not recorded leaves a gap, which costs nothing. */
static void a_discarded_recorder_leaves_a_gap(void **state)
{
    (void)state;
    struct rig rig;
    if (!rig_setup(&rig)) {
        rig_close(&rig);
        skip();
    }
    rig_open(&rig);
    first_frame(&rig, 1);
    passtime_recorder *recs[3] = {passtime_frame_begin(rig.t, 5000)};
    recs[1] = passtime_recorder_begin(rig.t, 5000);
    recs[2] = passtime_recorder_begin(rig.t, 5000);
    for (int i = 0; i < 3; i++) {
        WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(rig.gpu->device, NULL);
        encode_pass(&rig, recs[i], encoder, i);
        if (i == 1) {
            wgpuCommandEncoderRelease(encoder);
            passtime_discarded(recs[i]);
        } else {
            submit(&rig, encoder);
            passtime_submitted(recs[i]);
        }
    }
    passtime_frame_end(rig.t, 5000);
    const passtime_frame *frame = next_frame(&rig);
    assert_non_null(frame);
    assert_int_equal(frame->sample_count, 3);
    assert_int_equal(frame->samples[0].verdict, PASSTIME_GOOD);
    assert_int_equal(frame->samples[1].verdict, PASSTIME_DISCARDED);
    assert_int_equal(frame->samples[2].verdict, PASSTIME_GOOD);
    rig_close(&rig);
}

/* An encoder that was said to be submitted and was not gives no sample. */
static void a_dropped_encoder_gives_no_sample(void **state)
{
    (void)state;
    struct rig rig;
    if (!rig_setup(&rig)) {
        rig_close(&rig);
        skip();
    }
    rig_open(&rig);
    first_frame(&rig, 1);
    for (uint64_t number = 5000; number < 5008; number++) {
        passtime_recorder *rec = passtime_frame_begin(rig.t, number);
        WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(rig.gpu->device, NULL);
        encode_pass(&rig, rec, encoder, 0);
        wgpuCommandEncoderRelease(encoder);
        passtime_submitted(rec);
        passtime_frame_end(rig.t, number);
        const passtime_frame *frame = next_frame(&rig);
        assert_non_null(frame);
        assert_false(passtime_is_good(frame->samples[0].verdict));
    }
    rig_close(&rig);
}

static void sets_grow(void **state)
{
    (void)state;
    struct rig rig;
    if (!rig_setup(&rig)) {
        rig_close(&rig);
        skip();
    }
    rig.core.max_passes = 300;
    rig_open(&rig);
    assert_int_equal(first_frame(&rig, 3)->sample_count, 3);
    const passtime_frame *frame = NULL;
    for (int i = 0; i < 40 && (frame == NULL || frame->sample_count < 300); i++) {
        frame = first_frame(&rig, 300);
    }
    assert_int_equal(frame->fate, PASSTIME_FRAME_COMPLETE);
    assert_int_equal(frame->sample_count, 300);
    check_order(frame);
    assert_int_equal(first_frame(&rig, 3)->sample_count, 3);
    rig_close(&rig);
}

static void each_way_of_reading_back(void **state)
{
    (void)state;
    const uint32_t ways[] = {PASSTIME_WEBGPU_RIDE, PASSTIME_WEBGPU_DEFER_RESOLVE,
                             PASSTIME_WEBGPU_PUMP, PASSTIME_WEBGPU_SPONTANEOUS};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        struct rig rig;
        if (!rig_setup(&rig)) {
            rig_close(&rig);
            skip();
        }
        rig.desc.flags = ways[i];
        rig_open(&rig);
        for (int k = 0; k < 6; k++) {
            const passtime_frame *frame = first_frame(&rig, 6);
            assert_int_equal(frame->fate, PASSTIME_FRAME_COMPLETE);
            assert_int_equal(frame->sample_count, 6);
            check_order(frame);
        }
        rig_close(&rig);
    }
}

static void groups_inside_a_pass(void **state)
{
    (void)state;
    struct rig rig;
    if (!rig_setup(&rig) || !rig.gpu->inside_passes) {
        rig_close(&rig);
        skip();
    }
    rig.desc.write_in_render = wgpuRenderPassEncoderWriteTimestamp;
    rig.desc.write_in_compute = wgpuComputePassEncoderWriteTimestamp;
    rig_open(&rig);
    passtime_webgpu_info info;
    assert_int_equal(passtime_webgpu_get_info(rig.t, &info), PASSTIME_OK);
    assert_true(info.in_compute);
    first_frame(&rig, 1);
    for (uint64_t number = 5000; number < 5006; number++) {
        passtime_recorder *rec = passtime_frame_begin(rig.t, number);
        WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(rig.gpu->device, NULL);
        WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, NULL);
        for (int i = 0; i < SIZES; i++) {
            passtime_webgpu_begin_in_compute(rec, pass, names[i]);
            dispatch(&rig, pass, i);
            passtime_webgpu_end_in_compute(rec, pass);
        }
        wgpuComputePassEncoderEnd(pass);
        wgpuComputePassEncoderRelease(pass);
        submit(&rig, encoder);
        passtime_submitted(rec);
        passtime_frame_end(rig.t, number);
        const passtime_frame *frame = next_frame(&rig);
        assert_non_null(frame);
        assert_int_equal(frame->sample_count, SIZES);
        for (int i = 0; i < SIZES; i++) {
            assert_true(passtime_is_good(frame->samples[i].verdict));
        }
    }
    rig_close(&rig);
}

static void destroy_with_work_in_flight(void **state)
{
    (void)state;
    struct rig rig;
    if (!rig_setup(&rig)) {
        rig_close(&rig);
        skip();
    }
    for (int i = 0; i < 8; i++) {
        rig_open(&rig);
        for (int k = 0; k < i; k++) {
            run_frame(&rig, 9);
            gpu_pump(rig.gpu);
        }
        passtime_destroy(&rig.t);
    }
    rig_close(&rig);
}

static void cpu_times_where_asked(void **state)
{
    (void)state;
    struct rig rig;
    if (!rig_setup(&rig)) {
        rig_close(&rig);
        skip();
    }
    rig.desc.flags = PASSTIME_WEBGPU_FORCE_CPU;
    rig_open(&rig);
    run_frame(&rig, 3);
    const passtime_frame *frame = next_frame(&rig);
    assert_non_null(frame);
    assert_int_equal(frame->sample_count, 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(frame->samples[i].verdict, PASSTIME_GOOD);
        assert_int_equal(frame->samples[i].source,
                         i < 3 ? PASSTIME_CPU_RECORD : PASSTIME_CPU_COMPLETE);
    }
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_work_takes_longer),
        cmocka_unit_test(frames_in_a_row),
        cmocka_unit_test(a_discarded_recorder_leaves_a_gap),
        cmocka_unit_test(a_dropped_encoder_gives_no_sample),
        cmocka_unit_test(sets_grow),
        cmocka_unit_test(each_way_of_reading_back),
        cmocka_unit_test(groups_inside_a_pass),
        cmocka_unit_test(destroy_with_work_in_flight),
        cmocka_unit_test(cpu_times_where_asked),
    };
    struct rig rig;
    const bool there = rig_setup(&rig);
    rig_close(&rig);
    return there ? cmocka_run_group_tests(tests, NULL, NULL) : 77;
}
