/* SPDX-License-Identifier: MIT */
/* The WebGPU backend on this machine's best adapter, as it is: nothing here depends on how fast. */
#include "conformance/conformance.h"

#include <passtime/webgpu.h>

#include "cli/gpu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <pthread.h>

struct device_driver {
    struct conformance_driver base;
    struct gpu_system *system;
    struct gpu *gpu;
    pthread_mutex_t pumping; /* gpu_pump is for one thread at a time */
};

static void device_pump(struct conformance_driver *d)
{
    struct device_driver *v = (struct device_driver *)d;
    pthread_mutex_lock(&v->pumping);
    gpu_wait(v->gpu);
    pthread_mutex_unlock(&v->pumping);
    passtime_collect(d->t);
}

/* Query sets are made in the background: frames without passes until each entry has its own. */
static void warm_up(struct conformance_driver *d)
{
    passtime_desc held;
    passtime_webgpu_info info = {0};
    const passtime_frame *frame = NULL;
    assert_int_equal(passtime_get_desc(d->t, &held), PASSTIME_OK);
    for (uint64_t n = 0; info.entries_ready < held.frames_in_flight; n++) {
        assert_true(n < 10000);
        device_pump(d);
        passtime_discarded(passtime_frame_begin(d->t, n));
        passtime_frame_end(d->t, n);
        while (passtime_next(d->t, &frame) == PASSTIME_OK) {
            /* Empty, as it was recorded. */
        }
        assert_int_equal(passtime_webgpu_get_info(d->t, &info), PASSTIME_OK);
    }
}

static void device_open(struct conformance_driver *d, passtime_desc *desc)
{
    struct device_driver *v = (struct device_driver *)d;
    passtime_webgpu_desc gpu = PASSTIME_WEBGPU_DESC_INIT;
    gpu.instance = v->gpu->instance;
    gpu.device = v->gpu->device;
    gpu.queue = v->gpu->queue;
    gpu.tick_ns = v->gpu->tick_ns;
    assert_int_equal(passtime_create_webgpu(&gpu, desc, &d->t), PASSTIME_OK);
    warm_up(d);
}

static void device_close(struct conformance_driver *d)
{
    struct device_driver *v = (struct device_driver *)d;
    passtime_destroy(&d->t);
    gpu_wait(v->gpu);
    assert_string_equal(v->gpu->first_error, "");
    assert_int_equal(v->gpu->error_count, 0);
}

static void device_finish(struct conformance_driver *d)
{
    (void)d; /* The device serves all tests. */
}

static passtime_recorder *begin(struct conformance_driver *d, uint64_t number)
{
    return passtime_frame_begin(d->t, number);
}

static void *encode(struct conformance_driver *d, uint64_t number)
{
    (void)number;
    return wgpuDeviceCreateCommandEncoder(((struct device_driver *)d)->gpu->device, NULL);
}

static void pass(struct conformance_driver *d, passtime_recorder *rec, void *encoder,
                 struct conformance_name name, uint32_t length)
{
    WGPUPassTimestampWrites writes;
    WGPUComputePassDescriptor desc = WGPU_COMPUTE_PASS_DESCRIPTOR_INIT;
    (void)d;
    (void)length;
    if (name.text == NULL) {
        desc.timestampWrites = passtime_webgpu_pass_id(rec, name.id, &writes);
    } else if (name.bytes != 0) {
        desc.timestampWrites = passtime_webgpu_pass_n(rec, name.text, name.bytes, &writes);
    } else {
        desc.timestampWrites = passtime_webgpu_pass(rec, name.text, &writes);
    }
    WGPUComputePassEncoder compute = wgpuCommandEncoderBeginComputePass(encoder, &desc);
    wgpuComputePassEncoderEnd(compute);
    wgpuComputePassEncoderRelease(compute);
}

static void submit(struct conformance_driver *d, void *encoder)
{
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuQueueSubmit(((struct device_driver *)d)->gpu->queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
    wgpuCommandEncoderRelease(encoder);
}

static void drop(struct conformance_driver *d, void *encoder)
{
    (void)d;
    wgpuCommandEncoderRelease(encoder);
}

static bool open_device(struct device_driver *v)
{
    char error[512] = "";
    uint32_t index = 0;
    v->system = gpu_system_open(GPU_SCOPE_PREFERRED, error, sizeof error);
    if (v->system == NULL || !gpu_system_find(v->system, NULL, &index, error, sizeof error)) {
        print_message("no adapter: %s\n", error);
        return false;
    }
    v->gpu = gpu_open(v->system, index, error, sizeof error);
    if (v->gpu == NULL || !v->gpu->timestamps) {
        print_message("no device with timestamp queries: %s\n", error);
        return false;
    }
    return true;
}

int main(void)
{
    static struct device_driver v = {.base = {.api = "webgpu",
                                              .source = PASSTIME_GPU_STAMPS,
                                              .slowness = 10,
                                              .open = device_open,
                                              .close = device_close,
                                              .finish = device_finish,
                                              .begin = begin,
                                              .encode = encode,
                                              .pass = pass,
                                              .submit = submit,
                                              .drop = drop,
                                              .pump = device_pump}};
    int failed = 77;
    pthread_mutex_init(&v.pumping, NULL);
    if (open_device(&v)) {
        failed = conformance_run(&v.base);
    }
    gpu_close(v.gpu);
    gpu_system_close(v.system);
    pthread_mutex_destroy(&v.pumping);
    return failed;
}
