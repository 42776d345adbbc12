/* SPDX-License-Identifier: MIT */
/* The page driver and a real Chromium: what runs before the page's own scripts, and where. */
#define _POSIX_C_SOURCE 200809L
#define _XOPEN_SOURCE   700

#include "page/page.h"
#include "port/io.h"
#include "port/process.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* The machine may be slow: what is waited for comes, or the test fails by its own time limit. */
enum { PATIENT_MS = 120000, SHORT_MS = 3000, REALMS = 9, SKIPPED = 77 };

static const struct {
    const char *name;
    const char *text;
} files[] = {
    {"index.html",
     "<!doctype html><script>"
     "window.early = [typeof window.passtimeTest, typeof GPUAdapter];"
     "addEventListener('load', () => {"
     "new Worker('classic.js'); new Worker('module.mjs', {type: 'module'});"
     "new Worker(URL.createObjectURL(new Blob(['1'])));"
     "new SharedWorker('shared.js'); navigator.serviceWorker.register('service.js');"
     "for (const src of [`http://localhost:${location.port}/frame.html`, 'frame.html']) {"
     "const frame = document.createElement('iframe'); frame.src = src;"
     "document.body.append(frame); }"
     "alert('seen'); console.error('told'); });</script><body>"},
    {"frame.html", "<script>window.own = typeof passtimeTest</script>"},
    {"classic.js", "if (typeof passtimeTest === 'undefined') throw new Error('too late');"
                   "new Worker('nested.js')"},
    {"nested.js", "if (typeof GPUAdapter === 'undefined') throw new Error('no WebGPU')"},
    {"module.mjs", "import './nested.js'; export default 1"},
    {"shared.js", "1"},
    {"service.js", "1"},
    {"image.html", "<script>document.write(`<img src='http://127.0.0.1:${location.search.slice(1)}/"
                   "image.png'>`)</script>"},
    {"reload.html", "<script>const n = Number(sessionStorage.n ?? 0); sessionStorage.n = n + 1;"
                    "if (n < 3) location.reload(); else document.title = 'done'</script>"},
};

/* What is injected: it says that it is there, and when it is asked to flush. */
static const char script[] =
    "(config => { const send = globalThis[config.binding]; delete globalThis[config.binding];"
    "globalThis.passtimeTest = typeof GPUAdapter; send(JSON.stringify(typeof GPUAdapter));"
    "globalThis[Symbol.for(config.binding)] = () => send('flush'); })";

struct seen {
    struct passtime_page *page;
    unsigned payloads;
    unsigned flushes;
    unsigned without_webgpu;
    bool slow;
    char exception[512];
};

static void on_payload(void *user, const struct passtime_page_realm *realm, const char *json,
                       size_t bytes)
{
    struct seen *seen = user;
    (void)realm;
    (void)bytes;
    seen->payloads++;
    if (strcmp(json, "flush") == 0)
        seen->flushes++;
    else if (strcmp(json, "\"function\"") != 0)
        seen->without_webgpu++;
}

static void on_console(void *user, const struct passtime_page_console *console)
{
    struct seen *seen = user;
    if (console->level == PASSTIME_PAGE_EXCEPTION)
        (void)snprintf(seen->exception, sizeof seen->exception, "%s", console->text);
}

static void on_note(void *user, const char *text)
{
    struct seen *seen = user;
    seen->slow |= strstr(text, "does not end loading") != NULL;
}

static char folder[] = "/tmp/passtime_chromium_XXXXXX";

static int make_files(void **state)
{
    char path[128];
    (void)state;
    assert_non_null(mkdtemp(folder));
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", folder, files[i].name);
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        assert_true(fputs(files[i].text, file) >= 0);
        assert_int_equal(fclose(file), 0);
    }
    return 0;
}

static int remove_files(void **state)
{
    char path[128];
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", folder, files[i].name);
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(rmdir(folder), 0);
    return 0;
}

static const struct passtime_page_info *start(struct seen *seen, const char *target,
                                              uint32_t load_ms)
{
    char error[1024];
    const struct passtime_page_options options = {.target = target,
                                                  .software = true,
                                                  .script = script,
                                                  .load_timeout_ms = load_ms,
                                                  .command_timeout_ms = PATIENT_MS};
    const struct passtime_page_handlers handlers = {
        .user = seen, .on_payload = on_payload, .on_console = on_console, .on_note = on_note};
    memset(seen, 0, sizeof *seen);
    if (passtime_page_start(&options, &handlers, &seen->page, error, sizeof error) !=
        PASSTIME_PAGE_OK)
        fail_msg("%s", error);
    return passtime_page_info(seen->page);
}

static const struct passtime_page_info *open_file(struct seen *seen, const char *name)
{
    char target[128];
    (void)snprintf(target, sizeof target, "%s/%s", folder, name);
    return start(seen, target, PATIENT_MS);
}

static unsigned count_hooked(const struct passtime_page *page, unsigned kinds[5])
{
    const struct passtime_page_realm *realm;
    unsigned hooked = 0;
    memset(kinds, 0, 5 * sizeof kinds[0]);
    for (uint32_t i = 0; (realm = passtime_page_realm_at(page, i)) != NULL; i++) {
        if (realm->state == PASSTIME_PAGE_REALM_HOOKED && !realm->ended) {
            hooked++;
            kinds[realm->kind]++;
        }
    }
    return hooked;
}

static void test_every_realm(void **state)
{
    struct seen seen;
    unsigned kinds[5];
    char value[64];
    (void)state;
    const struct passtime_page_info *info = open_file(&seen, "index.html");
    /* The page, two frames, four workers of which one is nested, a shared and a service worker. */
    while (count_hooked(seen.page, kinds) < REALMS &&
           passtime_page_step(seen.page, 100) != PASSTIME_PAGE_ENDED)
        ;
    assert_string_equal(info->ended_text, "");
    assert_string_equal(seen.exception, "");
    assert_int_equal(kinds[PASSTIME_PAGE_REALM_PAGE], 1);
    assert_int_equal(kinds[PASSTIME_PAGE_REALM_FRAME], 2);
    assert_int_equal(kinds[PASSTIME_PAGE_REALM_WORKER], 4);
    assert_int_equal(kinds[PASSTIME_PAGE_REALM_SHARED_WORKER], 1);
    assert_int_equal(kinds[PASSTIME_PAGE_REALM_SERVICE_WORKER], 1);
    assert_int_equal(seen.without_webgpu, 0);
    assert_int_equal(info->dialogs, 1);
    assert_int_equal(info->console_errors, 1);
    assert_int_equal(info->bad_messages, 0);
    assert_int_equal(passtime_page_eval(seen.page, "early", PATIENT_MS, value, sizeof value),
                     PASSTIME_PAGE_OK);
    assert_string_equal(value, "[\"string\",\"function\"]");
    assert_true(passtime_page_flush(seen.page, PATIENT_MS));
    assert_int_equal(seen.flushes, REALMS);
    passtime_page_end(&seen.page);
}

static void test_reloads(void **state)
{
    struct seen seen;
    char value[64] = "";
    (void)state;
    const struct passtime_page_info *info = open_file(&seen, "reload.html");
    while (info->navigations < 3 && passtime_page_step(seen.page, 100) != PASSTIME_PAGE_ENDED)
        ;
    assert_int_equal(
        passtime_page_eval(seen.page, "document.title", PATIENT_MS, value, sizeof value),
        PASSTIME_PAGE_OK);
    (void)passtime_page_flush(seen.page, PATIENT_MS);
    const struct passtime_page_realm *realm;
    unsigned mains = 0;
    for (uint32_t i = 0; (realm = passtime_page_realm_at(seen.page, i)) != NULL; i++)
        mains += realm->main;
    assert_int_equal(mains, 1);
    assert_int_equal(info->navigations, 3);
    passtime_page_end(&seen.page);
}

static void test_picture(void **state)
{
    struct seen seen;
    char path[128];
    char error[512];
    unsigned char head[24] = {0};
    (void)state;
    (void)open_file(&seen, "frame.html");
    (void)snprintf(path, sizeof path, "%s/picture.png", folder);
    while (passtime_page_step(seen.page, 100) == PASSTIME_PAGE_LOADING)
        ;
    assert_int_equal(passtime_page_screenshot(seen.page, path, PATIENT_MS, error, sizeof error),
                     PASSTIME_PAGE_OK);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(head, 1, sizeof head, file), sizeof head);
    (void)fclose(file);
    assert_int_equal(unlink(path), 0);
    assert_memory_equal(head, "\x89PNG\r\n\x1a\n", 8);
    assert_true((head[18] << 8 | head[19]) > 300);
    passtime_page_end(&seen.page);
}

/* A server that takes connections and says nothing: the page's image never comes, nor does the page
 * itself. */
static void test_never_answered(void **state)
{
    struct seen seen;
    uint16_t port = 0;
    char target[128];
    (void)state;
    const int listener = passtime_loopback_listen(&port);
    assert_true(listener >= 0);
    (void)snprintf(target, sizeof target, "%s/image.html?%u", folder, (unsigned)port);
    const struct passtime_page_info *info = start(&seen, target, SHORT_MS);
    while (passtime_page_step(seen.page, 100) == PASSTIME_PAGE_LOADING)
        ;
    assert_false(info->loaded);
    assert_true(seen.slow || info->state == PASSTIME_PAGE_ENDED);
    passtime_page_end(&seen.page);
    (void)snprintf(target, sizeof target, "http://127.0.0.1:%u/", (unsigned)port);
    info = start(&seen, target, SHORT_MS);
    while (passtime_page_step(seen.page, 100) != PASSTIME_PAGE_ENDED)
        ;
    assert_non_null(strstr(info->ended_text, "does not answer"));
    passtime_page_end(&seen.page);
    passtime_close(listener);
    info = start(&seen, target, PATIENT_MS);
    while (passtime_page_step(seen.page, 100) != PASSTIME_PAGE_ENDED)
        ;
    assert_non_null(strstr(info->ended_text, "is its server running?"));
    passtime_page_end(&seen.page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_realm),
        cmocka_unit_test(test_reloads),
        cmocka_unit_test(test_picture),
        cmocka_unit_test(test_never_answered),
    };
    char path[1024];
    if (!passtime_program_find("chromium", path, sizeof path)) {
        (void)printf("skipped: there is no chromium on the PATH\n");
        return SKIPPED;
    }
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
