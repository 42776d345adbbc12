/* SPDX-License-Identifier: MIT */
/* The document of a page's run: the report's, with the realms, and what the page and the browser
 * did. */
#include "cli/page.h"

#include "sink/report_document.h"

#include <string.h>

static json_t *text_json(const char *text)
{
    json_t *value = text && text[0] ? json_string(text) : NULL;
    return value ? value : json_null();
}

static json_t *count_json(uint64_t value)
{
    return json_integer((json_int_t)value);
}

static void set(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value);
}

static json_t *realm_contexts(const struct page_result *result, uint32_t realm)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < result->context_count; i++) {
        if (passtime_collector_about(result->collector, result->indices[i])->realm == realm)
            json_array_append_new(array, json_string(result->ids[i]));
    }
    return array;
}

static json_t *realm_json(const struct page_result *result, const struct passtime_page_realm *realm)
{
    const struct passtime_collect_realm *script =
        passtime_collector_realm(result->collector, realm->id);
    struct page_realm_words words = page_realm_words(result, realm);
    json_t *object = json_object();
    set(object, "id", count_json(realm->id));
    set(object, "kind", json_string(words.kind));
    set(object, "url", text_json(realm->url));
    set(object, "main", json_boolean(realm->main));
    set(object, "ended", json_boolean(realm->ended));
    set(object, "status", json_string(words.status));
    set(object, "webgpu", text_json(script ? script->webgpu : NULL));
    set(object, "webgl", text_json(script ? script->webgl : NULL));
    set(object, "text", text_json(realm->text[0] ? realm->text : script ? script->text : NULL));
    set(object, "animation_frames", script ? count_json(script->animation_frames) : json_null());
    set(object, "contexts", realm_contexts(result, realm->id));
    return object;
}

static json_t *messages_json(const struct page_result *result)
{
    static const char *const levels[] = {"log", "warning", "error", "exception", "dialog"};
    json_t *array = json_array();
    for (uint32_t i = 0; i < result->message_count; i++) {
        const struct page_message *message = &result->messages[i];
        json_t *object = json_object();
        set(object, "level", json_string(levels[message->level]));
        set(object, "text", text_json(message->text));
        set(object, "url", text_json(message->url));
        set(object, "line", message->line > 0 ? count_json(message->line) : json_null());
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *notes_json(const struct page_result *result)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < result->note_count; i++)
        json_array_append_new(array, text_json(result->notes[i]));
    return array;
}

static json_t *page_json(const struct page_job *job, const struct page_result *result)
{
    static const char *const ends[] = {"done", "idle", "too_long", "interrupted", "gone"};
    const struct passtime_page_info *info = &result->info;
    json_t *object = json_object();
    set(object, "url", text_json(info->url));
    set(object, "target", text_json(job->target));
    set(object, "end", json_string(ends[result->end]));
    set(object, "first_frame_ns",
        result->first_frame_ns > 0 ? count_json(result->first_frame_ns) : json_null());
    set(object, "loaded", json_boolean(info->loaded));
    set(object, "navigations", count_json(info->navigations));
    set(object, "console_errors", count_json(info->console_errors));
    set(object, "exceptions", count_json(info->exceptions));
    set(object, "dialogs", count_json(info->dialogs));
    set(object, "page_crashes", count_json(info->page_crashes));
    set(object, "gpu_crashes", count_json(info->gpu_crashes));
    set(object, "messages", messages_json(result));
    set(object, "messages_left_out", count_json(result->messages_left_out));
    set(object, "notes", notes_json(result));
    return object;
}

static json_t *browser_json(const struct passtime_page_info *info)
{
    json_t *object = json_object();
    set(object, "product", text_json(info->product));
    set(object, "executable", text_json(info->executable));
    set(object, "resolution",
        json_string(info->resolution == PASSTIME_PAGE_STOCK ? "stock" : "fine"));
    set(object, "software", json_boolean(info->software));
    set(object, "sandbox", json_boolean(info->sandbox));
    return object;
}

static json_t *lost_json(const struct page_result *result)
{
    const struct passtime_collect_counts *counts = passtime_collector_counts(result->collector);
    json_t *object = json_object();
    set(object, "messages_malformed", count_json(counts->malformed));
    set(object, "messages_unknown", count_json(counts->unknown));
    set(object, "first_malformed", text_json(counts->first_fault));
    set(object, "frames_refused", count_json(counts->frames_refused));
    set(object, "contexts_left_out", count_json(counts->contexts_left_out));
    set(object, "realms_left_out", count_json(result->info.realms_left_out));
    return object;
}

json_t *page_document(const struct page_job *job, const struct page_result *result)
{
    json_t *root = passtime_report_document(result->contexts, result->context_count);
    json_t *contexts = json_object_get(root, "contexts");
    for (uint32_t i = 0; i < result->context_count; i++) {
        const struct passtime_collect_about *about =
            passtime_collector_about(result->collector, result->indices[i]);
        json_t *context = json_array_get(contexts, i);
        set(context, "realm", count_json(about->realm));
        set(context, "label", text_json(about->name));
        set(context, "cpu_reason", text_json(about->reason));
        set(context, "lost", json_boolean(about->lost));
    }
    json_t *realms = json_array();
    for (uint32_t i = 0; i < result->realm_count; i++)
        json_array_append_new(realms, realm_json(result, &result->realms[i]));
    set(root, "realms", realms);
    set(root, "page", page_json(job, result));
    set(root, "browser", browser_json(&result->info));
    set(root, "left_out", lost_json(result));
    return root;
}
