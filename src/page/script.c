/* SPDX-License-Identifier: MIT */
/* What runs in each realm: the script, called with its config. */
#include "page/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page_generated/inject.js.h"

static char *copy_of(const char *text, size_t length)
{
    char *copy = malloc(length + 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

bool passtime_page_script_prepare(struct passtime_page *page,
                                  const struct passtime_page_options *options)
{
    const char *script = options->script ? options->script : inject_js;
    const char *config = options->config ? options->config : "";
    uint8_t bytes[12];
    size_t length = strlen(script);
    /* As a part of an expression it may not end as a statement does. */
    while (length > 0 && strchr("; \t\r\n", script[length - 1]))
        length--;
    if (!passtime_random(bytes, sizeof bytes))
        return false;
    (void)snprintf(page->binding, sizeof page->binding, "_");
    for (size_t i = 0; i < sizeof bytes; i++)
        (void)snprintf(page->binding + 1 + 2 * i, 3, "%02x", (unsigned)bytes[i]);
    page->script = copy_of(script, length);
    page->config = copy_of(config, strlen(config));
    return page->script && page->config;
}

char *passtime_page_script_for(const struct passtime_page *page, const struct page_session *session)
{
    static const char *const kinds[] = {"page", "frame", "worker", "shared", "service", ""};
    const size_t bytes = strlen(page->script) + strlen(page->config) + 512;
    char *text = malloc(bytes);
    if (text)
        (void)snprintf(
            text, bytes,
            "(%s\n)({\"binding\":\"%s\",\"realm\":\"s%u\",\"kind\":\"%s\",\"fine\":%s%s%s});"
            "\n//# sourceURL=passtime-page",
            page->script, page->binding, (unsigned)session->number, kinds[session->kind],
            page->info.resolution == PASSTIME_PAGE_FINE ? "true" : "false",
            page->config[0] ? "," : "", page->config);
    return text;
}
