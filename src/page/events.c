/* SPDX-License-Identifier: MIT */
/* What the browser tells of its own accord. */
#include "page/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONSOLE_BYTES = 4096 };

struct event {
    struct passtime_page *page;
    struct page_session *session; /* NULL: the browser itself */
    const json_t *params;
};

static void tell(struct passtime_page *page, enum passtime_page_level level, const char *text,
                 const char *url, int64_t line)
{
    const struct passtime_page_console console = {
        .level = level,
        .text = text,
        .url = url,
        .line = line > 0 && line < INT32_MAX ? (uint32_t)line : 0};
    page->info.console_errors += level == PASSTIME_PAGE_ERROR;
    page->info.exceptions += level == PASSTIME_PAGE_EXCEPTION;
    page->info.dialogs += level == PASSTIME_PAGE_DIALOG;
    if (page->handlers.on_console)
        page->handlers.on_console(page->handlers.user, &console);
}

/* How a value of a script looks in a console, behind what `out` holds. */
static void put_value(const json_t *value, char *out, size_t bytes)
{
    const json_t *plain = json_object_get(value, "value");
    const char *text = passtime_json_text(value, "description");
    const size_t used = strlen(out);
    char number[64];
    if (json_is_string(plain)) {
        text = json_string_value(plain);
    } else if (!text[0] && json_is_number(plain)) {
        (void)snprintf(number, sizeof number, "%g", json_number_value(plain));
        text = number;
    } else if (!text[0] && json_is_boolean(plain)) {
        text = json_is_true(plain) ? "true" : "false";
    } else if (!text[0]) {
        text = passtime_json_text(value, "unserializableValue");
        if (!text[0])
            text = json_is_null(plain) ? "null" : passtime_json_text(value, "type");
    }
    if (used + 2 < bytes)
        (void)snprintf(out + used, bytes - used, "%s", used ? " " : "");
    passtime_page_copy_text(out + strlen(out), bytes - strlen(out), text);
}

static void on_console(const struct event *event)
{
    const char *type = passtime_json_text(event->params, "type");
    const json_t *arguments = json_object_get(event->params, "args");
    const json_t *frames =
        json_object_get(json_object_get(event->params, "stackTrace"), "callFrames");
    const json_t *frame = json_array_get(frames, 0);
    enum passtime_page_level level = PASSTIME_PAGE_LOG;
    char text[CONSOLE_BYTES] = "";
    size_t i;
    const json_t *value;
    if (strcmp(type, "error") == 0 || strcmp(type, "assert") == 0)
        level = PASSTIME_PAGE_ERROR;
    else if (strcmp(type, "warning") == 0)
        level = PASSTIME_PAGE_WARNING;
    json_array_foreach(arguments, i, value)
    {
        put_value(value, text, sizeof text);
    }
    tell(event->page, level, text, passtime_json_text(frame, "url"),
         frame ? passtime_json_integer(frame, "lineNumber") + 1 : 0);
}

static void on_exception(const struct event *event)
{
    const json_t *details = json_object_get(event->params, "exceptionDetails");
    const json_t *exception = json_object_get(details, "exception");
    char text[CONSOLE_BYTES] = "";
    passtime_page_copy_text(text, sizeof text, passtime_json_text(details, "text"));
    if (exception)
        put_value(exception, text, sizeof text);
    tell(event->page, PASSTIME_PAGE_EXCEPTION, text, passtime_json_text(details, "url"),
         passtime_json_integer(details, "lineNumber") + 1);
}

static void on_log(const struct event *event)
{
    const json_t *entry = json_object_get(event->params, "entry");
    const char *level = passtime_json_text(entry, "level");
    /* A worker's console comes by its own session. */
    if (strcmp(passtime_json_text(entry, "source"), "worker") == 0)
        return;
    tell(event->page,
         strcmp(level, "error") == 0     ? PASSTIME_PAGE_ERROR
         : strcmp(level, "warning") == 0 ? PASSTIME_PAGE_WARNING
                                         : PASSTIME_PAGE_LOG,
         passtime_json_text(entry, "text"), passtime_json_text(entry, "url"),
         passtime_json_integer(entry, "lineNumber"));
}

/* Nobody is there to answer. A page that asks whether it may be left is let go, all else refused.
 */
static void on_dialog(const struct event *event)
{
    const char *type = passtime_json_text(event->params, "type");
    char text[CONSOLE_BYTES];
    (void)snprintf(text, sizeof text, "%.32s: ", type);
    passtime_page_copy_text(text + strlen(text), sizeof text - strlen(text),
                            passtime_json_text(event->params, "message"));
    passtime_page_send(event->page, event->session->id, "Page.handleJavaScriptDialog",
                       json_pack("{s:b}", "accept", strcmp(type, "beforeunload") == 0), NULL, 0);
    tell(event->page, PASSTIME_PAGE_DIALOG, text, passtime_json_text(event->params, "url"), 0);
}

static void on_navigated(const struct event *event)
{
    const json_t *frame = json_object_get(event->params, "frame");
    const char *url = passtime_json_text(frame, "url");
    struct passtime_page *page = event->page;
    passtime_page_frame_url(page, passtime_json_text(frame, "id"), url);
    if (strcmp(passtime_json_text(frame, "id"), event->session->target) != 0)
        return;
    passtime_page_copy_text(event->session->url, sizeof event->session->url, url);
    if (!event->session->main || !page->navigating)
        return;
    page->info.navigations += page->navigated;
    page->navigated = true;
    if (page->handlers.on_navigated)
        page->handlers.on_navigated(page->handlers.user, url);
}

static void on_loaded(const struct event *event)
{
    if (event->session->main && event->page->navigated)
        event->page->load_fired = true;
}

static void on_context_created(const struct event *event)
{
    passtime_page_context_created(event->page, event->session, event->params);
}

static void on_context_destroyed(const struct event *event)
{
    passtime_page_context_gone(event->page, event->session->id,
                               passtime_json_integer(event->params, "executionContextId"), false);
}

static void on_contexts_cleared(const struct event *event)
{
    passtime_page_context_gone(event->page, event->session->id, -1, false);
}

static void on_binding(const struct event *event)
{
    passtime_page_binding_called(event->page, event->session, event->params);
}

static void on_paused(const struct event *event)
{
    passtime_page_paused(event->page, event->session);
}

static void on_crashed(const struct event *event)
{
    struct passtime_page *page = event->page;
    page->info.page_crashes++;
    passtime_page_context_gone(page, event->session->id, -1, true);
    if (event->session->main)
        passtime_page_over(page, "the page's process crashed");
    else
        passtime_page_say(page, "the process of %.300s crashed", event->session->url);
}

static void on_attached(const struct event *event)
{
    passtime_page_attached(event->page, event->params);
}

static void on_detached(const struct event *event)
{
    passtime_page_detached(event->page, event->params);
}

void passtime_page_event(void *user, const char *session, const char *method, const json_t *params)
{
    static const struct {
        const char *method;
        void (*handle)(const struct event *event);
        bool of_browser; /* also without a session of ours */
    } events[] = {
        {"Runtime.bindingCalled", on_binding, false},
        {"Runtime.consoleAPICalled", on_console, false},
        {"Runtime.exceptionThrown", on_exception, false},
        {"Runtime.executionContextCreated", on_context_created, false},
        {"Runtime.executionContextDestroyed", on_context_destroyed, false},
        {"Runtime.executionContextsCleared", on_contexts_cleared, false},
        {"Log.entryAdded", on_log, false},
        {"Page.frameNavigated", on_navigated, false},
        {"Page.javascriptDialogOpening", on_dialog, false},
        {"Page.loadEventFired", on_loaded, false},
        {"Debugger.paused", on_paused, false},
        {"Inspector.targetCrashed", on_crashed, false},
        {"Target.attachedToTarget", on_attached, true},
        {"Target.detachedFromTarget", on_detached, true},
    };
    struct passtime_page *page = user;
    const struct event event = {page, passtime_page_session(page, session), params};
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++) {
        if (strcmp(method, events[i].method) != 0)
            continue;
        if (events[i].of_browser || event.session)
            events[i].handle(&event);
        return;
    }
}
