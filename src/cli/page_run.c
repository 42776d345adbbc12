/* SPDX-License-Identifier: MIT */
/* One run of a page: from the start of the browser to its end, with what was measured. */
#include "cli/page.h"

#include "port/port.h"
#include "port/process.h"

#include <stdlib.h>
#include <string.h>

enum { STEP_MS = 50, FLUSH_MS = 2000, FLUSH_INTERRUPTED_MS = 500, SCREENSHOT_MS = 10000 };

static const uint64_t idle_ns = 10000000000u;
static const uint64_t long_ns = 300000000000u;

struct run {
    const struct page_job *job;
    struct page_result *result;
    struct passtime_page *page;
    struct live live;
    const char *stage; /* that was drawn last */
    uint64_t begun_ns;
    uint64_t ready_ns; /* when the page was ready; 0: not yet */
    uint64_t news_ns;  /* when the last frame came */
    uint64_t frames;
};

static void on_payload(void *user, const struct passtime_page_realm *realm, const char *json,
                       size_t bytes)
{
    struct run *run = user;
    passtime_collector_take(run->result->collector, realm->id, json, bytes);
}

static void keep_note(struct page_result *result, const char *text)
{
    for (uint32_t i = 0; i < result->note_count; i++) {
        if (strcmp(result->notes[i], text) == 0)
            return;
    }
    if (result->note_count < PAGE_NOTES_MAX)
        snprintf(result->notes[result->note_count++], sizeof result->notes[0], "%s", text);
}

static void on_note(void *user, const char *text)
{
    struct run *run = user;
    keep_note(run->result, text);
}

static void on_script_note(void *user, uint32_t realm, const char *text)
{
    struct run *run = user;
    (void)realm;
    keep_note(run->result, text);
}

static void on_console(void *user, const struct passtime_page_console *console)
{
    struct run *run = user;
    struct page_result *result = run->result;
    if (console->level < PASSTIME_PAGE_ERROR)
        return;
    if (result->message_count == PAGE_MESSAGES_MAX) {
        result->messages_left_out++;
        return;
    }
    struct page_message *message = &result->messages[result->message_count++];
    message->level = console->level;
    message->line = console->line;
    snprintf(message->text, sizeof message->text, "%s", console->text);
    snprintf(message->url, sizeof message->url, "%s", console->url);
}

static void on_frame(void *user, uint32_t context, const passtime_frame *frame)
{
    struct run *run = user;
    if (run->result->first_frame_ns == 0)
        run->result->first_frame_ns = passtime_port_now_ns() - run->begun_ns;
    if (context == passtime_collector_busiest(run->result->collector))
        live_frame(&run->live, frame);
}

static int make_collector(struct run *run, const char *capture)
{
    const struct page_job *job = run->job;
    const char *passes[PASSTIME_COLLECT_BUDGETS_MAX];
    for (uint32_t i = 0; i < job->pass_budget_count; i++)
        passes[i] = job->pass_budgets[i].name;
    const struct passtime_collect_options options = {
        .warmup_frames = job->values.warmup,
        .frames = job->values.seconds > 0 && !job->frames_given ? 0 : job->values.frames,
        .budget_ns = job->values.budget_ns,
        .budget_passes = passes,
        .budget_count = job->pass_budget_count,
        .capture_path = capture,
        .user = run,
        .on_frame = on_frame,
        .on_note = on_script_note};
    run->result->collector = passtime_collector_make(&options);
    if (run->result->collector)
        return EXIT_CODE_DONE;
    return cli_fail(&job->cli, EXIT_CODE_NOTHING, "no memory for the collector");
}

static int start(struct run *run)
{
    const struct page_job *job = run->job;
    const struct page_values *values = &job->values;
    char error[1200];
    const struct passtime_page_options options = {.target = job->target,
                                                  .browser = values->browser,
                                                  .flags = values->flags.values,
                                                  .flag_count = values->flags.count,
                                                  .profile = values->profile,
                                                  .headed = values->headed,
                                                  .software = values->software,
                                                  .resolution = values->stock ? PASSTIME_PAGE_STOCK
                                                                              : PASSTIME_PAGE_FINE,
                                                  .wait_selector = values->wait,
                                                  .eval = values->eval};
    const struct passtime_page_handlers handlers = {
        .user = run, .on_payload = on_payload, .on_console = on_console, .on_note = on_note};
    switch (passtime_page_start(&options, &handlers, &run->page, error, sizeof error)) {
    case PASSTIME_PAGE_OK:
        return EXIT_CODE_DONE;
    case PASSTIME_PAGE_WRONG_USE:
        return cli_fail(&job->cli, EXIT_CODE_USAGE, "%s", error);
    default:
        return cli_fail(&job->cli, EXIT_CODE_NOTHING, "%s", error);
    }
}

/* What is shown as being done; its rate counts from where it begins. */
static void draw_stage(struct run *run, const char *stage, uint64_t done, uint64_t total,
                       uint64_t now_ns)
{
    if (run->stage != stage) {
        run->live.begun_ns = 0;
        run->live.frames_over = run->live.frames_back = 0;
    }
    run->stage = stage;
    live_draw(&run->live, stage, done, total, now_ns);
}

static void draw(struct run *run, const char *stage, uint64_t now_ns)
{
    const struct passtime_collector *collector = run->result->collector;
    const struct page_values *values = &run->job->values;
    uint64_t counted = passtime_collector_most_frames(collector);
    uint64_t all = passtime_collector_counts(collector)->frames;
    uint64_t total = values->seconds > 0 && !run->job->frames_given ? 0 : values->frames;
    if (all == 0)
        draw_stage(run, run->ready_ns == 0 ? "loading" : "waiting for frames", 0, 0, now_ns);
    else if (counted == 0 && values->warmup > 0)
        draw_stage(run, "warming up", all < values->warmup ? all : values->warmup, values->warmup,
                   now_ns);
    else
        draw_stage(run, stage, counted, total, now_ns);
}

static bool is_done(const struct run *run, uint64_t now_ns)
{
    const struct page_values *values = &run->job->values;
    bool by_time = values->seconds > 0;
    bool frames_count = !by_time || run->job->frames_given;
    if (frames_count && passtime_collector_most_frames(run->result->collector) >= values->frames)
        return true;
    return by_time && run->ready_ns != 0 &&
           now_ns - run->ready_ns >= values->seconds * UINT64_C(1000000000);
}

static void note_news(struct run *run, enum passtime_page_state state, uint64_t now_ns)
{
    uint64_t frames = passtime_collector_counts(run->result->collector)->frames;
    if (state == PASSTIME_PAGE_READY && run->ready_ns == 0) {
        run->ready_ns = now_ns;
        run->news_ns = now_ns;
    }
    if (frames != run->frames)
        run->news_ns = now_ns;
    run->frames = frames;
}

/* Runs the page until there is what was asked for, or no more is to be had. */
static enum page_end watch(struct run *run, const char *stage)
{
    for (;;) {
        enum passtime_page_state state = passtime_page_step(run->page, STEP_MS);
        uint64_t now_ns = passtime_port_now_ns();
        note_news(run, state, now_ns);
        if (is_done(run, now_ns))
            return PAGE_END_DONE;
        if (passtime_interrupt_pending())
            return PAGE_END_INTERRUPTED;
        if (state == PASSTIME_PAGE_ENDED)
            return PAGE_END_GONE;
        if (run->ready_ns != 0 && run->job->values.seconds == 0) {
            if (now_ns - run->news_ns > idle_ns)
                return PAGE_END_IDLE;
            if (now_ns - run->ready_ns > long_ns)
                return PAGE_END_LONG;
        }
        draw(run, stage, now_ns);
    }
}

/* Brings in what the realms still hold, and a picture. What was timed stands without one. */
static void bring_in(struct run *run, const char *screenshot)
{
    char error[1200];
    if (run->result->end == PAGE_END_GONE)
        return;
    bool interrupted = run->result->end == PAGE_END_INTERRUPTED;
    (void)passtime_page_flush(run->page, interrupted ? FLUSH_INTERRUPTED_MS : FLUSH_MS);
    if (!screenshot)
        return;
    run->result->has_picture = passtime_page_screenshot(run->page, screenshot, SCREENSHOT_MS, error,
                                                        sizeof error) == PASSTIME_PAGE_OK;
    if (!run->result->has_picture)
        cli_warn(&run->job->cli, "no picture in %s: %s", screenshot, error);
}

static bool keep_realms(struct run *run)
{
    struct page_result *result = run->result;
    uint32_t count = 0;
    while (passtime_page_realm_at(run->page, count))
        count++;
    result->realms = calloc(count > 0 ? count : 1, sizeof *result->realms);
    for (uint32_t i = 0; i < count && result->realms; i++)
        result->realms[result->realm_count++] = *passtime_page_realm_at(run->page, i);
    result->info = *passtime_page_info(run->page);
    return result->realms != NULL;
}

/* "page webgpu device 1": the same in the next run of the same page, so that runs can be compared.
 */
static void name_context(struct page_result *result, const struct passtime_collect_about *about)
{
    char *id = result->ids[result->context_count];
    const struct passtime_collect_realm *realm =
        passtime_collector_realm(result->collector, about->realm);
    uint32_t same = 1;
    snprintf(id, PAGE_ID_BYTES, "%s %s %s", realm && realm->kind[0] ? realm->kind : "realm",
             about->adapter.api, about->name[0] ? about->name : "context");
    size_t bytes = strlen(id);
    for (uint32_t i = 0; i < result->context_count; i++) {
        if (strncmp(result->ids[i], id, bytes) == 0 &&
            (result->ids[i][bytes] == '\0' || strncmp(result->ids[i] + bytes, " (", 2) == 0))
            same++;
    }
    if (same > 1 && bytes + 16 < PAGE_ID_BYTES)
        snprintf(id + bytes, PAGE_ID_BYTES - bytes, " (%u)", same);
}

static void keep_contexts(struct page_result *result)
{
    const struct passtime_collect_about *about;
    for (uint32_t i = 0; (about = passtime_collector_about(result->collector, i)) != NULL; i++) {
        uint32_t at = result->context_count;
        if (about->frames == 0 || passtime_collector_snapshot(
                                      result->collector, i, &result->snapshots[at]) != PASSTIME_OK)
            continue;
        name_context(result, about);
        result->indices[at] = i;
        /* Budgets are judged by their means: see page_budget.c. */
        result->snapshots[at].budget_ns = 0;
        result->contexts[at] = (struct passtime_report_context){
            .snapshot = &result->snapshots[at],
            .id = result->ids[at],
            .warmup_frames = about->warmup,
            .wall_ns = about->seen_ns > about->begun_ns ? about->seen_ns - about->begun_ns : 0};
        result->context_count++;
    }
}

int page_run(const struct page_job *job, const char *capture, const char *screenshot,
             const char *stage, struct page_result *result)
{
    struct run run = {.job = job, .result = result, .begun_ns = passtime_port_now_ns()};
    FILE *picture = terminal_is_interactive(stderr) ? stderr : NULL;
    int exit_code = make_collector(&run, capture);
    live_begin(&run.live, picture, job->values.budget_ns);
    if (exit_code == EXIT_CODE_DONE)
        exit_code = start(&run);
    if (exit_code != EXIT_CODE_DONE)
        return exit_code;
    result->end = watch(&run, stage);
    live_end(&run.live);
    bring_in(&run, screenshot);
    bool kept = keep_realms(&run);
    passtime_page_end(&run.page);
    keep_contexts(result);
    if (!kept)
        return cli_fail(&job->cli, EXIT_CODE_NOTHING, "no memory for the report");
    return exit_code;
}

bool page_result_end(struct page_result *result)
{
    return passtime_collector_end(&result->collector);
}

void page_result_finish(struct page_result *result)
{
    for (uint32_t i = 0; i < result->context_count; i++)
        passtime_snapshot_finish(&result->snapshots[i]);
    (void)page_result_end(result);
    free(result->realms);
    memset(result, 0, sizeof *result);
}
