/* SPDX-License-Identifier: MIT */
/* Runs a page as often as is asked for, reports, and decides the exit code. */
#include "cli/page_compare.h"

#include "port/process.h"
#include "sink/report_document.h"

#include <stdlib.h>
#include <string.h>

/* What keeps the page from having been measured; DONE: nothing. */
static int judge_realms(const struct page_job *job, const struct page_result *result)
{
    for (uint32_t i = 0; i < result->realm_count; i++) {
        const struct passtime_page_realm *realm = &result->realms[i];
        struct page_realm_words words = page_realm_words(result, realm);
        bool hooked = strcmp(words.status, "hooked") == 0;
        const char *why = realm->text[0] ? realm->text : "no script of it ran";
        if (realm->main && !hooked)
            return cli_fail(&job->cli, EXIT_CODE_NOTHING, "the page could not be hooked: %s", why);
        if (job->values.strict && !words.whole)
            return cli_fail(&job->cli, EXIT_CODE_NOTHING,
                            "--strict: a realm is not hooked as a whole: the %s %s%s%s", words.kind,
                            realm->url, hooked ? "" : ": ", hooked ? "" : why);
    }
    return EXIT_CODE_DONE;
}

static bool any_good(const struct page_result *result)
{
    for (uint32_t i = 0; i < result->context_count; i++) {
        for (uint32_t s = 0; s < result->snapshots[i].series_count; s++) {
            if (result->snapshots[i].series[s].stats.count > 0)
                return true;
        }
    }
    return false;
}

/* A realm whose GPU work may have escaped; NULL: there is none. */
static const struct passtime_page_realm *find_escape(const struct page_result *result)
{
    for (uint32_t i = 0; i < result->realm_count; i++) {
        if (!page_realm_words(result, &result->realms[i]).whole)
            return &result->realms[i];
    }
    return NULL;
}

static int judge_nothing(const struct page_job *job, const struct page_result *result)
{
    uint32_t contexts = passtime_collector_contexts(result->collector);
    const struct passtime_page_realm *escape = find_escape(result);
    if (contexts == 0 && escape)
        return cli_fail(&job->cli, EXIT_CODE_NOTHING,
                        "no GPU work of the page was seen, but not all of it can be: the line "
                        "\"realm\" of the %s says what escapes (\"realms\" in the JSON)",
                        page_realm_words(result, escape).kind);
    if (contexts == 0)
        return cli_fail(&job->cli, EXIT_CODE_NOTHING,
                        "the page used no GPU: it made no WebGPU device and no WebGL context%s",
                        result->info.console_errors + result->info.exceptions > 0
                            ? "; it reported errors, which may be why"
                            : "");
    if (result->context_count == 0)
        return cli_fail(&job->cli, EXIT_CODE_NOTHING,
                        "the page made %u device%s or GL context%s and drew nothing with them; if "
                        "it waits for something, say so by --wait or --eval",
                        contexts, contexts == 1 ? "" : "s", contexts == 1 ? "" : "s");
    return cli_fail(&job->cli, EXIT_CODE_NOTHING,
                    "no pass of the page could be timed; the last lines of the table say why");
}

/* Whether the run measured the page as it was asked to. */
static int judge_run(const struct page_job *job, const struct page_result *result)
{
    int exit_code = judge_realms(job, result);
    if (exit_code != EXIT_CODE_DONE)
        return exit_code;
    if (result->end == PAGE_END_GONE)
        return cli_fail(&job->cli, EXIT_CODE_NOTHING, "the run ended early: %s",
                        result->info.ended_text[0] ? result->info.ended_text
                                                   : "the browser is gone");
    if (!any_good(result))
        return judge_nothing(job, result);
    return EXIT_CODE_DONE;
}

static void warn_of_end(const struct page_job *job, const struct page_result *result)
{
    unsigned long long counted =
        (unsigned long long)passtime_collector_most_frames(result->collector);
    unsigned long long all =
        (unsigned long long)passtime_collector_counts(result->collector)->frames;
    unsigned long long wanted = (unsigned long long)job->values.frames;
    const char *few =
        counted == 0 && all > 0 ? "; as no context had more than --warmup, all of them count" : "";
    unsigned long long frames = counted == 0 ? all : counted;
    if (result->end == PAGE_END_INTERRUPTED)
        cli_warn(&job->cli, "interrupted after %llu frames%s", frames, few);
    else if (result->end == PAGE_END_IDLE && all > 0)
        cli_warn(&job->cli, "the page drew nothing for 10 s, so the run ended after %llu frames%s",
                 frames, few);
    else if (result->end == PAGE_END_LONG)
        cli_warn(&job->cli, "%llu of %llu frames came within 300 s%s; give --seconds for more time",
                 frames, wanted, few);
    else if (result->end == PAGE_END_DONE && few[0])
        cli_warn(&job->cli, "%llu frames came%s", frames, few);
}

static void print_files(const struct page_values *values, const struct page_result *result)
{
    /* A capture is made with its first frame. */
    const bool captured = passtime_collector_counts(result->collector)->frames > 0;
    if (values->capture && !captured)
        printf("\nno capture was written: no frame came\n");
    else if (values->capture)
        printf("\ncapture  %s\n"
               "         open it at https://ui.perfetto.dev\n"
               "         or run: passtime report %s\n",
               values->capture, values->capture);
    if (result->has_picture)
        printf("%spicture  %s\n", values->capture ? "" : "\n", values->screenshot);
}

/* One run of the page to compare with. */
static int run_base(const struct page_job *job, const char *stage, json_t *bases)
{
    struct page_job base = *job;
    struct page_result *result = calloc(1, sizeof *result);
    base.target = job->base_target;
    if (!result)
        return cli_fail(&job->cli, EXIT_CODE_NOTHING, "no memory");
    int exit_code = page_run(&base, NULL, NULL, stage, result);
    if (exit_code == EXIT_CODE_DONE)
        exit_code = judge_run(&base, result);
    if (exit_code != EXIT_CODE_DONE)
        cli_warn(&job->cli, "that was the page to compare with, %s", base.target);
    json_t *document = exit_code == EXIT_CODE_DONE ? page_document(&base, result) : NULL;
    if (document) {
        json_object_set_new(document, "file", json_string(base.target));
        json_array_append_new(bases, document);
    }
    page_result_finish(result);
    free(result);
    return exit_code;
}

/* One run of each page, in turn: what drifts on the machine meets both. */
static int run_turn(const struct page_job *job, uint64_t turn, struct page_result *result,
                    json_t *runs, json_t *bases)
{
    const struct page_values *values = &job->values;
    bool last = turn + 1 == values->repeat;
    char stage[64] = "frame", base_stage[72] = "base: frame";
    if (values->repeat > 1) {
        snprintf(stage, sizeof stage, "run %u of %u: frame", (unsigned)turn + 1,
                 (unsigned)values->repeat);
        snprintf(base_stage, sizeof base_stage, "base, %s", stage);
    }
    int exit_code = EXIT_CODE_DONE;
    if (job->base_target)
        exit_code = run_base(job, base_stage, bases);
    page_result_finish(result);
    if (exit_code == EXIT_CODE_DONE)
        exit_code = page_run(job, last ? values->capture : NULL, last ? values->screenshot : NULL,
                             stage, result);
    if (exit_code == EXIT_CODE_DONE)
        json_array_append_new(runs, page_document(job, result));
    return exit_code;
}

/* All runs, the last of them in `result`; every one's document in `runs`. */
static int run_all(const struct page_job *job, struct page_result *result, json_t *runs,
                   json_t *bases)
{
    for (uint64_t i = 0; i < job->values.repeat; i++) {
        int exit_code = run_turn(job, i, result, runs, bases);
        if (exit_code != EXIT_CODE_DONE)
            return exit_code;
        /* A run that failed, or was broken off, is the last: it is the one to be told of. */
        if (result->end == PAGE_END_INTERRUPTED || result->end == PAGE_END_GONE ||
            !any_good(result))
            break;
    }
    return EXIT_CODE_DONE;
}

/* The document of the last run, with what only all of them together say. */
static void print_json(const struct page_job *job, const struct page_budget *budgets,
                       uint32_t budget_count, json_t *runs, const struct page_comparison *compared)
{
    size_t count = json_array_size(runs);
    json_t *root = json_deep_copy(json_array_get(runs, count - 1));
    json_t *list = json_array();
    for (size_t i = 0; i < count && count > 1; i++) {
        json_t *run = json_object();
        json_object_set(run, "contexts", json_object_get(json_array_get(runs, i), "contexts"));
        json_array_append_new(list, run);
    }
    json_object_set_new(root, "budgets", page_budgets_json(budgets, budget_count));
    json_object_set_new(root, "runs", list);
    json_object_set_new(root, "comparison",
                        compared ? page_comparison_json(compared) : json_null());
    (void)job;
    passtime_report_dump(stdout, root);
}

static int report(const struct page_job *job, struct page_result *result, json_t *runs,
                  const json_t *bases)
{
    struct page_budget budgets[PAGE_BUDGETS_MAX];
    struct page_comparison *compared = NULL;
    FILE *words = job->values.csv ? stderr : stdout;
    uint32_t budget_count = page_budgets(job, result, budgets);
    int compare_code = EXIT_CODE_DONE;
    bool wants = json_array_size(bases) > 0 && result->context_count > 0;
    if (wants)
        compare_code = page_compare(job, bases, runs, &compared);
    page_show(job, result);
    if (job->values.json)
        print_json(job, budgets, budget_count, runs, compared);
    else
        page_budgets_print(budgets, budget_count, words);
    if (!job->values.json && compared)
        page_comparison_print(compared, stdout);
    else if (!job->values.json && !job->values.csv && json_array_size(runs) > 1)
        page_runs_print(runs, stdout);
    int exit_code = judge_run(job, result);
    warn_of_end(job, result);
    if (exit_code == EXIT_CODE_DONE)
        exit_code = compare_code;
    if (exit_code == EXIT_CODE_DONE)
        exit_code = page_budgets_judge(job, budgets, budget_count);
    page_comparison_free(compared);
    return exit_code;
}

int page_measure(const struct page_job *job, json_t *bases)
{
    struct page_result *result = calloc(1, sizeof *result);
    json_t *runs = json_array();
    if (!result || !runs) {
        free(result);
        json_decref(runs);
        return cli_fail(&job->cli, EXIT_CODE_NOTHING, "no memory");
    }
    passtime_interrupts_hold();
    int exit_code = run_all(job, result, runs, bases);
    passtime_interrupts_release();
    if (exit_code == EXIT_CODE_DONE) {
        exit_code = report(job, result, runs, bases);
        if (!job->values.json && !job->values.csv)
            print_files(&job->values, result);
    }
    if (!page_result_end(result))
        exit_code = cli_fail(&job->cli, EXIT_CODE_USAGE,
                             "the capture %s could not be written to its end (is the disk full?); "
                             "what is there can be read",
                             job->values.capture);
    page_result_finish(result);
    free(result);
    json_decref(runs);
    return exit_code;
}
