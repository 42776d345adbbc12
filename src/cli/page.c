/* SPDX-License-Identifier: MIT */
/* `passtime page`: times the passes of a page as it is, and says so by its exit code. */
#include "cli/page.h"

#include "cli/commands.h"
#include "cli/page_compare.h"
#include "port/process.h"
#include "sink/report_document.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int run_page(const struct command *self, int argc, char **argv);

static const struct option page_options[] = {
    {.name = "frames",
     .type = OPTION_COUNT,
     .offset = offsetof(struct page_values, frames),
     .argument = "N",
     .fallback = "120",
     .least = 1,
     .most = 100000000,
     .help = "time N frames of the busiest device or GL context"},
    {.name = "seconds",
     .type = OPTION_COUNT,
     .offset = offsetof(struct page_values, seconds),
     .argument = "S",
     .least = 1,
     .most = 86400,
     .help = "time what is drawn in S seconds from when the page is ready"},
    {.name = "warmup",
     .type = OPTION_COUNT,
     .offset = offsetof(struct page_values, warmup),
     .argument = "N",
     .fallback = "30",
     .least = 0,
     .most = 1000000,
     .help = "leave the first N frames of each context out"},
    {.name = "budget-ms",
     .type = OPTION_MS,
     .offset = offsetof(struct page_values, budget_ns),
     .argument = "B",
     .help = "fail where the mean frame takes the GPU more than B milliseconds"},
    {.name = "pass-budget",
     .type = OPTION_TEXTS,
     .offset = offsetof(struct page_values, pass_budgets),
     .argument = "N=MS",
     .help = "the same for the pass N, all its runs in a frame (may be repeated)"},
    {.name = "software",
     .type = OPTION_FLAG,
     .offset = offsetof(struct page_values, software),
     .help = "use the software adapter, and hold its times against budgets"},
    {.name = "stock",
     .type = OPTION_FLAG,
     .offset = offsetof(struct page_values, stock),
     .help = "measure as users' browsers do, in steps of 65,536 ns"},
    {.name = "fine",
     .type = OPTION_FLAG,
     .offset = offsetof(struct page_values, fine),
     .help = "ask the browser for full resolution (the default)"},
    {.name = "wait",
     .type = OPTION_TEXT,
     .offset = offsetof(struct page_values, wait),
     .argument = "SELECTOR",
     .help = "the page is ready once this CSS selector matches"},
    {.name = "eval",
     .type = OPTION_TEXT,
     .offset = offsetof(struct page_values, eval),
     .argument = "JS",
     .help = "run this in the page once it is ready"},
    {.name = "browser",
     .type = OPTION_FILE,
     .offset = offsetof(struct page_values, browser),
     .argument = "PATH",
     .help = "the Chromium to start (default: the first on the PATH)"},
    {.name = "flag",
     .type = OPTION_TEXTS,
     .offset = offsetof(struct page_values, flags),
     .argument = "FLAG",
     .help = "give the browser one more flag (may be repeated)"},
    {.name = "profile",
     .type = OPTION_FILE,
     .offset = offsetof(struct page_values, profile),
     .argument = "DIR",
     .help = "use and keep this profile (default: a fresh one, removed)"},
    {.name = "headed",
     .type = OPTION_FLAG,
     .offset = offsetof(struct page_values, headed),
     .help = "show the browser's window"},
    {.name = "capture",
     .type = OPTION_FILE,
     .offset = offsetof(struct page_values, capture),
     .argument = "FILE",
     .help = "write every frame as a Perfetto trace"},
    {.name = "screenshot",
     .type = OPTION_FILE,
     .offset = offsetof(struct page_values, screenshot),
     .argument = "FILE",
     .help = "write a picture of the page at the end"},
    {.name = "compare",
     .type = OPTION_FILES,
     .offset = offsetof(struct page_values, compare),
     .argument = "BASE",
     .help = "compare with an earlier run's --json (may be repeated)"},
    {.name = "repeat",
     .type = OPTION_COUNT,
     .offset = offsetof(struct page_values, repeat),
     .argument = "N",
     .fallback = "1",
     .least = 1,
     .most = PAGE_RUNS_MAX,
     .help = "run the page N times, each in a fresh browser"},
    {.name = "fail-above",
     .type = OPTION_COUNT,
     .offset = offsetof(struct page_values, fail_above),
     .argument = "PCT",
     .fallback = "10",
     .least = 0,
     .most = 10000,
     .help = "with --compare, fail where a pass is surely slower by more"},
    {.name = "strict",
     .type = OPTION_FLAG,
     .offset = offsetof(struct page_values, strict),
     .help = "fail where any realm escapes the hooks, or a budget is not decided"},
    {.name = "json",
     .type = OPTION_FLAG,
     .offset = offsetof(struct page_values, json),
     .help = "write JSON"},
    {.name = "csv",
     .type = OPTION_FLAG,
     .offset = offsetof(struct page_values, csv),
     .help = "write CSV, one row a pass"},
};

const struct command command_page = {
    .name = "page",
    .summary = "Time the GPU passes of a web page, unchanged, in Chromium",
    .operands = "URL",
    .files = true,
    .options = page_options,
    .option_count = sizeof page_options / sizeof page_options[0],
    .notes =
        "URL is an address, an .html file or a folder with an index.html; files are served on\n"
        "loopback for the time of the run.\n\n"
        "Exit code 1: a budget is exceeded by the mean and its error, its pass was never timed,\n"
        "or a pass became slower. Exit code 3: the page used no GPU, its main realm could not be\n"
        "hooked (with --strict: any realm), or the browser is missing or ended by itself. Ctrl-C\n"
        "ends the run and reports what was timed.\n",
    .run = run_page,
};

static bool parse_pass_budget(const char *text, struct page_pass_budget *budget)
{
    const char *equals = strrchr(text, '=');
    size_t bytes = equals ? (size_t)(equals - text) : 0;
    char *end;
    if (!equals || bytes == 0 || bytes >= sizeof budget->name || equals[1] < '.' || equals[1] > '9')
        return false;
    double ms = strtod(equals + 1, &end);
    if (*end != '\0' || !isfinite(ms) || ms < 1e-6 || ms > 86400e3)
        return false;
    memcpy(budget->name, text, bytes);
    budget->name[bytes] = '\0';
    budget->budget_ns = (uint64_t)(ms * 1e6 + 0.5);
    return true;
}

static int take_pass_budgets(struct page_job *job)
{
    const struct option_list *list = &job->values.pass_budgets;
    if (list->count > PASSTIME_COLLECT_BUDGETS_MAX)
        return cli_fail(&job->cli, EXIT_CODE_USAGE, "--pass-budget is for %d passes at most",
                        PASSTIME_COLLECT_BUDGETS_MAX);
    for (uint32_t i = 0; i < list->count; i++) {
        if (!parse_pass_budget(list->values[i], &job->pass_budgets[i]))
            return cli_fail(&job->cli, EXIT_CODE_USAGE,
                            "--pass-budget takes a pass's name and milliseconds, such as "
                            "shadow=2.5, not '%s'",
                            list->values[i]);
        job->pass_budget_count++;
    }
    return EXIT_CODE_DONE;
}

static bool ends_in_json(const char *text)
{
    size_t bytes = strlen(text);
    return bytes > 5 && strcmp(text + bytes - 5, ".json") == 0;
}

/* With --compare, what a shell made of BASE*.json stands among the operands. */
static int take_operands(struct page_job *job, const struct options_given *given)
{
    struct option_list *bases = &job->values.compare;
    for (int i = 0; i < given->operand_count; i++) {
        const char *operand = given->operands[i];
        if (bases->count > 0 && ends_in_json(operand) && bases->count < OPTION_LIST_MAX)
            bases->values[bases->count++] = operand;
        else if (job->target)
            return cli_fail(&job->cli, EXIT_CODE_USAGE, "one page at a time: '%s' is one too many",
                            operand);
        else
            job->target = operand;
    }
    if (!job->target)
        return cli_fail(&job->cli, EXIT_CODE_USAGE, "say which page: passtime page URL");
    return EXIT_CODE_DONE;
}

static int check_use(struct page_job *job, const struct options_given *given)
{
    const struct page_values *values = &job->values;
    const struct cli *cli = &job->cli;
    int exit_code = take_operands(job, given);
    if (exit_code == EXIT_CODE_DONE)
        exit_code = take_pass_budgets(job);
    if (exit_code != EXIT_CODE_DONE)
        return exit_code;
    if (values->csv && values->json)
        return cli_fail(cli, EXIT_CODE_USAGE, "--csv and --json exclude each other; give one");
    if (values->stock && values->fine)
        return cli_fail(cli, EXIT_CODE_USAGE, "--stock and --fine exclude each other; give one");
    if (values->csv && values->compare.count > 0)
        return cli_fail(cli, EXIT_CODE_USAGE, "--compare comes as a table or as JSON, not as CSV");
    if (values->profile && values->repeat > 1)
        return cli_fail(cli, EXIT_CODE_USAGE,
                        "--repeat runs the page in fresh browsers, so it excludes --profile");
    if (values->capture && values->screenshot && strcmp(values->capture, values->screenshot) == 0)
        return cli_fail(cli, EXIT_CODE_USAGE,
                        "--capture and --screenshot name the same file, %s; give two",
                        values->capture);
    if (values->capture && !cli_can_write(values->capture))
        return cli_fail(cli, EXIT_CODE_USAGE,
                        "can't write the capture %s: %s; give --capture another path",
                        values->capture, strerror(errno));
    if (values->screenshot && !cli_can_write(values->screenshot))
        return cli_fail(cli, EXIT_CODE_USAGE,
                        "can't write the picture %s: %s; give --screenshot another path",
                        values->screenshot, strerror(errno));
    return EXIT_CODE_DONE;
}

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

static int judge_nothing(const struct page_job *job, const struct page_result *result)
{
    uint32_t contexts = passtime_collector_contexts(result->collector);
    if (contexts == 0)
        return cli_fail(&job->cli, EXIT_CODE_NOTHING,
                        "the page used no GPU: it made no WebGPU device and no WebGL context%s",
                        result->info.console_errors + result->info.exceptions > 0
                            ? "; it reported errors, which may be why"
                            : "");
    if (result->context_count == 0)
        return cli_fail(&job->cli, EXIT_CODE_NOTHING,
                        "the page made %u device%s or GL contexts and drew nothing with them; if "
                        "it waits for something, say so by --wait or --eval",
                        contexts, contexts == 1 ? "" : "s");
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
    bool frames_wanted = job->values.seconds == 0 || job->frames_given;
    if (result->end == PAGE_END_INTERRUPTED)
        cli_warn(&job->cli, "interrupted after %llu frames", counted);
    else if (result->end == PAGE_END_IDLE && result->context_count > 0)
        cli_warn(&job->cli,
                 "the page drew nothing for 10 s, so the run ended after %llu counted frames "
                 "(fewer than --warmup: all of them count)",
                 counted);
    else if (result->end == PAGE_END_LONG)
        cli_warn(&job->cli, "%llu of %llu frames came within 300 s; give --seconds for more time",
                 counted, (unsigned long long)job->values.frames);
    else if (result->end == PAGE_END_DONE && frames_wanted && counted < job->values.frames)
        cli_warn(&job->cli, "%llu of %llu frames came", counted,
                 (unsigned long long)job->values.frames);
}

static void print_files(const struct page_values *values)
{
    if (values->capture)
        printf("\ncapture  %s\n"
               "         open it at https://ui.perfetto.dev\n"
               "         or run: passtime report %s\n",
               values->capture, values->capture);
    if (values->screenshot)
        printf("%spicture  %s\n", values->capture ? "" : "\n", values->screenshot);
}

/* All runs, the last of them in `result`; every one's document in `runs`. */
static int run_all(const struct page_job *job, struct page_result *result, json_t *runs)
{
    const struct page_values *values = &job->values;
    for (uint64_t i = 0; i < values->repeat; i++) {
        bool last = i + 1 == values->repeat;
        char stage[48] = "frame";
        if (values->repeat > 1)
            snprintf(stage, sizeof stage, "run %u of %u: frame", (unsigned)i + 1,
                     (unsigned)values->repeat);
        page_result_finish(result);
        int exit_code = page_run(job, last ? values->capture : NULL,
                                 last ? values->screenshot : NULL, stage, result);
        if (exit_code != EXIT_CODE_DONE)
            return exit_code;
        json_array_append_new(runs, page_document(job, result));
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

static int run_and_report(const struct page_job *job, const json_t *bases)
{
    struct page_result *result = calloc(1, sizeof *result);
    json_t *runs = json_array();
    if (!result || !runs) {
        free(result);
        json_decref(runs);
        return cli_fail(&job->cli, EXIT_CODE_NOTHING, "no memory");
    }
    passtime_interrupts_hold();
    int exit_code = run_all(job, result, runs);
    passtime_interrupts_release();
    if (exit_code == EXIT_CODE_DONE) {
        exit_code = report(job, result, runs, bases);
        if (!job->values.json && !job->values.csv)
            print_files(&job->values);
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

static int run_page(const struct command *self, int argc, char **argv)
{
    struct options_given given;
    struct page_job job = {.cli = {.command = self->name, .json = options_want_json(argc, argv)}};
    int exit_code;
    if (!options_parse(self, &job.cli, argc, argv, &job.values, &given, &exit_code))
        return exit_code;
    job.frames_given = options_is_given(self, &given, "frames");
    exit_code = check_use(&job, &given);
    if (exit_code != EXIT_CODE_DONE)
        return exit_code;
    json_t *bases = json_array();
    exit_code = page_bases_read(&job, bases);
    if (exit_code == EXIT_CODE_DONE)
        exit_code = run_and_report(&job, bases);
    json_decref(bases);
    return exit_code;
}
