/* SPDX-License-Identifier: MIT */
/* A page in a browser of our own: starting, stepping and ending it. */
#include "page/state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "port/port.h"

enum { MS = 1000000, COMMAND_MS = 30000, LOAD_MS = 30000, CLOSE_MS = 3000 };

void passtime_page_copy_text(char *out, size_t out_bytes, const char *text)
{
    size_t length = strlen(text);
    if (out_bytes == 0)
        return;
    if (length >= out_bytes) {
        length = out_bytes - 1;
        while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80)
            length--;
    }
    memmove(out, text, length);
    out[length] = '\0';
}

void passtime_page_say(struct passtime_page *page, const char *format, ...)
{
    char text[PASSTIME_PAGE_TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (page->handlers.on_note)
        page->handlers.on_note(page->handlers.user, text);
}

void passtime_page_over(struct passtime_page *page, const char *format, ...)
{
    va_list arguments;
    if (page->info.state == PASSTIME_PAGE_ENDED)
        return;
    page->info.state = PASSTIME_PAGE_ENDED;
    va_start(arguments, format);
    (void)vsnprintf(page->info.ended_text, sizeof page->info.ended_text, format, arguments);
    va_end(arguments);
}

void passtime_page_send_within(struct passtime_page *page, const char *session, const char *method,
                               json_t *params, cdp_on_reply on_reply, uint64_t tag,
                               uint64_t limit_ns)
{
    const struct cdp_command command = {.session = session,
                                        .method = method,
                                        .params = params,
                                        .on_reply = on_reply,
                                        .tag = tag,
                                        .deadline_ns = passtime_port_now_ns() + limit_ns};
    passtime_cdp_send(&page->cdp, &command);
}

void passtime_page_send(struct passtime_page *page, const char *session, const char *method,
                        json_t *params, cdp_on_reply on_reply, uint64_t tag)
{
    passtime_page_send_within(page, session, method, params, on_reply, tag,
                              page->command_timeout_ns);
}

static char *copy_or_null(const char *text, bool *failed)
{
    char *copy = text ? malloc(strlen(text) + 1) : NULL;
    if (copy)
        memcpy(copy, text, strlen(text) + 1);
    *failed |= text && !copy;
    return copy;
}

static bool is_url(const char *target)
{
    static const char *const schemes[] = {
        "http://", "https://", "data:", "about:", "chrome:", "blob:"};
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
        if (strncmp(target, schemes[i], strlen(schemes[i])) == 0)
            return true;
    }
    return false;
}

static int hex(char digit)
{
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    digit = (char)(digit | 0x20);
    return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

/* The path of a file's URL; what follows it (a query) is given back. */
static const char *path_of_file_url(const char *url, char *path, size_t bytes)
{
    size_t used = 0;
    url += strlen("file://");
    if (strncmp(url, "localhost/", 10) == 0)
        url += 9;
    for (; *url && *url != '?' && *url != '#' && used + 1 < bytes; url++) {
        const int high = *url == '%' ? hex(url[1]) : -1;
        const int low = high >= 0 ? hex(url[2]) : -1;
        path[used++] = low >= 0 ? (char)(high * 16 + low) : *url;
        url += low >= 0 ? 2 : 0;
    }
    path[used] = '\0';
    return url;
}

/* What is behind a path's name for the page alone: "map.html?points=5". */
static const char *split_query(const char *target, char *path, size_t bytes)
{
    char resolved[PASSTIME_PAGE_URL_BYTES];
    passtime_page_copy_text(path, bytes, target);
    if (passtime_path_resolve(target, resolved, sizeof resolved) != PASSTIME_PATH_MISSING)
        return "";
    const size_t length = strcspn(target, "?#");
    if (length < bytes)
        path[length] = '\0';
    return target + length;
}

static enum passtime_page_result find_target(struct passtime_page *page, const char *target,
                                             char *error, size_t error_bytes)
{
    char path[SERVE_ROOT_BYTES];
    struct passtime_serve_place place;
    uint16_t port = 0;
    if (!target || target[0] == '\0') {
        (void)snprintf(error, error_bytes, "name a page: a URL, an .html file or a folder");
        return PASSTIME_PAGE_WRONG_USE;
    }
    if (is_url(target)) {
        const size_t length = strlen(target);
        passtime_page_copy_text(page->info.url, sizeof page->info.url, target);
        if (length < sizeof page->info.url)
            return PASSTIME_PAGE_OK;
        (void)snprintf(error, error_bytes, "the URL is too long: %zu bytes of at most %zu", length,
                       sizeof page->info.url - 1);
        return PASSTIME_PAGE_WRONG_USE;
    }
    const char *query = strncmp(target, "file://", 7) == 0
                            ? path_of_file_url(target, path, sizeof path)
                            : split_query(target, path, sizeof path);
    if (!passtime_serve_place(path, &place, error, error_bytes))
        return PASSTIME_PAGE_WRONG_USE;
    page->serve = passtime_serve_start(place.root, place.second, &port);
    const int length = snprintf(page->info.url, sizeof page->info.url, "http://127.0.0.1:%u%s%s",
                                (unsigned)port, place.url_path, query);
    if (page->serve && length > 0 && (size_t)length < sizeof page->info.url)
        return PASSTIME_PAGE_OK;
    (void)snprintf(error, error_bytes, "%.300s can't be served on the loopback address", target);
    return PASSTIME_PAGE_FAILED;
}

static void on_version(void *user, const struct cdp_reply *reply)
{
    struct passtime_page *page = user;
    if (!reply->result)
        passtime_page_over(page,
                           "the browser says nothing on its debugging pipe (%s); is it a Chromium?",
                           reply->error);
    passtime_page_copy_text(page->info.product, sizeof page->info.product,
                            passtime_json_text(reply->result, "product"));
    page->answered = reply->result != NULL;
}

static void on_attach(void *user, const struct cdp_reply *reply)
{
    if (!reply->result)
        passtime_page_over(user, "the browser does not let its pages be attached to: %s",
                           reply->error);
}

static void on_features(void *user, const struct cdp_reply *reply)
{
    struct passtime_page *page = user;
    const json_t *gpu = json_object_get(reply->result, "gpu");
    const char *webgpu = passtime_json_text(json_object_get(gpu, "featureStatus"), "webgpu");
    if (webgpu[0] && strncmp(webgpu, "enabled", 7) != 0 && !page->info.software)
        passtime_page_say(page,
                          "the browser says that WebGPU is %.60s here; --software takes its "
                          "software adapter, and on Linux --flag=--enable-unsafe-webgpu "
                          "--flag=--enable-features=Vulkan may help",
                          webgpu);
}

static void on_targets(void *user, const struct cdp_reply *reply)
{
    struct passtime_page *page = user;
    size_t i;
    const json_t *target;
    json_array_foreach(json_object_get(reply->result, "targetInfos"), i, target)
    {
        if (strcmp(passtime_json_text(target, "type"), "page") == 0)
            return;
    }
    /* A browser without a window is asked for one. */
    if (!passtime_page_main(page))
        passtime_page_send(page, NULL, "Target.createTarget",
                           json_pack("{s:s}", "url", "about:blank"), NULL, 0);
}

/* From a browser that runs to a page that is navigated to. */
static enum passtime_page_result connect(struct passtime_page *page, bool headed, char *error,
                                         size_t error_bytes)
{
    const uint64_t begun_ns = passtime_port_now_ns();
    bool asked = false;
    passtime_page_send(page, NULL, "Browser.getVersion", NULL, on_version, 0);
    while (page->info.state != PASSTIME_PAGE_ENDED && !page->navigating) {
        (void)passtime_page_pump(page, 50);
        if (page->answered && !asked) {
            asked = true;
            passtime_page_auto_attach(page, NULL, on_attach, 0);
            passtime_page_send(page, NULL, "Target.getTargets", NULL, on_targets, 0);
            passtime_page_send(page, NULL, "Browser.setDownloadBehavior",
                               json_pack("{s:s}", "behavior", "deny"), NULL, 0);
            passtime_page_send(page, NULL, "SystemInfo.getInfo", NULL, on_features, 0);
        }
        const uint64_t waited_ns = passtime_port_now_ns() - begun_ns;
        if (waited_ns > 2 * page->command_timeout_ns)
            passtime_page_over(page, "the browser opens no page");
        if (passtime_interrupt_pending())
            passtime_page_over(page, "interrupted before the page was opened");
    }
    if (page->navigating && page->info.state != PASSTIME_PAGE_ENDED)
        return PASSTIME_PAGE_OK;
    (void)snprintf(error, error_bytes, "%s: %s%s", page->info.executable, page->info.ended_text,
                   headed ? " (a window needs a display; leave out --headed to do without)" : "");
    return PASSTIME_PAGE_NO_BROWSER;
}

static uint64_t nanoseconds(uint32_t given_ms, uint32_t usual_ms)
{
    return (uint64_t)(given_ms ? given_ms : usual_ms) * MS;
}

static enum passtime_page_result start(struct passtime_page *page,
                                       const struct passtime_page_options *options, char *error,
                                       size_t error_bytes)
{
    bool failed = false;
    page->command_timeout_ns = nanoseconds(options->command_timeout_ms, COMMAND_MS);
    page->wait_selector = copy_or_null(options->wait_selector, &failed);
    page->eval = copy_or_null(options->eval, &failed);
    passtime_cdp_init(&page->cdp, page, passtime_page_event);
    if (failed || !passtime_page_script_prepare(page, options)) {
        (void)snprintf(error, error_bytes, "there is no memory to start with");
        return PASSTIME_PAGE_FAILED;
    }
    if (!passtime_page_find_browser(options, page->info.executable, sizeof page->info.executable,
                                    error, error_bytes))
        return options->browser ? PASSTIME_PAGE_WRONG_USE : PASSTIME_PAGE_NO_BROWSER;
    enum passtime_page_result result = find_target(page, options->target, error, error_bytes);
    if (result == PASSTIME_PAGE_OK)
        result = passtime_page_start_browser(page, options, error, error_bytes);
    if (result == PASSTIME_PAGE_OK)
        result = connect(page, options->headed, error, error_bytes);
    page->load_deadline_ns =
        passtime_port_now_ns() + nanoseconds(options->load_timeout_ms, LOAD_MS);
    return result;
}

enum passtime_page_result passtime_page_start(const struct passtime_page_options *options,
                                              const struct passtime_page_handlers *handlers,
                                              struct passtime_page **pointer, char *error,
                                              size_t error_bytes)
{
    struct passtime_page *page = calloc(1, sizeof *page);
    *pointer = page;
    if (!page) {
        (void)snprintf(error, error_bytes, "there is no memory to start with");
        return PASSTIME_PAGE_FAILED;
    }
    page->handlers = *handlers;
    page->load_deadline_ns = UINT64_MAX;
    const enum passtime_page_result result = start(page, options, error, error_bytes);
    if (result != PASSTIME_PAGE_OK)
        passtime_page_end(pointer);
    return result;
}

enum passtime_page_state passtime_page_step(struct passtime_page *page, uint32_t timeout_ms)
{
    const uint64_t begun_ns = passtime_port_now_ns();
    const uint64_t limit_ns = (uint64_t)timeout_ms * MS;
    for (;;) {
        const uint64_t waited_ns = passtime_port_now_ns() - begun_ns;
        const uint64_t left_ns = waited_ns < limit_ns ? limit_ns - waited_ns : 0;
        const bool some = passtime_page_pump(page, (uint32_t)((left_ns + MS - 1) / MS));
        if (some || left_ns == 0 || page->info.state == PASSTIME_PAGE_ENDED ||
            passtime_interrupt_pending())
            return page->info.state;
    }
}

const struct passtime_page_info *passtime_page_info(const struct passtime_page *page)
{
    return &page->info;
}

/* Asks the browser to end by itself, so that a profile that is kept is whole. */
static void close_browser(struct passtime_page *page)
{
    const uint64_t begun_ns = passtime_port_now_ns();
    char how[128];
    if (page->pipe_closed || !page->answered)
        return;
    if (page->info.state == PASSTIME_PAGE_ENDED)
        page->info.state = PASSTIME_PAGE_READY;
    passtime_page_send(page, NULL, "Browser.close", NULL, NULL, 0);
    while (!passtime_process_ended(page->process, how, sizeof how) &&
           page->info.state != PASSTIME_PAGE_ENDED &&
           passtime_port_now_ns() - begun_ns < (uint64_t)CLOSE_MS * MS)
        (void)passtime_page_pump(page, 20);
}

void passtime_page_end(struct passtime_page **pointer)
{
    struct passtime_page *page = pointer ? *pointer : NULL;
    if (!page)
        return;
    *pointer = NULL;
    memset(&page->handlers, 0, sizeof page->handlers);
    if (page->process)
        close_browser(page);
    passtime_cdp_drop(&page->cdp, NULL, "the run is over");
    (void)passtime_process_stop(&page->process);
    passtime_serve_stop(&page->serve);
    passtime_page_sessions_free(page);
    passtime_page_realms_free(page);
    passtime_cdp_finish(&page->cdp);
    free(page->script);
    free(page->config);
    free(page->wait_selector);
    free(page->eval);
    free(page);
}
