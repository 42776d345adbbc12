/* SPDX-License-Identifier: MIT */
/* The collector: which message is for which context, and what is known of the realms. */
#include "page/collect_state.h"

#include <passtime/feed.h>

#include <stdlib.h>
#include <string.h>

static bool copy_options(struct passtime_collector *collector,
                         const struct passtime_collect_options *options)
{
    collector->options = *options;
    if (options->budget_count > PASSTIME_COLLECT_BUDGETS_MAX)
        collector->options.budget_count = PASSTIME_COLLECT_BUDGETS_MAX;
    for (uint32_t i = 0; i < collector->options.budget_count; i++) {
        size_t bytes = strlen(options->budget_passes[i]) + 1;
        collector->budget_passes[i] = malloc(bytes);
        if (!collector->budget_passes[i])
            return false;
        memcpy(collector->budget_passes[i], options->budget_passes[i], bytes);
    }
    collector->options.budget_passes = NULL;
    collector->options.capture_path = NULL;
    if (!options->capture_path)
        return true;
    collector->file.path = malloc(strlen(options->capture_path) + 1);
    if (collector->file.path)
        strcpy(collector->file.path, options->capture_path);
    return collector->file.path != NULL;
}

struct passtime_collector *passtime_collector_make(const struct passtime_collect_options *options)
{
    struct passtime_collector *collector = calloc(1, sizeof *collector);
    if (collector)
        collector->reader = passtime_message_reader_make();
    if (!collector || !collector->reader || !copy_options(collector, options)) {
        (void)passtime_collector_end(&collector);
        return NULL;
    }
    return collector;
}

bool passtime_collector_end(struct passtime_collector **owner)
{
    struct passtime_collector *collector = *owner;
    *owner = NULL;
    if (!collector)
        return true;
    bool written = passtime_collect_file_end(collector);
    for (uint32_t i = 0; i < collector->context_count; i++)
        passtime_collect_context_free(collector->contexts[i]);
    for (uint32_t i = 0; i < collector->options.budget_count; i++)
        free(collector->budget_passes[i]);
    passtime_message_reader_free(collector->reader);
    free(collector);
    return written;
}

static void count_fault(struct passtime_collector *collector, const char *text)
{
    if (collector->counts.malformed++ == 0)
        snprintf(collector->counts.first_fault, sizeof collector->counts.first_fault, "%s", text);
}

static struct passtime_collect_realm *realm_of(struct passtime_collector *collector, uint32_t id)
{
    for (uint32_t i = 0; i < collector->realm_count; i++) {
        if (collector->realms[i].id == id)
            return &collector->realms[i];
    }
    if (collector->realm_count == PASSTIME_COLLECT_REALMS_MAX)
        return NULL;
    struct passtime_collect_realm *realm = &collector->realms[collector->realm_count];
    collector->origins_ms[collector->realm_count++] = collector->base_ms;
    realm->id = id;
    return realm;
}

static void take_hello(struct passtime_collector *collector,
                       const struct passtime_message_hello *hello)
{
    struct passtime_collect_realm *realm = realm_of(collector, collector->from);
    if (!realm)
        return;
    if (!collector->has_base)
        collector->base_ms = hello->origin_ms;
    collector->has_base = true;
    collector->origins_ms[realm - collector->realms] = hello->origin_ms;
    snprintf(realm->url, sizeof realm->url, "%s", hello->url);
    snprintf(realm->kind, sizeof realm->kind, "%s", hello->kind);
    snprintf(realm->webgpu, sizeof realm->webgpu, "%s", hello->webgpu);
    snprintf(realm->webgl, sizeof realm->webgl, "%s", hello->webgl);
    snprintf(realm->text, sizeof realm->text, "%s", hello->text);
}

static uint32_t index_of(const struct passtime_collector *collector, uint32_t number)
{
    for (uint32_t i = 0; i < collector->context_count; i++) {
        const struct passtime_collect_context *context = collector->contexts[i];
        if (context->about.realm == collector->from && context->number == number)
            return i;
    }
    return PASSTIME_NONE;
}

/* A place for another context: a new one, or that of one that is gone and measured nothing. */
static uint32_t place_for(const struct passtime_collector *collector)
{
    if (collector->context_count < PASSTIME_COLLECT_CONTEXTS_MAX)
        return collector->context_count;
    for (uint32_t i = 0; i < collector->context_count; i++) {
        if (collector->contexts[i]->about.gone && !collector->contexts[i]->about.measured)
            return i;
    }
    return PASSTIME_NONE;
}

static void add_context(struct passtime_collector *collector,
                        const struct passtime_message *message)
{
    uint32_t place = place_for(collector);
    if (index_of(collector, message->context) != PASSTIME_NONE) {
        count_fault(collector, "a context that was told before");
        return;
    }
    if (place == PASSTIME_NONE) {
        collector->counts.contexts_left_out++;
        return;
    }
    struct passtime_collect_context *context = passtime_collect_context_make(collector, message);
    if (!context) {
        collector->counts.no_memory++;
        return;
    }
    if (place < collector->context_count)
        passtime_collect_context_free(collector->contexts[place]);
    else
        collector->context_count++;
    collector->contexts[place] = context;
}

/* The frames of the warm-up are forgotten once another one follows. */
static void end_warmup(struct passtime_collector *collector,
                       struct passtime_collect_context *context)
{
    uint64_t warmup = collector->options.warmup_frames;
    if (context->warm || warmup == 0 || context->about.frames < warmup)
        return;
    context->warm = true;
    context->about.warmup = context->about.frames;
    context->about.frames = 0;
    passtime_reset_stats(context->t);
    for (uint32_t i = 0; i < collector->options.budget_count; i++)
        passtime_series_init(&context->budgets[i]);
}

static bool is_full(const struct passtime_collector *collector,
                    const struct passtime_collect_context *context)
{
    bool warm = context->warm || collector->options.warmup_frames == 0;
    return warm && collector->options.frames != 0 &&
           context->about.frames >= collector->options.frames;
}

static void take_frame(struct passtime_collector *collector, uint32_t index,
                       const struct passtime_message_frame *frame)
{
    struct passtime_collect_context *context = collector->contexts[index];
    if (is_full(collector, context) || !passtime_collect_context_open(collector, context))
        return;
    if (frame->pass_count > 0)
        end_warmup(collector, context);
    if (!passtime_collect_replay(collector, context, frame))
        collector->counts.frames_refused++;
    passtime_collect_context_drain(collector, index);
}

static void take_skip(struct passtime_collector *collector,
                      struct passtime_collect_context *context, enum passtime_message_why why)
{
    if (is_full(collector, context) || !passtime_collect_context_open(collector, context))
        return;
    (void)passtime_feed_skip(context->t, why == PASSTIME_MESSAGE_FULL ? PASSTIME_FRAME_SKIPPED_FULL
                                         : why == PASSTIME_MESSAGE_WARMUP
                                             ? PASSTIME_FRAME_SKIPPED_WARMUP
                                             : PASSTIME_FRAME_SKIPPED_LOST);
}

static void take_name(struct passtime_collector *collector,
                      struct passtime_collect_context *context,
                      const struct passtime_message *message)
{
    if (!passtime_collect_names_add(&context->names, message->name, message->text))
        collector->counts.no_memory++;
}

static void take_of_context(struct passtime_collector *collector,
                            const struct passtime_message *message)
{
    uint32_t index = index_of(collector, message->context);
    if (index == PASSTIME_NONE) {
        if (collector->counts.contexts_left_out == 0)
            count_fault(collector, "a message of a context that was not told before");
        return;
    }
    struct passtime_collect_context *context = collector->contexts[index];
    switch (message->kind) {
    case PASSTIME_MESSAGE_NAME:
        take_name(collector, context, message);
        break;
    case PASSTIME_MESSAGE_FRAME:
        take_frame(collector, index, &message->frame);
        break;
    case PASSTIME_MESSAGE_SKIP:
        take_skip(collector, context, message->why);
        break;
    case PASSTIME_MESSAGE_GONE:
        context->about.gone = true;
        break;
    default:
        context->about.lost = message->kind == PASSTIME_MESSAGE_LOST;
        break;
    }
}

static void take_message(void *user, const struct passtime_message *message)
{
    struct passtime_collector *collector = user;
    struct passtime_collect_realm *realm;
    switch (message->kind) {
    case PASSTIME_MESSAGE_HELLO:
        take_hello(collector, &message->hello);
        break;
    case PASSTIME_MESSAGE_CONTEXT:
        add_context(collector, message);
        break;
    case PASSTIME_MESSAGE_TICK:
        realm = realm_of(collector, collector->from);
        if (realm)
            realm->animation_frames += message->number;
        break;
    case PASSTIME_MESSAGE_NOTE:
        if (collector->options.on_note)
            collector->options.on_note(collector->options.user, collector->from, message->text);
        break;
    default:
        take_of_context(collector, message);
        break;
    }
}

void passtime_collector_take(struct passtime_collector *collector, uint32_t realm, const char *json,
                             size_t bytes)
{
    collector->from = realm;
    struct passtime_message_faults faults =
        passtime_messages_read(collector->reader, json, bytes, take_message, collector);
    collector->counts.unknown += faults.unknown;
    if (faults.malformed > 0) {
        count_fault(collector, faults.first);
        collector->counts.malformed += faults.malformed - 1;
    }
}

uint32_t passtime_collector_contexts(const struct passtime_collector *collector)
{
    return collector->context_count;
}

const struct passtime_collect_about *
passtime_collector_about(const struct passtime_collector *collector, uint32_t context)
{
    return context < collector->context_count ? &collector->contexts[context]->about : NULL;
}

static bool is_counting(const struct passtime_collector *collector, uint32_t index)
{
    return collector->contexts[index]->warm || collector->options.warmup_frames == 0;
}

uint32_t passtime_collector_busiest(const struct passtime_collector *collector)
{
    uint32_t best = PASSTIME_NONE;
    for (uint32_t i = 0; i < collector->context_count; i++) {
        const struct passtime_collect_about *about = &collector->contexts[i]->about;
        const struct passtime_collect_about *most =
            best != PASSTIME_NONE ? &collector->contexts[best]->about : NULL;
        if (about->frames > 0 &&
            (!most || about->frames + about->warmup > most->frames + most->warmup))
            best = i;
    }
    return best;
}

uint64_t passtime_collector_most_frames(const struct passtime_collector *collector)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < collector->context_count; i++) {
        uint64_t frames = collector->contexts[i]->about.frames;
        if (is_counting(collector, i) && frames > most)
            most = frames;
    }
    return most;
}

passtime_result passtime_collector_snapshot(struct passtime_collector *collector, uint32_t context,
                                            struct passtime_snapshot *out)
{
    memset(out, 0, sizeof *out);
    if (context >= collector->context_count || !collector->contexts[context]->t)
        return PASSTIME_INVALID;
    const struct passtime_collect_context *from = collector->contexts[context];
    return passtime_snapshot_take(from->t, &from->about.adapter, out);
}

/* Do frames keep step with the steps of the stamps? Then the core says so of each series. */
static bool is_locked(passtime *t)
{
    passtime_series_info info;
    for (uint32_t i = 0; i < passtime_series_count(t); i++) {
        if (passtime_series(t, i, &info) == PASSTIME_OK &&
            (info.stats.flags & PASSTIME_STATS_LOCKED) != 0)
            return true;
    }
    return false;
}

bool passtime_collector_budget(struct passtime_collector *collector, uint32_t context,
                               uint32_t budget, passtime_stats *out)
{
    memset(out, 0, sizeof *out);
    if (context >= collector->context_count || budget >= collector->options.budget_count ||
        !collector->contexts[context]->budgets)
        return false;
    const struct passtime_collect_context *from = collector->contexts[context];
    passtime_clock_info clock;
    bool stamps = from->about.source == PASSTIME_GPU_STAMPS;
    if (passtime_get_clock(from->t, &clock) != PASSTIME_OK)
        return false;
    passtime_series_summary(&from->budgets[budget], stamps ? clock.quantum_ns : 1, out);
    if (stamps && is_locked(from->t))
        passtime_stats_lock(out);
    return out->count > 0;
}

const struct passtime_collect_realm *
passtime_collector_realm(const struct passtime_collector *collector, uint32_t id)
{
    for (uint32_t i = 0; i < collector->realm_count; i++) {
        if (collector->realms[i].id == id)
            return &collector->realms[i];
    }
    return NULL;
}

const struct passtime_collect_counts *
passtime_collector_counts(const struct passtime_collector *collector)
{
    return &collector->counts;
}

size_t passtime_collector_bytes(const struct passtime_collector *collector)
{
    size_t bytes = sizeof *collector;
    for (uint32_t i = 0; i < collector->context_count; i++)
        bytes +=
            passtime_collect_context_bytes(collector->contexts[i], collector->options.budget_count);
    return bytes;
}
