/* SPDX-License-Identifier: MIT */
/* Reads any bytes as what a browser says on its debugging pipe. What the driver makes of them must
 * hold together, whatever they are. */
#include "fuzz/fuzz.h"
#include "page/state.h"

#include <stdlib.h>
#include <string.h>

static void demand(bool holds)
{
    if (!holds)
        abort();
}

static void check_realm(void *user, const struct passtime_page_realm *realm)
{
    (void)user;
    demand(realm->id > 0 && realm->kind <= PASSTIME_PAGE_REALM_SERVICE_WORKER);
    demand(realm->state > PASSTIME_PAGE_REALM_NEW && realm->state <= PASSTIME_PAGE_REALM_CRASHED);
    demand(memchr(realm->url, 0, sizeof realm->url) != NULL);
    demand(memchr(realm->text, 0, sizeof realm->text) != NULL);
}

static void check_payload(void *user, const struct passtime_page_realm *realm, const char *json,
                          size_t bytes)
{
    check_realm(user, realm);
    demand(json[bytes] == '\0');
}

static void check_console(void *user, const struct passtime_page_console *console)
{
    (void)user;
    demand(console->level <= PASSTIME_PAGE_DIALOG);
    demand(strlen(console->text) < 4096 && console->url != NULL);
}

static void check_text(void *user, const char *text)
{
    (void)user;
    demand(text != NULL);
}

static char *copy_of(const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    demand(copy != NULL);
    memcpy(copy, text, strlen(text) + 1);
    return copy;
}

/* A driver without a browser. */
static struct passtime_page *make_page(void)
{
    struct passtime_page *page = calloc(1, sizeof *page);
    demand(page != NULL);
    page->handlers = (struct passtime_page_handlers){.on_payload = check_payload,
                                                     .on_realm = check_realm,
                                                     .on_console = check_console,
                                                     .on_navigated = check_text,
                                                     .on_note = check_text};
    memcpy(page->binding, "_b", 3);
    page->script = copy_of("x");
    page->config = copy_of("");
    page->eval = copy_of("1");
    page->wait_selector = copy_of("a");
    page->command_timeout_ns = UINT64_MAX / 4;
    page->load_deadline_ns = UINT64_MAX;
    passtime_cdp_init(&page->cdp, page, passtime_page_event);
    return page;
}

static void drain(struct passtime_page *page)
{
    size_t count;
    while (passtime_cdp_waiting(&page->cdp, &count) != NULL)
        passtime_cdp_written(&page->cdp, count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct passtime_page *page = make_page();
    passtime_page_auto_attach(page, NULL, NULL, 0);
    /* In two pieces, so that messages are cut. */
    const size_t half = size / 2;
    passtime_cdp_take(&page->cdp, (const char *)data, half);
    passtime_page_look(page, 1);
    drain(page);
    passtime_cdp_take(&page->cdp, (const char *)data + half, size - half);
    passtime_page_look(page, UINT64_MAX / 2);
    drain(page);
    for (uint32_t i = 0; passtime_page_realm_at(page, i) != NULL; i++)
        check_realm(NULL, passtime_page_realm_at(page, i));
    demand(page->session_count <= PAGE_SESSIONS_MAX && page->realm_count <= PAGE_REALMS_MAX);
    passtime_page_end(&page);
    return 0;
}
