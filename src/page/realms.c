/* SPDX-License-Identifier: MIT */
/* Documents and workers: which there are, and whether the script has spoken in them. */
#include "page/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "port/port.h"

/* A realm is told of once its script has spoken, or has not for too long: a document that only
 * lives until the next one comes is none. */
static void tell(struct passtime_page *page, struct passtime_page_realm *realm)
{
    if (page->handlers.on_realm && realm->state != PASSTIME_PAGE_REALM_NEW)
        page->handlers.on_realm(page->handlers.user, realm);
}

void passtime_page_realm_state(struct passtime_page *page, struct passtime_page_realm *realm,
                               enum passtime_page_realm_state state, const char *text)
{
    realm->state = state;
    passtime_page_copy_text(realm->text, sizeof realm->text, text);
    tell(page, realm);
}

static void not_main_any_more(struct passtime_page *page)
{
    for (uint32_t i = 0; i < page->realm_count; i++) {
        if (!page->realms[i]->shown.main)
            continue;
        page->realms[i]->shown.main = false;
        tell(page, &page->realms[i]->shown);
    }
}

/* The place of a realm that nobody was told of and that is over, or a new one. */
static struct page_realm *take_place(struct passtime_page *page)
{
    for (uint32_t i = 0; i < page->realm_count; i++) {
        struct page_realm *old = page->realms[i];
        if (old->shown.ended && old->shown.state == PASSTIME_PAGE_REALM_NEW) {
            page->realm_count--;
            memmove(&page->realms[i], &page->realms[i + 1],
                    (page->realm_count - i) * sizeof page->realms[0]);
            page->realms[page->realm_count++] = old;
            return old;
        }
    }
    struct page_realm *realm = page->realm_count < PAGE_REALMS_MAX ? malloc(sizeof *realm) : NULL;
    if (realm)
        page->realms[page->realm_count++] = realm;
    else
        page->info.realms_left_out++;
    return realm;
}

struct page_realm *passtime_page_realm_add(struct passtime_page *page,
                                           const struct page_session *session, int64_t context,
                                           enum passtime_page_realm_kind kind, const char *url)
{
    struct page_realm *realm = take_place(page);
    if (!realm)
        return NULL;
    memset(realm, 0, sizeof *realm);
    realm->shown.id = ++page->realm_total;
    realm->shown.kind = kind;
    realm->context = context;
    realm->seen_ns = passtime_port_now_ns();
    (void)snprintf(realm->session, sizeof realm->session, "%s", session->id);
    passtime_page_copy_text(realm->shown.url, sizeof realm->shown.url, url);
    if (session->main && kind == PASSTIME_PAGE_REALM_PAGE) {
        not_main_any_more(page);
        realm->shown.main = true;
    }
    return realm;
}

static struct page_realm *find(struct passtime_page *page, const char *session, int64_t context)
{
    for (uint32_t i = page->realm_count; i > 0; i--) {
        struct page_realm *realm = page->realms[i - 1];
        if (!realm->shown.ended && realm->context == context &&
            strcmp(realm->session, session) == 0)
            return realm;
    }
    return NULL;
}

static void end(struct passtime_page *page, struct page_realm *realm, bool crashed)
{
    realm->shown.ended = true;
    if (crashed && realm->shown.state != PASSTIME_PAGE_REALM_NEW)
        passtime_page_realm_state(page, &realm->shown, PASSTIME_PAGE_REALM_CRASHED,
                                  "its process crashed");
    else
        tell(page, &realm->shown);
}

void passtime_page_frame_url(struct passtime_page *page, const char *frame, const char *url)
{
    struct page_document *document = &page->documents[page->document_next++ % PAGE_DOCUMENTS];
    passtime_page_copy_text(document->frame, sizeof document->frame, frame);
    passtime_page_copy_text(document->url, sizeof document->url, url);
}

static const char *url_of_frame(const struct passtime_page *page, const char *frame)
{
    for (uint32_t i = 1; i <= PAGE_DOCUMENTS && i <= page->document_next; i++) {
        const struct page_document *document =
            &page->documents[(page->document_next - i) % PAGE_DOCUMENTS];
        if (frame[0] && strcmp(document->frame, frame) == 0)
            return document->url;
    }
    return NULL;
}

void passtime_page_context_created(struct passtime_page *page, struct page_session *session,
                                   const json_t *params)
{
    const json_t *context = json_object_get(params, "context");
    const json_t *more = json_object_get(context, "auxData");
    const int64_t number = passtime_json_integer(context, "id");
    enum passtime_page_realm_kind kind = (enum passtime_page_realm_kind)session->kind;
    if (!session->listening)
        return;
    if (session->kind <= PAGE_TARGET_FRAME) {
        /* The worlds of the browser's own scripts are none of the page's. */
        if (!passtime_json_true(more, "isDefault"))
            return;
        if (strcmp(passtime_json_text(more, "frameId"), session->target) != 0)
            kind = PASSTIME_PAGE_REALM_FRAME;
    }
    /* The same number again is another one after a change of process. */
    struct page_realm *old = find(page, session->id, number);
    if (old)
        end(page, old, false);
    const char *url = url_of_frame(page, passtime_json_text(more, "frameId"));
    if (!url)
        url = session->kind > PAGE_TARGET_FRAME ? session->url
                                                : passtime_json_text(context, "origin");
    struct page_realm *realm = passtime_page_realm_add(page, session, number, kind, url);
    if (realm && session->kind > PAGE_TARGET_FRAME)
        session->realm = &realm->shown;
}

void passtime_page_context_gone(struct passtime_page *page, const char *session, int64_t context,
                                bool crashed)
{
    for (uint32_t i = 0; i < page->realm_count; i++) {
        struct page_realm *realm = page->realms[i];
        if (!realm->shown.ended && strcmp(realm->session, session) == 0 &&
            (context < 0 || realm->context == context))
            end(page, realm, crashed);
    }
}

void passtime_page_binding_called(struct passtime_page *page, struct page_session *session,
                                  const json_t *params)
{
    const json_t *payload = json_object_get(params, "payload");
    const int64_t context = passtime_json_integer(params, "executionContextId");
    if (strcmp(passtime_json_text(params, "name"), page->binding) != 0 ||
        !json_is_string(payload)) {
        page->bad_events++;
        return;
    }
    struct page_realm *realm = find(page, session->id, context);
    /* The empty document that the browser began with, or a world that is none of the page's. */
    if (!realm)
        return;
    realm->shown.payloads++;
    if (realm->shown.state != PASSTIME_PAGE_REALM_HOOKED)
        passtime_page_realm_state(page, &realm->shown, PASSTIME_PAGE_REALM_HOOKED, "");
    if (page->handlers.on_payload)
        page->handlers.on_payload(page->handlers.user, &realm->shown, json_string_value(payload),
                                  json_string_length(payload));
}

void passtime_page_realms_look(struct passtime_page *page, uint64_t silent_ns)
{
    const uint64_t now_ns = passtime_port_now_ns();
    for (uint32_t i = 0; i < page->realm_count; i++) {
        struct page_realm *realm = page->realms[i];
        if (realm->shown.state == PASSTIME_PAGE_REALM_NEW && !realm->shown.ended &&
            now_ns - realm->seen_ns >= silent_ns)
            passtime_page_realm_state(page, &realm->shown, PASSTIME_PAGE_REALM_NOT_HOOKED,
                                      "the script that measures did not run there");
    }
}

void passtime_page_realms_free(struct passtime_page *page)
{
    for (uint32_t i = 0; i < page->realm_count; i++)
        free(page->realms[i]);
    page->realm_count = 0;
}

const struct passtime_page_realm *passtime_page_realm_at(const struct passtime_page *page,
                                                         uint32_t index)
{
    for (uint32_t i = 0; i < page->realm_count; i++) {
        const struct passtime_page_realm *realm = &page->realms[i]->shown;
        if (realm->state != PASSTIME_PAGE_REALM_NEW && index-- == 0)
            return realm;
    }
    return NULL;
}
