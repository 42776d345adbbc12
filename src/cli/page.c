/* SPDX-License-Identifier: MIT */
/* `passtime page`: times the passes of a page as it is, and says so by its exit code. */
#include "cli/page.h"

#include "cli/commands.h"
#include "cli/page_compare.h"

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
     .help = "compare with an earlier run's .json (may be repeated), or with another page"},
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

/* A base is a document of earlier runs, or a page that is run in turn with the other. */
static int take_bases(struct page_job *job)
{
    const struct option_list *bases = &job->values.compare;
    for (uint32_t i = 0; i < bases->count; i++) {
        if (page_is_base_file(bases->values[i]))
            continue;
        if (job->base_target)
            return cli_fail(&job->cli, EXIT_CODE_USAGE,
                            "--compare takes files of earlier runs, which end in .json, and one "
                            "page at most: '%s' is one too many",
                            bases->values[i]);
        job->base_target = bases->values[i];
    }
    return EXIT_CODE_DONE;
}

/* With --compare, what a shell made of BASE*.json stands among the operands. */
static int take_operands(struct page_job *job, const struct options_given *given)
{
    struct option_list *bases = &job->values.compare;
    for (int i = 0; i < given->operand_count; i++) {
        const char *operand = given->operands[i];
        if (bases->count > 0 && page_is_base_file(operand) && bases->count < OPTION_LIST_MAX)
            bases->values[bases->count++] = operand;
        else if (job->target)
            return cli_fail(&job->cli, EXIT_CODE_USAGE, "one page at a time: '%s' is one too many",
                            operand);
        else
            job->target = operand;
    }
    if (!job->target)
        return cli_fail(&job->cli, EXIT_CODE_USAGE, "say which page: passtime page URL");
    return take_bases(job);
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
        exit_code = page_measure(&job, bases);
    json_decref(bases);
    return exit_code;
}
