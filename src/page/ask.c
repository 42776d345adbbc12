/* SPDX-License-Identifier: MIT */
/* What a caller asks of the page and waits for: a flush, a value, a picture. */
#include "page/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "port/port.h"

enum { MS = 1000000 };

static void on_answer(void *user, const struct cdp_reply *reply)
{
    struct passtime_page *page = user;
    struct page_wait *wait = page->wait;
    if (!wait || reply->tag != wait->tag)
        return;
    wait->done = true;
    wait->timed_out = reply->timed_out;
    wait->result = reply->result ? json_deep_copy(reply->result) : NULL;
    passtime_page_copy_text(wait->error, sizeof wait->error, reply->error ? reply->error : "");
}

/* Asks the page itself. The result is the caller's; NULL: `wait.error` says why. */
static void ask(struct passtime_page *page, const char *method, json_t *params, uint32_t timeout_ms,
                struct page_wait *wait)
{
    const struct page_session *session = passtime_page_main(page);
    memset(wait, 0, sizeof *wait);
    if (page->info.state == PASSTIME_PAGE_ENDED || !session) {
        json_decref(params);
        passtime_page_copy_text(wait->error, sizeof wait->error,
                                page->info.ended_text[0] ? page->info.ended_text
                                                         : "there is no page");
        return;
    }
    wait->tag = ++page->waits;
    page->wait = wait;
    passtime_page_send_within(page, session->id, method, params, on_answer, wait->tag,
                              (uint64_t)timeout_ms * MS);
    while (!wait->done && page->info.state != PASSTIME_PAGE_ENDED)
        (void)passtime_page_pump(page, 50);
    page->wait = NULL;
    if (!wait->done)
        passtime_page_copy_text(wait->error, sizeof wait->error, page->info.ended_text);
}

enum passtime_page_result passtime_page_eval(struct passtime_page *page, const char *expression,
                                             uint32_t timeout_ms, char *value, size_t value_bytes)
{
    struct page_wait wait;
    enum passtime_page_result result = PASSTIME_PAGE_FAILED;
    ask(page, "Runtime.evaluate",
        json_pack("{s:s,s:b,s:b}", "expression", expression, "awaitPromise", 1, "returnByValue", 1),
        timeout_ms, &wait);
    const json_t *thrown = json_object_get(wait.result, "exceptionDetails");
    if (!wait.result) {
        passtime_page_copy_text(value, value_bytes, wait.error);
    } else if (thrown) {
        const char *text = passtime_json_text(json_object_get(thrown, "exception"), "description");
        passtime_page_copy_text(value, value_bytes,
                                text[0] ? text : passtime_json_text(thrown, "text"));
    } else {
        const json_t *given = json_object_get(json_object_get(wait.result, "result"), "value");
        char *text = given ? json_dumps(given, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
        passtime_page_copy_text(value, value_bytes, text ? text : "null");
        free(text);
        result = PASSTIME_PAGE_OK;
    }
    json_decref(wait.result);
    return result;
}

static int base64_value(char letter)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *place = letter ? strchr(letters, letter) : NULL;
    return place ? (int)(place - letters) : -1;
}

/* Writes what base64 text stands for. False: it is no such text, or the file does not take it. */
static bool write_base64(FILE *file, const char *text)
{
    uint32_t bits = 0;
    unsigned count = 0;
    for (; *text && *text != '='; text++) {
        const int value = base64_value(*text);
        if (value < 0)
            return false;
        bits = (bits << 6 | (uint32_t)value) & 0xffffff;
        count += 6;
        if (count >= 8) {
            count -= 8;
            if (fputc((int)(bits >> count & 0xff), file) == EOF)
                return false;
        }
    }
    return true;
}

enum passtime_page_result passtime_page_screenshot(struct passtime_page *page, const char *path,
                                                   uint32_t timeout_ms, char *error,
                                                   size_t error_bytes)
{
    struct page_wait wait;
    FILE *file = fopen(path, "wb");
    if (!file) {
        (void)snprintf(error, error_bytes, "%s can't be written", path);
        return PASSTIME_PAGE_WRONG_USE;
    }
    enum passtime_page_result result = PASSTIME_PAGE_FAILED;
    ask(page, "Page.captureScreenshot", json_pack("{s:s}", "format", "png"), timeout_ms, &wait);
    const char *data = passtime_json_text(wait.result, "data");
    if (!data[0])
        (void)snprintf(error, error_bytes, "the browser gives no picture of the page: %.300s",
                       wait.error);
    else if (!write_base64(file, data))
        (void)snprintf(error, error_bytes, "%s can't be written; is the disk full?", path);
    else
        result = PASSTIME_PAGE_OK;
    if (fclose(file) != 0 && result == PASSTIME_PAGE_OK) {
        (void)snprintf(error, error_bytes, "%s can't be written; is the disk full?", path);
        result = PASSTIME_PAGE_WRONG_USE;
    }
    /* No file is better than one that is no picture. */
    if (result != PASSTIME_PAGE_OK)
        (void)remove(path);
    json_decref(wait.result);
    return result;
}

static void on_flushed(void *user, const struct cdp_reply *reply)
{
    struct passtime_page *page = user;
    if (reply->tag != page->flushes)
        return;
    page->flushes_open--;
    page->flush_failed |= reply->timed_out;
}

bool passtime_page_flush(struct passtime_page *page, uint32_t timeout_ms)
{
    char expression[128];
    (void)snprintf(expression, sizeof expression, "globalThis[Symbol.for('%s')]?.()",
                   page->binding);
    page->flushes++;
    page->flushes_open = 0;
    page->flush_failed = false;
    for (uint32_t i = 0; i < page->realm_count; i++) {
        const struct page_realm *realm = page->realms[i];
        if (realm->shown.ended || realm->context < 0 || page->info.state == PASSTIME_PAGE_ENDED)
            continue;
        page->flushes_open++;
        passtime_page_send_within(page, realm->session, "Runtime.evaluate",
                                  json_pack("{s:s,s:I,s:b}", "expression", expression, "contextId",
                                            (json_int_t)realm->context, "silent", 1),
                                  on_flushed, page->flushes, (uint64_t)timeout_ms * MS);
    }
    while (page->flushes_open > 0 && page->info.state != PASSTIME_PAGE_ENDED)
        (void)passtime_page_pump(page, 50);
    /* Who has not spoken by now will not. */
    passtime_page_realms_look(page, 0);
    return page->flushes_open == 0 && !page->flush_failed;
}
