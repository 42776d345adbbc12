/* SPDX-License-Identifier: MIT */
/* Targets come and go: each is prepared before its first script runs. */
#include "page/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a reply to the preparation of a session is about; the session's number is in the tag. */
enum { STAGE_SCRIPT = 0, STAGE_RUN = 1, STAGE_BREAK = 2, STAGE_EVALUATE = 3, STAGE_COUNT = 4 };

static enum page_target target_of(const char *type)
{
    static const struct {
        const char *type;
        enum page_target kind;
    } types[] = {
        {"page", PAGE_TARGET_PAGE},
        {"iframe", PAGE_TARGET_FRAME},
        {"worker", PAGE_TARGET_WORKER},
        {"shared_worker", PAGE_TARGET_SHARED_WORKER},
        {"service_worker", PAGE_TARGET_SERVICE_WORKER},
    };
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(type, types[i].type) == 0)
            return types[i].kind;
    }
    return PAGE_TARGET_OTHER;
}

struct page_session *passtime_page_session(struct passtime_page *page, const char *id)
{
    for (uint32_t i = 0; i < page->session_count; i++) {
        if (strcmp(page->sessions[i]->id, id) == 0)
            return page->sessions[i];
    }
    return NULL;
}

struct page_session *passtime_page_main(struct passtime_page *page)
{
    for (uint32_t i = 0; i < page->session_count; i++) {
        if (page->sessions[i]->main)
            return page->sessions[i];
    }
    return NULL;
}

static struct page_session *session_by_number(struct passtime_page *page, uint32_t number)
{
    for (uint32_t i = 0; i < page->session_count; i++) {
        if (page->sessions[i]->number == number)
            return page->sessions[i];
    }
    return NULL;
}

void passtime_page_sessions_free(struct passtime_page *page)
{
    for (uint32_t i = 0; i < page->session_count; i++)
        free(page->sessions[i]);
    page->session_count = 0;
}

static uint64_t tag_of(const struct page_session *session, uint32_t stage)
{
    return (uint64_t)session->number * STAGE_COUNT + stage;
}

void passtime_page_auto_attach(struct passtime_page *page, const char *session,
                               cdp_on_reply on_reply, uint64_t tag)
{
    passtime_page_send(
        page, session, "Target.setAutoAttach",
        json_pack("{s:b,s:b,s:b}", "autoAttach", 1, "waitForDebuggerOnStart", 1, "flatten", 1),
        on_reply, tag);
}

/* A worker that could not be prepared is a realm all the same. */
static void worker_failed(struct passtime_page *page, struct page_session *session,
                          const char *text)
{
    if (!session->realm) {
        struct page_realm *realm = passtime_page_realm_add(
            page, session, -1, (enum passtime_page_realm_kind)session->kind, session->url);
        session->realm = realm ? &realm->shown : NULL;
    }
    if (session->realm && session->realm->state != PASSTIME_PAGE_REALM_HOOKED)
        passtime_page_realm_state(page, session->realm, PASSTIME_PAGE_REALM_NOT_HOOKED, text);
}

/* Disabling the debugger resumes what it paused, and one that stayed would slow the worker's code.
 * The two as two commands crash the browser's process now and then, in a module's worker always. */
static void let_go(struct passtime_page *page, const struct page_session *session)
{
    passtime_page_send(page, session->id, "Debugger.disable", NULL, NULL, 0);
}

static void on_prepared(void *user, const struct cdp_reply *reply)
{
    struct passtime_page *page = user;
    struct page_session *session = session_by_number(page, (uint32_t)(reply->tag / STAGE_COUNT));
    const uint32_t stage = (uint32_t)(reply->tag % STAGE_COUNT);
    char text[PASSTIME_PAGE_TEXT_BYTES];
    if (!session)
        return;
    const json_t *thrown = json_object_get(reply->result, "exceptionDetails");
    if (stage == STAGE_SCRIPT && session->main && !reply->result)
        passtime_page_over(page, "the browser does not take the script that measures: %s",
                           reply->error);
    else if (stage == STAGE_RUN && session->main && !reply->result)
        passtime_page_over(page, "the browser does not let its page run: %s", reply->error);
    else if (stage == STAGE_RUN && session->main)
        passtime_page_navigate(page);
    else if (stage == STAGE_BREAK && !reply->result)
        worker_failed(page, session, reply->error);
    if (stage != STAGE_EVALUATE)
        return;
    if (reply->result && !thrown)
        return;
    const char *why = reply->result
                          ? passtime_json_text(json_object_get(thrown, "exception"), "description")
                          : reply->error;
    (void)snprintf(text, sizeof text, "the script that measures failed there: %.400s", why);
    worker_failed(page, session, text);
}

static void prepare_document(struct passtime_page *page, struct page_session *session)
{
    const char *id = session->id;
    char *script = passtime_page_script_for(page, session);
    passtime_page_send(page, id, "Page.enable", NULL, NULL, 0);
    passtime_page_send(page, id, "Inspector.enable", NULL, NULL, 0);
    passtime_page_send(page, id, "Log.enable", NULL, NULL, 0);
    passtime_page_send(page, id, "Runtime.enable", NULL, NULL, 0);
    passtime_page_send(page, id, "Runtime.addBinding", json_pack("{s:s}", "name", page->binding),
                       NULL, 0);
    /* A window that the page opens may be written into before it ever navigates. */
    passtime_page_send(page, id, "Page.addScriptToEvaluateOnNewDocument",
                       json_pack("{s:s*,s:b}", "source", script, "runImmediately",
                                 session->kind == PAGE_TARGET_PAGE && !session->main),
                       on_prepared, tag_of(session, STAGE_SCRIPT));
    free(script);
    passtime_page_auto_attach(page, id, NULL, 0);
    passtime_page_send(page, id, "Runtime.runIfWaitingForDebugger", NULL, on_prepared,
                       tag_of(session, STAGE_RUN));
}

static void prepare_worker(struct passtime_page *page, const struct page_session *session)
{
    const char *id = session->id;
    passtime_page_send(page, id, "Runtime.enable", NULL, NULL, 0);
    passtime_page_send(page, id, "Runtime.addBinding", json_pack("{s:s}", "name", page->binding),
                       NULL, 0);
    /* When it is attached to, a worker has no WebGPU yet: it is caught before its first script. */
    passtime_page_send(page, id, "Debugger.enable", NULL, NULL, 0);
    passtime_page_send(page, id, "Debugger.setInstrumentationBreakpoint",
                       json_pack("{s:s}", "instrumentation", "beforeScriptExecution"), on_prepared,
                       tag_of(session, STAGE_BREAK));
    passtime_page_auto_attach(page, id, NULL, 0);
    passtime_page_send(page, id, "Runtime.runIfWaitingForDebugger", NULL, NULL, 0);
}

void passtime_page_paused(struct passtime_page *page, struct page_session *session)
{
    if (!session->hooked) {
        char *script = passtime_page_script_for(page, session);
        session->hooked = true;
        passtime_page_send(page, session->id, "Runtime.evaluate",
                           json_pack("{s:s*,s:b}", "expression", script, "returnByValue", 1),
                           on_prepared, tag_of(session, STAGE_EVALUATE));
        free(script);
    }
    let_go(page, session);
}

static bool is_known_target(struct passtime_page *page, const char *target)
{
    for (uint32_t i = 0; i < page->session_count; i++) {
        if (strcmp(page->sessions[i]->target, target) == 0)
            return true;
    }
    return false;
}

/* What is not ours to look at must still run. */
static void let_run(struct passtime_page *page, const char *session, bool stay)
{
    passtime_page_send(page, session, "Runtime.runIfWaitingForDebugger", NULL, NULL, 0);
    if (!stay)
        passtime_page_send(page, NULL, "Target.detachFromTarget",
                           json_pack("{s:s}", "sessionId", session), NULL, 0);
}

void passtime_page_attached(struct passtime_page *page, const json_t *params)
{
    const char *id = passtime_json_text(params, "sessionId");
    const json_t *info = json_object_get(params, "targetInfo");
    const char *target = passtime_json_text(info, "targetId");
    const enum page_target kind = target_of(passtime_json_text(info, "type"));
    if (id[0] == '\0' || strlen(id) >= CDP_ID_BYTES || strlen(target) >= CDP_ID_BYTES ||
        passtime_page_session(page, id)) {
        page->bad_events++;
        return;
    }
    struct page_session *session = NULL;
    /* A target may be offered by the browser and by the page that started it. */
    const bool again = is_known_target(page, target);
    if (!again && kind != PAGE_TARGET_OTHER && page->session_count < PAGE_SESSIONS_MAX)
        session = calloc(1, sizeof *session);
    if (!session) {
        page->info.realms_left_out += !again && kind != PAGE_TARGET_OTHER;
        let_run(page, id, kind == PAGE_TARGET_OTHER);
        return;
    }
    (void)snprintf(session->id, sizeof session->id, "%s", id);
    (void)snprintf(session->target, sizeof session->target, "%s", target);
    passtime_page_copy_text(session->url, sizeof session->url, passtime_json_text(info, "url"));
    session->kind = kind;
    session->number = ++page->session_total;
    session->main = kind == PAGE_TARGET_PAGE && !page->navigating && !passtime_page_main(page);
    /* What is there before the page is none of its. */
    session->listening = page->navigating;
    page->sessions[page->session_count++] = session;
    if (kind <= PAGE_TARGET_FRAME)
        prepare_document(page, session);
    else
        prepare_worker(page, session);
}

void passtime_page_detached(struct passtime_page *page, const json_t *params)
{
    const char *id = passtime_json_text(params, "sessionId");
    for (uint32_t i = 0; i < page->session_count; i++) {
        struct page_session *session = page->sessions[i];
        if (strcmp(session->id, id) != 0)
            continue;
        const bool main = session->main;
        page->sessions[i] = page->sessions[--page->session_count];
        passtime_page_context_gone(page, session->id, -1, false);
        passtime_cdp_drop(&page->cdp, session->id, "it is gone");
        free(session);
        if (main)
            passtime_page_over(page, "the page closed itself");
        return;
    }
}
