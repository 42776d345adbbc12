/* SPDX-License-Identifier: MIT */
/* The page driver against a scripted browser: each way to misbehave is a status, never a hang, and
 * nothing is left of it. */
#define _POSIX_C_SOURCE 200809L

#include "page/page.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

/* Long enough for any machine where an answer is expected; short where none is. */
enum { PATIENT_MS = 60000, HASTY_MS = 400 };

struct seen {
    struct passtime_page *page;
    char error[512];
    char mode[64];
    char payload[256];
    char note[512];
    char console[256];
    char navigated[512];
    unsigned payloads;
    unsigned realms;
    unsigned notes;
    unsigned navigations;
    enum passtime_page_realm_state main_state;
    enum passtime_page_level level;
};

static void on_payload(void *user, const struct passtime_page_realm *realm, const char *json,
                       size_t bytes)
{
    struct seen *seen = user;
    assert_int_equal(strlen(json), bytes);
    assert_true(realm->id > 0);
    seen->payloads++;
    (void)snprintf(seen->payload, sizeof seen->payload, "%s", json);
}

static void on_realm(void *user, const struct passtime_page_realm *realm)
{
    struct seen *seen = user;
    assert_int_not_equal(realm->state, PASSTIME_PAGE_REALM_NEW);
    seen->realms++;
    if (realm->main)
        seen->main_state = realm->state;
}

static void on_console(void *user, const struct passtime_page_console *console)
{
    struct seen *seen = user;
    seen->level = console->level;
    (void)snprintf(seen->console, sizeof seen->console, "%s", console->text);
}

static void on_navigated(void *user, const char *url)
{
    struct seen *seen = user;
    seen->navigations++;
    (void)snprintf(seen->navigated, sizeof seen->navigated, "%s", url);
}

static void on_note(void *user, const char *text)
{
    struct seen *seen = user;
    /* Of the machine, not of the browser under test. */
    if (strstr(text, "sandbox") || strstr(text, "no GPU"))
        return;
    seen->notes++;
    (void)snprintf(seen->note, sizeof seen->note, "%s", text);
}

static enum passtime_page_result start_with(struct seen *seen, const char *mode,
                                            uint32_t command_ms,
                                            struct passtime_page_options options)
{
    const struct passtime_page_handlers handlers = {seen,       on_payload,   on_realm,
                                                    on_console, on_navigated, on_note};
    memset(seen, 0, sizeof *seen);
    (void)snprintf(seen->mode, sizeof seen->mode, "--fake=%s", mode);
    const char *const flags[] = {seen->mode};
    options.target = options.target ? options.target : "http://fake.test/page";
    options.browser = getenv("FAKE_BROWSER");
    options.flags = flags;
    options.flag_count = 1;
    options.command_timeout_ms = command_ms;
    return passtime_page_start(&options, &handlers, &seen->page, seen->error, sizeof seen->error);
}

static enum passtime_page_result start(struct seen *seen, const char *mode, uint32_t command_ms)
{
    const struct passtime_page_options options = {.load_timeout_ms = PATIENT_MS};
    return start_with(seen, mode, command_ms, options);
}

static enum passtime_page_state run(struct seen *seen)
{
    enum passtime_page_state state = PASSTIME_PAGE_LOADING;
    while (state == PASSTIME_PAGE_LOADING)
        state = passtime_page_step(seen->page, 100);
    return state;
}

static const struct passtime_page_info *begin(struct seen *seen, const char *mode)
{
    if (start(seen, mode, PATIENT_MS) != PASSTIME_PAGE_OK)
        fail_msg("mode %s: %s", mode, seen->error);
    (void)run(seen);
    return passtime_page_info(seen->page);
}

static bool is_gone(int32_t process)
{
    return kill((pid_t)process, 0) != 0 && errno == ESRCH;
}

static void end(struct seen *seen)
{
    const int32_t process = passtime_page_info(seen->page)->browser_process;
    passtime_page_end(&seen->page);
    assert_null(seen->page);
    assert_true(is_gone(process));
}

static void test_plain_run(void **state)
{
    struct seen seen;
    char value[64];
    const struct passtime_page_info *info = begin(&seen, "plain");
    (void)state;
    assert_int_equal(info->state, PASSTIME_PAGE_READY);
    assert_true(info->loaded);
    assert_string_equal(info->product, "Fake/1.0");
    assert_string_equal(seen.payload, "[{\"k\":\"hello\"}]");
    assert_string_equal(seen.navigated, "http://fake.test/page");
    assert_int_equal(info->navigations, 0);
    assert_int_equal(seen.main_state, PASSTIME_PAGE_REALM_HOOKED);
    assert_int_equal(info->bad_messages, 0);
    assert_int_equal(passtime_page_eval(seen.page, "6 * 7", PATIENT_MS, value, sizeof value),
                     PASSTIME_PAGE_OK);
    assert_string_equal(value, "42");
    assert_int_equal(passtime_page_eval(seen.page, "throw 1", PATIENT_MS, value, sizeof value),
                     PASSTIME_PAGE_FAILED);
    assert_string_equal(value, "Error: thrown");
    assert_true(passtime_page_flush(seen.page, PATIENT_MS));
    assert_string_equal(seen.payload, "[{\"k\":\"flushed\"}]");
    const struct passtime_page_realm *realm = passtime_page_realm_at(seen.page, 0);
    assert_non_null(realm);
    assert_true(realm->main);
    assert_int_equal(realm->payloads, 2);
    assert_string_equal(realm->url, "http://fake.test/page");
    assert_null(passtime_page_realm_at(seen.page, 1));
    end(&seen);
}

static void test_picture(void **state)
{
    struct seen seen;
    char path[] = "/tmp/passtime_picture_XXXXXX";
    char text[16] = "";
    (void)state;
    const int made = mkstemp(path);
    assert_true(made >= 0);
    (void)close(made);
    (void)begin(&seen, "plain");
    assert_int_equal(
        passtime_page_screenshot(seen.page, path, PATIENT_MS, seen.error, sizeof seen.error),
        PASSTIME_PAGE_OK);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(text, 1, sizeof text, file), 5);
    (void)fclose(file);
    assert_memory_equal(text, "PNG!\n", 5);
    assert_int_equal(passtime_page_screenshot(seen.page, "/dev/null/x.png", PATIENT_MS, seen.error,
                                              sizeof seen.error),
                     PASSTIME_PAGE_WRONG_USE);
    end(&seen);
    (void)begin(&seen, "nopicture");
    assert_int_equal(
        passtime_page_screenshot(seen.page, path, PATIENT_MS, seen.error, sizeof seen.error),
        PASSTIME_PAGE_FAILED);
    assert_int_equal(access(path, F_OK), -1);
    end(&seen);
}

/* Browsers that never come so far as to open the page. */
static void test_no_start(void **state)
{
    static const struct {
        const char *mode;
        const char *words;
        uint32_t command_ms;
    } cases[] = {
        {"exit", "libnothing.so", PATIENT_MS},
        {"mute", "says nothing on its debugging pipe", HASTY_MS},
        {"deaf", "says nothing on its debugging pipe", HASTY_MS},
        {"half", "says nothing on its debugging pipe", HASTY_MS},
        {"refuse", "does not take the script", PATIENT_MS},
    };
    struct seen seen;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(start(&seen, cases[i].mode, cases[i].command_ms),
                         PASSTIME_PAGE_NO_BROWSER);
        assert_null(seen.page);
        if (!strstr(seen.error, cases[i].words))
            fail_msg("mode %s: %s", cases[i].mode, seen.error);
    }
}

static void test_not_a_browser(void **state)
{
    static const char *const programs[] = {"/bin/true", "/bin/cat", "/bin/sh", "/dev/null/x"};
    const struct passtime_page_handlers handlers = {0};
    (void)state;
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        const struct passtime_page_options options = {
            .target = "http://fake.test", .browser = programs[i], .command_timeout_ms = HASTY_MS};
        char error[512] = "";
        struct passtime_page *page;
        const enum passtime_page_result result =
            passtime_page_start(&options, &handlers, &page, error, sizeof error);
        assert_int_equal(result, i < 3 ? PASSTIME_PAGE_NO_BROWSER : PASSTIME_PAGE_WRONG_USE);
        assert_null(page);
        assert_non_null(strstr(error, programs[i]));
    }
}

static void test_wrong_targets(void **state)
{
    static const char *const targets[] = {"", "/dev/null/page.html", "/dev", "/dev/null"};
    (void)state;
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        struct seen seen;
        const struct passtime_page_options options = {.target = targets[i]};
        assert_int_equal(start_with(&seen, "plain", PATIENT_MS, options), PASSTIME_PAGE_WRONG_USE);
        assert_null(seen.page);
        assert_true(seen.error[0] != '\0');
    }
}

/* What it says badly is counted, and the run goes on. */
static void test_bad_messages(void **state)
{
    struct seen seen;
    (void)state;
    const struct passtime_page_info *info = begin(&seen, "garbage");
    assert_int_equal(info->state, PASSTIME_PAGE_READY);
    assert_true(info->bad_messages > 0);
    end(&seen);
    info = begin(&seen, "huge");
    assert_int_equal(info->state, PASSTIME_PAGE_READY);
    assert_int_equal(info->bad_messages, 1);
    end(&seen);
    info = begin(&seen, "ids");
    assert_int_equal(info->state, PASSTIME_PAGE_READY);
    assert_true(info->bad_messages > 0);
    assert_int_equal(seen.payloads, 1);
    end(&seen);
}

/* Ends in the middle, and what is said of them. */
static void test_endings(void **state)
{
    static const struct {
        const char *mode;
        const char *words;
    } cases[] = {
        {"die", "the browser was ended by signal 9"},
        {"closed", "the browser closed its debugging pipe"},
        {"crash", "the page's process crashed"},
        {"detach", "the page closed itself"},
        {"refused", "is its server running?"},
    };
    struct seen seen;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct passtime_page_info *info = begin(&seen, cases[i].mode);
        while (passtime_page_step(seen.page, 100) != PASSTIME_PAGE_ENDED)
            ;
        if (!strstr(info->ended_text, cases[i].words))
            fail_msg("mode %s: %s", cases[i].mode, info->ended_text);
        char value[128];
        assert_int_equal(passtime_page_eval(seen.page, "1", PATIENT_MS, value, sizeof value),
                         PASSTIME_PAGE_FAILED);
        assert_int_equal(passtime_page_step(seen.page, 0), PASSTIME_PAGE_ENDED);
        end(&seen);
    }
}

static void test_stalls(void **state)
{
    struct seen seen;
    (void)state;
    assert_int_equal(start(&seen, "stall", 3000), PASSTIME_PAGE_OK);
    while (passtime_page_step(seen.page, 100) != PASSTIME_PAGE_ENDED)
        ;
    assert_string_equal(passtime_page_info(seen.page)->ended_text,
                        "the browser does not answer any more");
    end(&seen);
}

static void test_never_loads(void **state)
{
    struct seen seen;
    struct passtime_page_options options = {.load_timeout_ms = HASTY_MS};
    (void)state;
    assert_int_equal(start_with(&seen, "noload", PATIENT_MS, options), PASSTIME_PAGE_OK);
    /* Whether its document came in time or not is up to the machine; both are said. */
    if (run(&seen) == PASSTIME_PAGE_READY) {
        assert_false(passtime_page_info(seen.page)->loaded);
        assert_non_null(strstr(seen.note, "does not end loading"));
    }
    end(&seen);
    assert_int_equal(start_with(&seen, "nocommit", PATIENT_MS, options), PASSTIME_PAGE_OK);
    assert_int_equal(run(&seen), PASSTIME_PAGE_ENDED);
    end(&seen);
    options.wait_selector = "#never";
    assert_int_equal(start_with(&seen, "noselector", PATIENT_MS, options), PASSTIME_PAGE_OK);
    (void)run(&seen);
    assert_int_equal(seen.notes > 0 || passtime_page_info(seen.page)->state == PASSTIME_PAGE_ENDED,
                     1);
    end(&seen);
}

static void test_ready(void **state)
{
    struct seen seen;
    struct passtime_page_options options = {
        .load_timeout_ms = PATIENT_MS, .wait_selector = "canvas", .eval = "start()"};
    (void)state;
    assert_int_equal(start_with(&seen, "plain", PATIENT_MS, options), PASSTIME_PAGE_OK);
    assert_int_equal(run(&seen), PASSTIME_PAGE_READY);
    assert_false(passtime_page_info(seen.page)->eval_failed);
    end(&seen);
    options.eval = "throw 1";
    assert_int_equal(start_with(&seen, "plain", PATIENT_MS, options), PASSTIME_PAGE_OK);
    assert_int_equal(run(&seen), PASSTIME_PAGE_READY);
    assert_true(passtime_page_info(seen.page)->eval_failed);
    assert_non_null(strstr(seen.note, "Error: thrown"));
    end(&seen);
}

static void test_told(void **state)
{
    struct seen seen;
    (void)state;
    const struct passtime_page_info *info = begin(&seen, "dialog");
    assert_int_equal(info->dialogs, 1);
    assert_int_equal(seen.level, PASSTIME_PAGE_DIALOG);
    assert_string_equal(seen.console, "confirm: Sure?");
    end(&seen);
    info = begin(&seen, "surrogate");
    assert_int_equal(info->console_errors, 1);
    assert_int_equal(info->bad_messages, 0);
    assert_string_equal(seen.console, "a\xef\xbf\xbd"
                                      "b");
    end(&seen);
    info = begin(&seen, "gpu");
    while (info->gpu_crashes == 0)
        (void)passtime_page_step(seen.page, 100);
    assert_string_equal(seen.note, "the browser's GPU process crashed");
    end(&seen);
    info = begin(&seen, "missing");
    while (seen.notes == 0)
        (void)passtime_page_step(seen.page, 100);
    assert_non_null(strstr(seen.note, "the server answered 404"));
    end(&seen);
    info = begin(&seen, "reload");
    assert_int_equal(info->navigations, 1);
    assert_int_equal(seen.navigations, 2);
    const struct passtime_page_realm *first = passtime_page_realm_at(seen.page, 0);
    const struct passtime_page_realm *second = passtime_page_realm_at(seen.page, 1);
    assert_true(first->ended && !first->main);
    assert_true(!second->ended && second->main);
    end(&seen);
}

static void test_not_hooked(void **state)
{
    struct seen seen;
    (void)state;
    assert_int_equal(start_with(&seen, "unhooked", PATIENT_MS,
                                (struct passtime_page_options){.load_timeout_ms = HASTY_MS}),
                     PASSTIME_PAGE_OK);
    while (seen.realms == 0 && passtime_page_step(seen.page, 100) != PASSTIME_PAGE_ENDED)
        ;
    (void)passtime_page_flush(seen.page, PATIENT_MS);
    const struct passtime_page_realm *realm = passtime_page_realm_at(seen.page, 0);
    if (realm) {
        assert_int_equal(realm->state, PASSTIME_PAGE_REALM_NOT_HOOKED);
        assert_true(realm->text[0] != '\0');
    } else {
        assert_int_equal(passtime_page_info(seen.page)->state, PASSTIME_PAGE_ENDED);
    }
    end(&seen);
}

static void test_too_many_realms(void **state)
{
    struct seen seen;
    (void)state;
    const struct passtime_page_info *info = begin(&seen, "contexts");
    assert_int_equal(info->state, PASSTIME_PAGE_READY);
    assert_int_equal(info->realms_left_out, 6001 - 4096);
    end(&seen);
}

static void test_nothing_is_left(void **state)
{
    struct seen seen;
    char path[] = "/tmp/passtime_children_XXXXXX";
    long child;
    unsigned children = 0;
    (void)state;
    const int made = mkstemp(path);
    assert_true(made >= 0);
    (void)close(made);
    assert_int_equal(setenv("FAKE_CHILDREN", path, 1), 0);
    (void)begin(&seen, "stubborn");
    end(&seen);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fscanf(file, "%ld", &child) == 1) {
        assert_true(is_gone((int32_t)child));
        children++;
    }
    (void)fclose(file);
    (void)remove(path);
    (void)unsetenv("FAKE_CHILDREN");
    assert_int_equal(children, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_run),
        cmocka_unit_test(test_picture),
        cmocka_unit_test(test_no_start),
        cmocka_unit_test(test_not_a_browser),
        cmocka_unit_test(test_wrong_targets),
        cmocka_unit_test(test_bad_messages),
        cmocka_unit_test(test_endings),
        cmocka_unit_test(test_stalls),
        cmocka_unit_test(test_never_loads),
        cmocka_unit_test(test_ready),
        cmocka_unit_test(test_told),
        cmocka_unit_test(test_not_hooked),
        cmocka_unit_test(test_too_many_realms),
        cmocka_unit_test(test_nothing_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
