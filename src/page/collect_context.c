/* SPDX-License-Identifier: MIT */
/* One device or GL context of a page, and the context of the core that judges its frames. */
#include "page/collect_state.h"

#include <passtime/feed.h>

#include <stdlib.h>
#include <string.h>

static const int64_t hour_ns = INT64_C(3600000000000);
static const double day_ms = 86400e3;

enum { NAMES_LEAST = 512 };

static uint64_t replayed_clock(void *user)
{
    const struct passtime_collect_context *context = user;
    return context->now_ns;
}

static void copy_text(char *to, size_t bytes, const char *from)
{
    snprintf(to, bytes, "%s", from);
}

/* From the realm's times to those of the first realm, an hour later, so that none is below 0. */
static int64_t shift_of(const struct passtime_collector *collector, uint32_t realm)
{
    for (uint32_t i = 0; i < collector->realm_count; i++) {
        double apart_ms = collector->origins_ms[i] - collector->base_ms;
        if (collector->realms[i].id != realm)
            continue;
        if (!(apart_ms > -day_ms && apart_ms < day_ms))
            return hour_ns; /* Nobody's page is open for so long before its worker is made. */
        int64_t shift_ns = hour_ns + (int64_t)(apart_ms * 1e6);
        return shift_ns > 0 ? shift_ns : 0;
    }
    return hour_ns;
}

struct passtime_collect_context *
passtime_collect_context_make(struct passtime_collector *collector,
                              const struct passtime_message *message)
{
    const struct passtime_message_context *from = &message->about;
    struct passtime_collect_context *context = calloc(1, sizeof *context);
    if (!context)
        return NULL;
    struct passtime_collect_about *about = &context->about;
    context->number = message->context;
    context->valid_bits = from->valid_bits;
    context->max_passes = from->max_passes;
    context->unverified = from->unverified;
    context->shift_ns = shift_of(collector, collector->from);
    about->realm = collector->from;
    about->source = (passtime_source)from->source;
    copy_text(context->api, sizeof context->api, from->api);
    copy_text(context->adapter, sizeof context->adapter, from->adapter);
    copy_text(context->driver, sizeof context->driver, from->driver);
    copy_text(context->adapter_kind, sizeof context->adapter_kind, from->adapter_kind);
    copy_text(about->name, sizeof about->name, from->name);
    copy_text(about->reason, sizeof about->reason, from->reason);
    about->adapter.api = context->api;
    about->adapter.name = context->adapter[0] ? context->adapter : NULL;
    about->adapter.driver = context->driver[0] ? context->driver : NULL;
    about->adapter.kind = context->adapter_kind[0] ? context->adapter_kind : NULL;
    about->adapter.software = from->software;
    return context;
}

static bool make_budgets(struct passtime_collect_context *context, uint32_t count)
{
    if (count == 0 || context->budgets)
        return true;
    context->budgets = calloc(count, sizeof *context->budgets);
    for (uint32_t i = 0; i < count && context->budgets; i++)
        passtime_series_init(&context->budgets[i]);
    return context->budgets != NULL;
}

bool passtime_collect_context_open(struct passtime_collector *collector,
                                   struct passtime_collect_context *context)
{
    passtime_feed_desc feed = PASSTIME_FEED_DESC_INIT;
    passtime_desc desc = PASSTIME_DESC_INIT;
    if (context->t)
        return true;
    feed.valid_bits = context->valid_bits;
    feed.source = context->about.source;
    feed.unverified = context->unverified;
    desc.max_passes = context->max_passes;
    desc.max_recorders = PASSTIME_MESSAGE_RECORDERS_MAX;
    desc.max_names =
        context->max_passes + 16 > NAMES_LEAST ? context->max_passes + 16 : NAMES_LEAST;
    desc.max_scopes = 1;
    desc.frames_in_flight = 1; /* Each is judged before the next is begun. */
    desc.output_frames = 2;
    desc.budget_ns = collector->options.budget_ns;
    desc.seed = 1;
    desc.clock = replayed_clock;
    desc.clock_user = context;
    if (!make_budgets(context, collector->options.budget_count) ||
        passtime_create_feed(&feed, &desc, &context->t) != PASSTIME_OK) {
        collector->counts.no_memory++;
        return false;
    }
    context->about.measured = true;
    passtime_collect_file_add(collector, context);
    return true;
}

/* The sum of a budget's pass in a frame, where all of its runs are good. */
static void add_to_budget(struct passtime_series *series, const char *name,
                          const passtime_frame *frame)
{
    uint64_t sum_ns = 0;
    bool any = false, good = true;
    for (uint32_t i = 0; i < frame->sample_count; i++) {
        const passtime_sample *sample = &frame->samples[i];
        if (strcmp(sample->name, name) != 0)
            continue;
        any = true;
        good = good && passtime_is_good(sample->verdict);
        sum_ns += sample->duration_ns;
    }
    if (any && good)
        passtime_series_add(series, sum_ns, frame->number);
    else if (any)
        passtime_series_reject(series);
}

static void take_frame(struct passtime_collector *collector, uint32_t index,
                       const passtime_frame *frame)
{
    struct passtime_collect_context *context = collector->contexts[index];
    const struct passtime_collect_options *options = &collector->options;
    if (frame->fate == PASSTIME_FRAME_EMPTY)
        return;
    collector->counts.frames++;
    if (context->about.frames++ == 0)
        context->about.begun_ns = frame->cpu_begin_ns;
    context->about.seen_ns = frame->cpu_seen_ns;
    for (uint32_t i = 0; i < options->budget_count; i++)
        add_to_budget(&context->budgets[i], collector->budget_passes[i], frame);
    if (context->capture && passtime_capture_frame(context->capture, frame) == PASSTIME_IO)
        collector->file.failed = true;
    if (options->on_frame)
        options->on_frame(options->user, index, frame);
}

void passtime_collect_context_drain(struct passtime_collector *collector, uint32_t index)
{
    const passtime_frame *frame;
    while (passtime_next(collector->contexts[index]->t, &frame) == PASSTIME_OK)
        take_frame(collector, index, frame);
}

void passtime_collect_context_free(struct passtime_collect_context *context)
{
    if (!context)
        return;
    (void)passtime_capture_close(&context->capture);
    passtime_destroy(&context->t);
    passtime_slots_free(&context->slots);
    passtime_collect_names_free(&context->names);
    free(context->budgets);
    free(context);
}

size_t passtime_collect_context_bytes(const struct passtime_collect_context *context,
                                      uint32_t budgets)
{
    size_t bytes = sizeof *context + passtime_slots_bytes(&context->slots) +
                   passtime_collect_names_bytes(&context->names);
    return bytes + (context->t ? passtime_memory_bytes(context->t) : 0) +
           (context->budgets ? budgets * sizeof *context->budgets : 0);
}
