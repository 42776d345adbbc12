/* SPDX-License-Identifier: MIT */
/*
 * One capture file for all contexts of a page: each is a capture of its own, and their packets go
 * into the file one behind the other, as whole packets. What tells them apart is a number that each
 * draws by chance; a number that another has already is drawn again.
 */
#include "page/collect_state.h"

#include "sink/capture.h"

#include <stdlib.h>
#include <string.h>

enum { DRAWS_MAX = 64 };

static bool write_packets(void *user, const void *data, size_t bytes)
{
    struct passtime_collect_file *file = user;
    if (!file->hold)
        return fwrite(data, 1, bytes, file->file) == bytes && fflush(file->file) == 0;
    char *held = realloc(file->held, file->held_bytes + bytes);
    if (!held)
        return false;
    memcpy(held + file->held_bytes, data, bytes);
    file->held = held;
    file->held_bytes += bytes;
    return true;
}

static bool is_drawn(const struct passtime_collector *collector, const passtime_capture *capture)
{
    for (uint32_t i = 0; i < collector->context_count; i++) {
        const passtime_capture *other = collector->contexts[i]->capture;
        if (other &&
            (other->sequence_id == capture->sequence_id || other->uuid_base == capture->uuid_base))
            return true;
    }
    return false;
}

static passtime_capture *draw(struct passtime_collector *collector,
                              const struct passtime_collect_context *context)
{
    const passtime_writer writer = {write_packets, &collector->file};
    passtime_capture_desc desc = PASSTIME_CAPTURE_DESC_INIT;
    passtime_capture *capture = NULL;
    desc.adapter = &context->about.adapter;
    desc.budget_ns = collector->options.budget_ns;
    for (int i = 0; i < DRAWS_MAX; i++) {
        collector->file.held_bytes = 0;
        if (passtime_capture_open_writer(&writer, &desc, &capture) != PASSTIME_OK)
            return NULL;
        if (!is_drawn(collector, capture))
            return capture;
        (void)passtime_capture_close(&capture);
    }
    return NULL;
}

void passtime_collect_file_add(struct passtime_collector *collector,
                               struct passtime_collect_context *context)
{
    struct passtime_collect_file *file = &collector->file;
    if (!file->path || file->failed)
        return;
    if (!file->file)
        file->file = fopen(file->path, "wb");
    if (!file->file) {
        file->failed = true;
        return;
    }
    file->hold = true;
    passtime_capture *capture = draw(collector, context);
    file->hold = false;
    if (!capture || !write_packets(file, file->held, file->held_bytes))
        file->failed = true;
    context->capture = capture;
}

bool passtime_collect_file_end(struct passtime_collector *collector)
{
    struct passtime_collect_file *file = &collector->file;
    for (uint32_t i = 0; i < collector->context_count; i++) {
        struct passtime_collect_context *context = collector->contexts[i];
        if (!context->capture)
            continue;
        if (passtime_capture_summary(context->capture, context->t) != PASSTIME_OK ||
            passtime_capture_close(&context->capture) != PASSTIME_OK)
            file->failed = true;
    }
    if (file->file && fclose(file->file) != 0)
        file->failed = true;
    file->file = NULL;
    free(file->held);
    free(file->path);
    file->held = file->path = NULL;
    return !file->failed;
}
