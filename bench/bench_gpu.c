/* SPDX-License-Identifier: MIT */
/*
 * What timing costs on a real device: frames of 64 small compute passes, blocks of them timed and
 * not timed by turns, each ratio from two neighbours. On a software adapter the GPU's work is this
 * process's CPU time, which other programs disturb less than they do the wall clock.
 */
#include "bench.h"

#include <passtime/webgpu.h>

#include "cli/gpu.h"
#include "cli/scene_kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
    BLOCK_FRAMES = 8,
    RING = BLOCK_FRAMES + 2,
    WARM_UP_FRAMES_MAX = 400,
    GROUPS_MAX = 65535,
    ROUNDS = 36,
    ROUNDS_QUICK = 6
};

/* How the frames of a block are timed. */
enum arm { ARM_OFF, ARM_BARE, ARM_TIMED, ARM_COUNT };

/* So long does a frame take, on a device or of CPU time in place of one. */
static const uint64_t frame_goal_ns = 12000000;
static const uint64_t frame_goal_quick_ns = 2000000;

static const char shader[] =
    "@group(0) @binding(0) var<storage, read_write> out: array<u32>;\n"
    "@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {\n"
    "    var x = id.x * 747796405u + 1u;\n"
    "    for (var i = 0; i < 32; i++) { x = x * 1664525u + 1013904223u; }\n"
    "    out[id.x % 4096u] = x;\n"
    "}\n";

struct bench_gpu {
    struct gpu_system *system;
    struct gpu *gpu;
    WGPUComputePipeline pipeline;
    WGPUBuffer buffer;
    WGPUBindGroup group;
    WGPUQuerySet queries; /* of the arm that is stamped by hand */
    passtime *t;
    enum arm arm;
    passtime_id ids[BENCH_PASSES];
    uint32_t groups; /* workgroups a pass */
    uint64_t frame;
    uint64_t taken;
};

static uint64_t process_cpu_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static const WGPUPassTimestampWrites *writes_of(struct bench_gpu *b, passtime_recorder *rec,
                                                uint32_t pass, WGPUPassTimestampWrites *writes)
{
    if (b->arm != ARM_BARE) {
        return passtime_webgpu_pass_id(rec, b->ids[pass], writes); /* NULL where it is turned off */
    }
    *writes = (WGPUPassTimestampWrites){.querySet = b->queries,
                                        .beginningOfPassWriteIndex = 2 * pass,
                                        .endOfPassWriteIndex = 2 * pass + 1};
    return writes;
}

static void encode_pass(struct bench_gpu *b, passtime_recorder *rec, WGPUCommandEncoder encoder,
                        uint32_t pass)
{
    WGPUPassTimestampWrites writes;
    WGPUComputePassDescriptor desc = WGPU_COMPUTE_PASS_DESCRIPTOR_INIT;
    desc.timestampWrites = writes_of(b, rec, pass, &writes);
    WGPUComputePassEncoder encoded = wgpuCommandEncoderBeginComputePass(encoder, &desc);
    wgpuComputePassEncoderSetPipeline(encoded, b->pipeline);
    wgpuComputePassEncoderSetBindGroup(encoded, 0, b->group, 0, NULL);
    wgpuComputePassEncoderDispatchWorkgroups(encoded, b->groups, 1, 1);
    wgpuComputePassEncoderEnd(encoded);
    wgpuComputePassEncoderRelease(encoded);
}

static void take_results(struct bench_gpu *b)
{
    const passtime_frame *frame;
    while (passtime_next(b->t, &frame) == PASSTIME_OK) {
        b->taken++;
    }
}

static void draw_frame(struct bench_gpu *b)
{
    passtime_recorder *rec = passtime_frame_begin(b->t, b->frame);
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(b->gpu->device, NULL);
    for (uint32_t pass = 0; pass < BENCH_PASSES; pass++) {
        encode_pass(b, rec, encoder, pass);
    }
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuCommandEncoderRelease(encoder);
    wgpuQueueSubmit(b->gpu->queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
    passtime_submitted(rec);
    (void)passtime_frame_end(b->t, b->frame++);
    gpu_pump(b->gpu);
    take_results(b);
}

/* Frames to the end of their work on the device, results taken. */
static void draw_block(struct bench_gpu *b, enum arm arm)
{
    b->arm = arm;
    passtime_enable(b->t, arm == ARM_TIMED);
    for (uint32_t i = 0; i < BLOCK_FRAMES; i++) {
        draw_frame(b);
    }
    gpu_wait(b->gpu);
    take_results(b);
}

static void close_all(struct bench_gpu *b)
{
    passtime_destroy(&b->t);
    if (b->group != NULL) {
        wgpuBindGroupRelease(b->group);
    }
    if (b->pipeline != NULL) {
        wgpuComputePipelineRelease(b->pipeline);
    }
    if (b->buffer != NULL) {
        wgpuBufferRelease(b->buffer);
    }
    if (b->queries != NULL) {
        wgpuQuerySetRelease(b->queries);
    }
    gpu_close(b->gpu);
    gpu_system_close(b->system);
}

static bool open_device(struct bench_gpu *b, char *error, size_t error_bytes)
{
    b->system = gpu_system_open(GPU_SCOPE_PREFERRED, error, error_bytes);
    b->gpu = b->system != NULL ? gpu_open(b->system, 0, error, error_bytes) : NULL;
    if (b->gpu == NULL) {
        return false;
    }
    if (!b->gpu->timestamps) {
        (void)snprintf(error, error_bytes, "%s has no timestamp queries", b->gpu->info.name);
        return false;
    }
    WGPUShaderModule module = kit_shader(b->gpu, "bench", shader);
    b->pipeline = kit_compute_pipeline(b->gpu, module, "main");
    wgpuShaderModuleRelease(module);
    b->buffer = kit_buffer(b->gpu, "bench", 4096 * sizeof(uint32_t), WGPUBufferUsage_Storage);
    const WGPUBindGroupEntry entry = kit_bind_buffer(0, b->buffer);
    b->group =
        kit_bind_group(b->gpu, wgpuComputePipelineGetBindGroupLayout(b->pipeline, 0), &entry, 1);
    WGPUQuerySetDescriptor queries = WGPU_QUERY_SET_DESCRIPTOR_INIT;
    queries.type = WGPUQueryType_Timestamp;
    queries.count = 2 * BENCH_PASSES;
    b->queries = wgpuDeviceCreateQuerySet(b->gpu->device, &queries);
    return b->gpu->error_count == 0;
}

static bool open_context(struct bench_gpu *b)
{
    passtime_webgpu_desc gpu = PASSTIME_WEBGPU_DESC_INIT;
    gpu.device = b->gpu->device;
    gpu.queue = b->gpu->queue;
    gpu.tick_ns = b->gpu->tick_ns;
    passtime_desc desc = PASSTIME_DESC_INIT;
    desc.max_passes = BENCH_PASSES;
    desc.frames_in_flight = RING;
    if (passtime_create_webgpu(&gpu, &desc, &b->t) != PASSTIME_OK) {
        return false;
    }
    for (uint32_t i = 0; i < BENCH_PASSES; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "pass %02u", (unsigned)i);
        b->ids[i] = passtime_intern(b->t, name);
    }
    return true;
}

/* Until every ring entry can time a whole frame; the frames that are measured then all are timed.
 */
static bool warm_up(struct bench_gpu *b)
{
    b->groups = 1;
    b->arm = ARM_TIMED;
    for (uint32_t i = 0; i < WARM_UP_FRAMES_MAX; i++) {
        draw_frame(b);
        gpu_wait(b->gpu);
        take_results(b);
        passtime_webgpu_info info;
        (void)passtime_webgpu_get_info(b->t, &info);
        if (info.entries_ready == RING && info.pairs_ready >= BENCH_PASSES && i > 2 * RING) {
            passtime_reset_stats(b->t);
            return true;
        }
    }
    return false;
}

struct block_cost {
    double wall_ns;
    double cpu_ns;
};

static struct block_cost measure_block(struct bench_gpu *b, enum arm arm)
{
    uint64_t wall_ns = bench_now_ns();
    uint64_t cpu_ns = process_cpu_ns();
    draw_block(b, arm);
    return (struct block_cost){(double)(bench_now_ns() - wall_ns),
                               (double)(process_cpu_ns() - cpu_ns)};
}

static double cost_of(const struct bench_gpu *b, struct block_cost cost)
{
    return b->gpu->info.software ? cost.cpu_ns : cost.wall_ns;
}

/* As many workgroups a pass as make a frame take as long as a real one. */
static void size_passes(struct bench_gpu *b, uint64_t goal_ns)
{
    for (b->groups = 4; b->groups < GROUPS_MAX / 2; b->groups *= 2) {
        if (cost_of(b, measure_block(b, ARM_OFF)) / BLOCK_FRAMES > (double)goal_ns) {
            break;
        }
    }
}

struct gpu_figures {
    struct bench_figures frame_ms; /* not timed */
    struct bench_figures stamps;   /* stamped by hand, to not timed */
    struct bench_figures timed;    /* timed, to not timed */
    struct bench_figures added;    /* timed, to stamped by hand */
    struct bench_figures pass_us;  /* what a timed pass takes more than one that is not */
};

static void note_round(struct gpu_figures *f, uint32_t round, const double cost[ARM_COUNT])
{
    f->frame_ms.values[round] = cost[ARM_OFF] / BLOCK_FRAMES / 1e6;
    f->stamps.values[round] = cost[ARM_BARE] / cost[ARM_OFF];
    f->timed.values[round] = cost[ARM_TIMED] / cost[ARM_OFF];
    f->added.values[round] = cost[ARM_TIMED] / cost[ARM_BARE];
    f->pass_us.values[round] =
        (cost[ARM_TIMED] - cost[ARM_OFF]) / (BLOCK_FRAMES * BENCH_PASSES) / 1000;
    f->frame_ms.count = f->stamps.count = f->timed.count = f->added.count = f->pass_us.count =
        round + 1;
}

/* Which arm comes first changes from round to round, so that a drift of the machine cancels. */
static void measure(struct bench_gpu *b, uint32_t rounds, struct gpu_figures *figures)
{
    for (uint32_t round = 0; round < rounds; round++) {
        double cost[ARM_COUNT];
        for (uint32_t i = 0; i < ARM_COUNT; i++) {
            enum arm arm = (enum arm)((round + i) % ARM_COUNT);
            cost[arm] = cost_of(b, measure_block(b, arm));
        }
        note_round(figures, round, cost);
    }
}

static void add_ratio(struct bench_table *table, const char *name, const char *what,
                      struct bench_figures *figures, double target)
{
    double low;
    double high;
    (void)bench_row_add(table, name, what, "ratio", target, figures);
    if (bench_median_interval(figures, &low, &high)) {
        bench_note(table, "%s: the median lies in %.4f to %.4f (95 %%, %u rounds).", what, low,
                   high, (unsigned)figures->count);
    }
}

static bool is_sound(struct bench_gpu *b, uint32_t rounds)
{
    passtime_ledger ledger;
    (void)passtime_get_ledger(b->t, &ledger);
    uint64_t frames = (uint64_t)rounds * BLOCK_FRAMES;
    if (ledger.fates[PASSTIME_FRAME_COMPLETE] == frames && b->gpu->error_count == 0) {
        return true;
    }
    fprintf(stderr, "bench: %llu of %llu frames on %s were timed in full; device errors: %u %s\n",
            (unsigned long long)ledger.fates[PASSTIME_FRAME_COMPLETE], (unsigned long long)frames,
            b->gpu->info.name, (unsigned)b->gpu->error_count, b->gpu->first_error);
    return false;
}

static bool measure_device(struct bench_gpu *b, struct bench_table *table,
                           const struct bench_options *options)
{
    static struct gpu_figures figures;
    uint32_t rounds = options->quick ? ROUNDS_QUICK : ROUNDS;
    bool software = b->gpu->info.software;
    size_passes(b, options->quick ? frame_goal_quick_ns : frame_goal_ns);
    draw_block(b, ARM_TIMED);
    passtime_reset_stats(b->t);
    measure(b, rounds, &figures);
    (void)bench_row_add(table, "gpu.frame", "device: a frame of 64 passes, not timed",
                        software ? "ms of CPU" : "ms", 0, &figures.frame_ms);
    add_ratio(table, "gpu.stamps", "  frames stamped by hand to not timed", &figures.stamps, 0);
    add_ratio(table, "gpu.timed", "  frames timed by Passtime to not timed", &figures.timed, 1.01);
    add_ratio(table, "gpu.added", "  frames timed by Passtime to stamped by hand", &figures.added,
              1.01);
    (void)bench_row_add(table, "gpu.pass", "  what a timed pass takes more", "us", 0,
                        &figures.pass_us);
    bench_note(table, "Device: %s, %s%s.", b->gpu->info.name, b->gpu->info.driver,
               software ? "; by the process's CPU time, which is where its work is done" : "");
    return is_sound(b, rounds);
}

bool bench_gpu(struct bench_table *table, const struct bench_options *options)
{
    char error[512] = "";
    struct bench_gpu b = {0};
    bool sound = true;
    if (!open_device(&b, error, sizeof error)) {
        bench_row_add_unknown(table, "gpu.timed", "device: frames timed to not timed", "ratio");
        bench_note(table, "No device to measure on: %.200s", error);
    } else if (!open_context(&b) || !warm_up(&b)) {
        fprintf(stderr, "bench: no timing context on %s\n", b.gpu->info.name);
        sound = false;
    } else {
        sound = measure_device(&b, table, options);
    }
    close_all(&b);
    return sound;
}
