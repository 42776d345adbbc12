/* SPDX-License-Identifier: MIT */
/* What people are told of a run besides the table: realms, what the page said, notes. */
#include "cli/page.h"

#include <string.h>

enum { REALMS_SHOWN = 12, MESSAGES_SHOWN = 6 };

static const char *const kind_words[] = {"page", "frame", "worker", "shared worker",
                                         "service worker"};

static const struct passtime_collect_realm *said(const struct page_result *result, uint32_t id)
{
    static const struct passtime_collect_realm nothing;
    const struct passtime_collect_realm *realm = passtime_collector_realm(result->collector, id);
    return realm ? realm : &nothing;
}

static bool escapes(const char *word)
{
    return strcmp(word, "own") == 0 || strcmp(word, "late") == 0;
}

struct page_realm_words page_realm_words(const struct page_result *result,
                                         const struct passtime_page_realm *realm)
{
    const struct passtime_collect_realm *script = said(result, realm->id);
    struct page_realm_words words = {kind_words[realm->kind], "hooked", true};
    switch (realm->state) {
    case PASSTIME_PAGE_REALM_NOT_HOOKED:
        words.status = "not_hooked";
        break;
    case PASSTIME_PAGE_REALM_CRASHED:
        words.status = "crashed";
        break;
    case PASSTIME_PAGE_REALM_NEW:
        words.status = realm->ended ? "ended" : "silent";
        break;
    case PASSTIME_PAGE_REALM_HOOKED:
        break;
    }
    bool hooked = realm->state == PASSTIME_PAGE_REALM_HOOKED;
    bool over = realm->state == PASSTIME_PAGE_REALM_NEW && realm->ended;
    words.whole = over || (hooked && !escapes(script->webgpu) && !escapes(script->webgl));
    return words;
}

static void print_api(const char *name, const char *word)
{
    if (strcmp(word, "hooked") == 0)
        printf(", %s", name);
    else if (strcmp(word, "own") == 0)
        printf(", %s is the page's own and not timed", name);
    else if (strcmp(word, "late") == 0)
        printf(", %s was in use before: what was made then is not timed", name);
}

static void print_realm(const struct page_result *result, const struct passtime_page_realm *realm)
{
    const struct passtime_collect_realm *script = said(result, realm->id);
    struct page_realm_words words = page_realm_words(result, realm);
    const char *status = strcmp(words.status, "not_hooked") == 0 ? "NOT HOOKED"
                         : strcmp(words.status, "silent") == 0
                             ? "NOT HOOKED: no script of it ran (is it busy, or blocked?)"
                             : words.status;
    const char *url = realm->url[0] ? realm->url : "(no URL)";
    printf("realm   %s %.100s: %s", words.kind, url, status);
    print_api("WebGPU", script->webgpu);
    print_api("WebGL", script->webgl);
    if (realm->ended && strcmp(words.status, "hooked") == 0)
        printf(", ended");
    const char *text = realm->text[0] ? realm->text : script->text;
    if (!words.whole && text[0])
        printf(": %.200s", text);
    putchar('\n');
}

static void print_realms(const struct page_result *result)
{
    uint32_t shown = 0;
    for (int round = 0; round < 2; round++) {
        /* Those that may hide something come first. */
        for (uint32_t i = 0; i < result->realm_count; i++) {
            const struct passtime_page_realm *realm = &result->realms[i];
            if (page_realm_words(result, realm).whole != (round == 1) || shown == REALMS_SHOWN)
                continue;
            print_realm(result, realm);
            shown++;
        }
    }
    if (result->realm_count > shown)
        printf("realm   and %u more; --json lists them\n", result->realm_count - shown);
}

static const char *level_word(enum passtime_page_level level)
{
    return level == PASSTIME_PAGE_EXCEPTION ? "exception"
           : level == PASSTIME_PAGE_DIALOG  ? "dialog, dismissed"
                                            : "error";
}

/* One line of it, without what would move the cursor. */
static void print_text(const char *text, size_t most)
{
    for (size_t i = 0; text[i] && text[i] != '\n' && i < most; i++)
        putchar((unsigned char)text[i] < 0x20 || text[i] == 0x7f ? '?' : text[i]);
}

static void print_messages(const struct page_result *result)
{
    const struct passtime_page_info *info = &result->info;
    if (info->console_errors + info->exceptions > 0)
        printf("page    %llu error%s on the console, %llu exception%s\n",
               (unsigned long long)info->console_errors, info->console_errors == 1 ? "" : "s",
               (unsigned long long)info->exceptions, info->exceptions == 1 ? "" : "s");
    for (uint32_t i = 0; i < result->message_count && i < MESSAGES_SHOWN; i++) {
        const struct page_message *message = &result->messages[i];
        printf("        %s: ", level_word(message->level));
        print_text(message->text, 160);
        if (message->url[0]) {
            fputs(" (", stdout);
            print_text(message->url, 80);
            printf(":%u)", message->line);
        }
        putchar('\n');
    }
    uint64_t more =
        result->messages_left_out +
        (result->message_count > MESSAGES_SHOWN ? result->message_count - MESSAGES_SHOWN : 0);
    if (more > 0)
        printf("        and %llu more\n", (unsigned long long)more);
}

static void print_notes(const struct page_job *job, const struct page_result *result)
{
    const struct passtime_collect_counts *counts = passtime_collector_counts(result->collector);
    for (uint32_t i = 0; i < result->note_count; i++)
        cli_warn(&job->cli, "%s", result->notes[i]);
    if (counts->contexts_left_out > 0)
        cli_warn(&job->cli,
                 "%llu of the page's devices and GL contexts are left out; at most %d are timed",
                 (unsigned long long)counts->contexts_left_out, PASSTIME_COLLECT_CONTEXTS_MAX);
    if (counts->malformed + counts->frames_refused > 0)
        cli_warn(&job->cli,
                 "%llu messages of the page's script could not be used, and what they told is "
                 "missing; the first: %s",
                 (unsigned long long)(counts->malformed + counts->frames_refused),
                 counts->first_fault[0] ? counts->first_fault
                                        : "a frame whose parts do not fit together");
}

void page_show(const struct page_job *job, const struct page_result *result)
{
    struct passtime_report_style style = terminal_style(stdout);
    if (job->values.csv) {
        passtime_report_csv(stdout, result->contexts, result->context_count);
    } else if (!job->values.json) {
        passtime_report_table(stdout, result->contexts, result->context_count, &style);
        if (result->context_count > 0)
            putchar('\n');
        print_realms(result);
        print_messages(result);
    }
    print_notes(job, result);
    fflush(stdout);
}
