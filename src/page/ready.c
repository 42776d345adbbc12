/* SPDX-License-Identifier: MIT */
/* From navigating to ready: the document, its load event, the selector, the script to run then. */
#include "page/state.h"

#include <stdio.h>
#include <string.h>

#include "port/port.h"

enum { MS = 1000000, LOOK_EVERY_MS = 100, BEATS_A_TIMEOUT = 3, SILENT_MS = 3000 };

static void on_navigate(void *user, const struct cdp_reply *reply)
{
    struct passtime_page *page = user;
    const char *text = passtime_json_text(reply->result, "errorText");
    /* A page that never answers is told of by the time limit on loading. */
    if (!reply->result && !reply->timed_out)
        passtime_page_over(page, "the page can't be opened: %s", reply->error);
    else if (text[0])
        passtime_page_over(page, "%.300s can't be opened: %.100s%s", page->info.url, text,
                           strstr(text, "CONNECTION_REFUSED") ? "; is its server running?" : "");
}

void passtime_page_navigate(struct passtime_page *page)
{
    struct page_session *session = passtime_page_main(page);
    if (page->navigating || !session)
        return;
    page->navigating = true;
    session->listening = true;
    passtime_page_send_within(page, session->id, "Page.navigate",
                              json_pack("{s:s}", "url", page->info.url), on_navigate, 0,
                              UINT64_MAX / 2);
}

static void on_status(void *user, const struct cdp_reply *reply)
{
    struct passtime_page *page = user;
    const json_t *result = json_object_get(reply->result, "result");
    const int64_t status = passtime_json_integer(result, "value");
    if (status >= 400)
        passtime_page_say(page, "the server answered %d for %.300s", (int)status, page->info.url);
}

static void on_eval(void *user, const struct cdp_reply *reply)
{
    struct passtime_page *page = user;
    const json_t *thrown = json_object_get(reply->result, "exceptionDetails");
    page->eval_done = true;
    if (reply->result && !thrown)
        return;
    const char *why = passtime_json_text(json_object_get(thrown, "exception"), "description");
    if (!reply->result)
        why = reply->error;
    else if (!why[0])
        why = passtime_json_text(thrown, "text");
    page->info.eval_failed = true;
    passtime_page_say(page, "the script to run in the page (--eval) failed: %.400s", why);
}

static void become_ready(struct passtime_page *page)
{
    struct page_session *session = passtime_page_main(page);
    page->looking = false;
    if (page->info.state != PASSTIME_PAGE_LOADING || !session)
        return;
    if (!page->eval) {
        page->info.state = PASSTIME_PAGE_READY;
    } else if (!page->eval_sent) {
        page->eval_sent = true;
        passtime_page_send(page, session->id, "Runtime.evaluate",
                           json_pack("{s:s,s:b,s:b,s:b}", "expression", page->eval, "awaitPromise",
                                     1, "userGesture", 1, "replMode", 1),
                           on_eval, 0);
    } else if (page->eval_done) {
        page->info.state = PASSTIME_PAGE_READY;
    }
}

static void on_look(void *user, const struct cdp_reply *reply)
{
    struct passtime_page *page = user;
    const json_t *result = json_object_get(reply->result, "result");
    page->looking = false;
    if (json_object_get(reply->result, "exceptionDetails")) {
        passtime_page_over(page, "'%.200s' is no CSS selector (--wait)", page->wait_selector);
        return;
    }
    page->matched |= passtime_json_true(result, "value");
}

static void look_at_selector(struct passtime_page *page)
{
    const struct page_session *session = passtime_page_main(page);
    json_t *text = json_string(page->wait_selector);
    char *quoted = text ? json_dumps(text, JSON_ENCODE_ANY | JSON_ENSURE_ASCII) : NULL;
    json_decref(text);
    if (quoted && session) {
        json_t *expression = json_sprintf("document.querySelector(%s) !== null", quoted);
        page->looking = true;
        passtime_page_send(page, session->id, "Runtime.evaluate",
                           json_pack("{s:o,s:b}", "expression", expression, "returnByValue", 1),
                           on_look, 0);
    }
    passtime_port_free(quoted);
}

/* A browser that still says something is only busy, or we were stopped for a while. */
static void on_beat(void *user, const struct cdp_reply *reply)
{
    struct passtime_page *page = user;
    if (reply->timed_out && passtime_port_now_ns() - page->heard_ns >= page->command_timeout_ns)
        passtime_page_over(page, "the browser does not answer any more");
}

static void look_at_load(struct passtime_page *page, uint64_t now_ns)
{
    const struct page_session *session = passtime_page_main(page);
    if (page->load_fired && !page->info.loaded && session) {
        page->info.loaded = true;
        passtime_page_send(
            page, session->id, "Runtime.evaluate",
            json_pack("{s:s,s:b}", "expression",
                      "performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0",
                      "returnByValue", 1),
            on_status, 0);
    }
    const bool late = now_ns >= page->load_deadline_ns;
    if (late && !page->noted_slow &&
        !(page->info.loaded && (page->matched || !page->wait_selector))) {
        page->noted_slow = true;
        if (!page->navigated)
            passtime_page_over(page, "%.300s does not answer", page->info.url);
        else if (!page->info.loaded)
            passtime_page_say(page, "the page does not end loading; it is measured as it is");
        else
            passtime_page_say(page,
                              "nothing in the page matches '%.200s' (--wait); it is measured as "
                              "it is",
                              page->wait_selector);
    }
    if (page->info.loaded && page->wait_selector && !page->matched && !page->looking && !late)
        look_at_selector(page);
    if (late || (page->info.loaded && (page->matched || !page->wait_selector)))
        become_ready(page);
}

void passtime_page_look(struct passtime_page *page, uint64_t now_ns)
{
    if (page->info.state == PASSTIME_PAGE_ENDED || !page->navigating)
        return;
    if (now_ns >= page->next_beat_ns) {
        page->next_beat_ns = now_ns + page->command_timeout_ns / BEATS_A_TIMEOUT;
        passtime_page_send(page, NULL, "Browser.getVersion", NULL, on_beat, 0);
    }
    if (now_ns < page->next_look_ns)
        return;
    page->next_look_ns = now_ns + (uint64_t)LOOK_EVERY_MS * MS;
    passtime_page_realms_look(page, (uint64_t)SILENT_MS * MS);
    if (page->info.state == PASSTIME_PAGE_LOADING)
        look_at_load(page, now_ns);
}
