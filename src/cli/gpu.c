/* SPDX-License-Identifier: MIT */
/* Adapters and devices through wgpu-native: what the command line needs beyond plain webgpu.h. */
#include "cli/gpu.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <webgpu/wgpu.h>

enum { ADAPTERS_MAX = 32 };

struct gpu_system {
    WGPUInstance instance;
    uint32_t count;
    WGPUAdapter adapters[ADAPTERS_MAX];
    struct gpu_adapter_info infos[ADAPTERS_MAX];
};

/* What the adapter request and the device request leave behind. */
struct device_request {
    bool done;
    WGPUDevice device;
    char message[256];
};

static void copy_view(char *to, size_t to_bytes, WGPUStringView view)
{
    size_t length = 0;
    if (view.data)
        length = view.length == WGPU_STRLEN ? strlen(view.data) : view.length;
    if (length >= to_bytes)
        length = to_bytes - 1;
    if (length > 0)
        memcpy(to, view.data, length);
    to[length] = '\0';
    for (size_t i = 0; i < length; i++) {
        /* Drivers put line breaks into their texts; a report line has room for one. */
        if (iscntrl((unsigned char)to[i]))
            to[i] = ' ';
    }
}

static const char *backend_name(WGPUBackendType type)
{
    switch (type) {
    case WGPUBackendType_Vulkan:
        return "vulkan";
    case WGPUBackendType_Metal:
        return "metal";
    case WGPUBackendType_D3D12:
        return "d3d12";
    case WGPUBackendType_D3D11:
        return "d3d11";
    case WGPUBackendType_OpenGL:
        return "opengl";
    case WGPUBackendType_OpenGLES:
        return "opengles";
    default:
        return "other";
    }
}

static const char *kind_name(WGPUAdapterType type)
{
    switch (type) {
    case WGPUAdapterType_DiscreteGPU:
        return "discrete";
    case WGPUAdapterType_IntegratedGPU:
        return "integrated";
    case WGPUAdapterType_CPU:
        return "software";
    default:
        return "unknown";
    }
}

static bool is_gl(WGPUBackendType type)
{
    return type == WGPUBackendType_OpenGL || type == WGPUBackendType_OpenGLES;
}

/* Lower is better: the kind of device first, then the API it is reached through. */
static int adapter_rank(const WGPUAdapterInfo *info)
{
    int rank = 2;
    if (info->adapterType == WGPUAdapterType_DiscreteGPU)
        rank = 0;
    else if (info->adapterType == WGPUAdapterType_IntegratedGPU)
        rank = 1;
    else if (info->adapterType == WGPUAdapterType_CPU)
        rank = 3;
    return rank * 2 + (is_gl(info->backendType) ? 1 : 0);
}

/* Returns the adapter's rank; `out` gets what it says about itself. */
static int describe(WGPUAdapter adapter, struct gpu_adapter_info *out)
{
    WGPUAdapterInfo info = WGPU_ADAPTER_INFO_INIT;
    wgpuAdapterGetInfo(adapter, &info);
    memset(out, 0, sizeof *out);
    copy_view(out->name, sizeof out->name, info.device);
    copy_view(out->driver, sizeof out->driver, info.description);
    copy_view(out->vendor, sizeof out->vendor, info.vendor);
    out->backend = backend_name(info.backendType);
    out->kind = kind_name(info.adapterType);
    out->software = info.adapterType == WGPUAdapterType_CPU;
    out->vendor_id = info.vendorID;
    out->device_id = info.deviceID;
    out->timestamps = wgpuAdapterHasFeature(adapter, WGPUFeatureName_TimestampQuery);
    out->inside_passes = wgpuAdapterHasFeature(
        adapter, (WGPUFeatureName)WGPUNativeFeature_TimestampQueryInsidePasses);
    int rank = adapter_rank(&info);
    wgpuAdapterInfoFreeMembers(info);
    return rank;
}

/* Keeps the list sorted; equal ranks stay in the order of the driver's list. */
static void insert_adapter(struct gpu_system *system, int ranks[ADAPTERS_MAX], WGPUAdapter adapter)
{
    struct gpu_adapter_info info;
    int rank = describe(adapter, &info);
    uint32_t at = system->count;
    while (at > 0 && ranks[at - 1] > rank) {
        ranks[at] = ranks[at - 1];
        system->infos[at] = system->infos[at - 1];
        system->adapters[at] = system->adapters[at - 1];
        at--;
    }
    ranks[at] = rank;
    system->infos[at] = info;
    system->adapters[at] = adapter;
    system->count++;
}

static void list_adapters(struct gpu_system *system, WGPUInstanceBackend backends)
{
    WGPUInstanceEnumerateAdapterOptions options = {.backends = backends};
    size_t count = wgpuInstanceEnumerateAdapters(system->instance, &options, NULL);
    if (count == 0)
        return;
    WGPUAdapter *found = calloc(count, sizeof *found);
    if (!found)
        return;
    int ranks[ADAPTERS_MAX];
    count = wgpuInstanceEnumerateAdapters(system->instance, &options, found);
    for (size_t i = 0; i < count; i++) {
        if (system->count < ADAPTERS_MAX)
            insert_adapter(system, ranks, found[i]);
        else
            wgpuAdapterRelease(found[i]);
    }
    free(found);
}

static WGPUInstance create_instance(WGPUInstanceBackend backends)
{
    WGPUInstanceExtras extras = {
        .chain = {.sType = (WGPUSType)WGPUSType_InstanceExtras},
        .backends = backends,
    };
    WGPUInstanceDescriptor desc = WGPU_INSTANCE_DESCRIPTOR_INIT;
    desc.nextInChain = &extras.chain;
    return wgpuCreateInstance(&desc);
}

static void try_backends(struct gpu_system *system, WGPUInstanceBackend backends)
{
    if (system->instance)
        wgpuInstanceRelease(system->instance);
    system->instance = create_instance(backends);
    if (system->instance)
        list_adapters(system, backends);
}

struct gpu_system *gpu_system_open(enum gpu_scope scope, char *error, size_t error_bytes)
{
    struct gpu_system *system = calloc(1, sizeof *system);
    if (!system) {
        snprintf(error, error_bytes, "out of memory while listing the GPU adapters");
        return NULL;
    }
    if (scope == GPU_SCOPE_PREFERRED)
        try_backends(system, WGPUInstanceBackend_Primary);
    if (system->count == 0)
        try_backends(system, WGPUInstanceBackend_Primary | WGPUInstanceBackend_Secondary);
    if (system->count > 0)
        return system;
    snprintf(error, error_bytes,
             "no GPU adapter found: neither a Vulkan nor an OpenGL driver answers; install one "
             "(Debian: apt install mesa-vulkan-drivers, which also renders without a GPU)");
    gpu_system_close(system);
    return NULL;
}

void gpu_system_close(struct gpu_system *system)
{
    if (!system)
        return;
    for (uint32_t i = 0; i < system->count; i++)
        wgpuAdapterRelease(system->adapters[i]);
    if (system->instance)
        wgpuInstanceRelease(system->instance);
    free(system);
}

uint32_t gpu_system_count(const struct gpu_system *system)
{
    return system->count;
}

const struct gpu_adapter_info *gpu_system_adapter(const struct gpu_system *system, uint32_t index)
{
    return &system->infos[index];
}

static bool contains_ignoring_case(const char *text, const char *part)
{
    size_t length = strlen(part);
    for (; strlen(text) >= length; text++) {
        size_t i = 0;
        while (i < length && tolower((unsigned char)text[i]) == tolower((unsigned char)part[i]))
            i++;
        if (i == length)
            return true;
    }
    return false;
}

static void explain_no_match(const struct gpu_system *system, const char *text, char *error,
                             size_t error_bytes)
{
    int written = snprintf(error, error_bytes, "no adapter matches \"%s\"; there is", text);
    for (uint32_t i = 0; i < system->count; i++) {
        if (written < 0 || (size_t)written >= error_bytes)
            return;
        const struct gpu_adapter_info *info = &system->infos[i];
        int more = snprintf(error + written, error_bytes - (size_t)written, "%s \"%s\" (%s)",
                            i == 0 ? "" : ",", info->name, info->backend);
        written = more < 0 ? -1 : written + more;
    }
}

bool gpu_system_find(const struct gpu_system *system, const char *text, uint32_t *index,
                     char *error, size_t error_bytes)
{
    const char *wanted = text ? text : "";
    for (uint32_t i = 0; i < system->count; i++) {
        const struct gpu_adapter_info *info = &system->infos[i];
        if (contains_ignoring_case(info->name, wanted) ||
            contains_ignoring_case(info->driver, wanted) ||
            contains_ignoring_case(info->backend, wanted)) {
            *index = i;
            return true;
        }
    }
    explain_no_match(system, wanted, error, error_bytes);
    return false;
}

static void on_device(WGPURequestDeviceStatus status, WGPUDevice device, WGPUStringView message,
                      void *user, void *unused)
{
    (void)unused;
    struct device_request *request = user;
    request->done = true;
    request->device = status == WGPURequestDeviceStatus_Success ? device : NULL;
    copy_view(request->message, sizeof request->message, message);
}

static void on_error(WGPUDevice const *device, WGPUErrorType type, WGPUStringView message,
                     void *user, void *unused)
{
    (void)device;
    (void)type;
    (void)unused;
    struct gpu *gpu = user;
    /* The first error is the cause; what follows it is mostly its echo. */
    if (gpu->error_count == 0)
        copy_view(gpu->first_error, sizeof gpu->first_error, message);
    if (gpu->error_count < UINT32_MAX)
        gpu->error_count++;
}

static void on_lost(WGPUDevice const *device, WGPUDeviceLostReason reason, WGPUStringView message,
                    void *user, void *unused)
{
    (void)device;
    (void)unused;
    struct gpu *gpu = user;
    /* Our own release of the device ends it too, and is no loss. */
    if (reason == WGPUDeviceLostReason_Destroyed ||
        reason == WGPUDeviceLostReason_CallbackCancelled)
        return;
    gpu->lost = true;
    copy_view(gpu->lost_reason, sizeof gpu->lost_reason, message);
}

static void request_device(struct gpu *gpu, WGPUAdapter adapter, struct device_request *request)
{
    WGPUFeatureName features[2];
    size_t feature_count = 0;
    if (gpu->info.timestamps)
        features[feature_count++] = WGPUFeatureName_TimestampQuery;
    if (gpu->info.inside_passes)
        features[feature_count++] = (WGPUFeatureName)WGPUNativeFeature_TimestampQueryInsidePasses;

    /* The adapter's own limits: a small GPU may not have the default ones, a large one has more. */
    WGPULimits limits = WGPU_LIMITS_INIT;
    WGPUDeviceDescriptor desc = WGPU_DEVICE_DESCRIPTOR_INIT;
    if (wgpuAdapterGetLimits(adapter, &limits) == WGPUStatus_Success)
        desc.requiredLimits = &limits;
    desc.requiredFeatures = features;
    desc.requiredFeatureCount = feature_count;
    desc.uncapturedErrorCallbackInfo.callback = on_error;
    desc.uncapturedErrorCallbackInfo.userdata1 = gpu;
    desc.deviceLostCallbackInfo.mode = WGPUCallbackMode_AllowProcessEvents;
    desc.deviceLostCallbackInfo.callback = on_lost;
    desc.deviceLostCallbackInfo.userdata1 = gpu;
    WGPURequestDeviceCallbackInfo callback = WGPU_REQUEST_DEVICE_CALLBACK_INFO_INIT;
    callback.mode = WGPUCallbackMode_AllowProcessEvents;
    callback.callback = on_device;
    callback.userdata1 = request;
    wgpuAdapterRequestDevice(adapter, &desc, callback);
    while (!request->done)
        wgpuInstanceProcessEvents(gpu->instance);
}

struct gpu *gpu_open(struct gpu_system *system, uint32_t index, char *error, size_t error_bytes)
{
    struct gpu *gpu = calloc(1, sizeof *gpu);
    if (!gpu) {
        snprintf(error, error_bytes, "out of memory while opening a GPU device");
        return NULL;
    }
    struct device_request request = {0};
    gpu->instance = system->instance;
    gpu->info = system->infos[index];
    request_device(gpu, system->adapters[index], &request);
    if (!request.device) {
        snprintf(error, error_bytes, "adapter \"%s\" gives no device: %s; try another --adapter",
                 gpu->info.name, request.message[0] ? request.message : "no reason given");
        free(gpu);
        return NULL;
    }
    gpu->device = request.device;
    gpu->queue = wgpuDeviceGetQueue(gpu->device);
    wgpuDeviceGetLimits(gpu->device, &gpu->limits);
    gpu->timestamps = wgpuDeviceHasFeature(gpu->device, WGPUFeatureName_TimestampQuery);
    gpu->inside_passes = wgpuDeviceHasFeature(
        gpu->device, (WGPUFeatureName)WGPUNativeFeature_TimestampQueryInsidePasses);
    /* wgpu-native resolves raw ticks, never nanoseconds. */
    if (gpu->timestamps)
        gpu->tick_ns = (double)wgpuQueueGetTimestampPeriod(gpu->queue);
    return gpu;
}

void gpu_close(struct gpu *gpu)
{
    if (!gpu)
        return;
    gpu_wait(gpu);
    wgpuQueueRelease(gpu->queue);
    wgpuDeviceRelease(gpu->device);
    free(gpu);
}

void gpu_pump(struct gpu *gpu)
{
    wgpuInstanceProcessEvents(gpu->instance);
}

void gpu_wait(struct gpu *gpu)
{
    if (!gpu->lost)
        wgpuDevicePoll(gpu->device, true, NULL);
    wgpuInstanceProcessEvents(gpu->instance);
}
