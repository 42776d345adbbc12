/* SPDX-License-Identifier: MIT */
/* `passtime report`: reads captures back and says what is in them. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/terminal.h"
#include "read/capture_read.h"
#include "sink/report.h"
#include "sink/report_figures.h"

enum { ID_BYTES = 1024 };

struct report_values {
    bool json, csv;
    uint64_t frame;
};

/* One capture that was read. */
struct capture_file {
    const char *path;
    struct passtime_capture_data data;
};

struct report {
    struct cli cli;
    struct report_values values;
    bool frame_given;
    struct capture_file *files;
    uint32_t file_count;
    struct passtime_report_context *contexts;
    char (*ids)[ID_BYTES];
    uint32_t context_count;
};

/* What the search for one frame found. */
struct frame_search {
    uint64_t number;
    uint64_t first, last, count; /* of the frames that are there */
    passtime_frame *found;
    uint32_t context;
};

static int run_report(const struct command *self, int argc, char **argv);

static const struct option report_options[] = {
    {.name = "json",
     .type = OPTION_FLAG,
     .offset = offsetof(struct report_values, json),
     .help = "write JSON"},
    {.name = "csv",
     .type = OPTION_FLAG,
     .offset = offsetof(struct report_values, csv),
     .help = "write CSV, one row a pass"},
    {.name = "frame",
     .type = OPTION_COUNT,
     .offset = offsetof(struct report_values, frame),
     .argument = "N",
     .most = UINT64_MAX,
     .help = "show frame N as a tree"},
};

const struct command command_report = {
    .name = "report",
    .summary = "Say what is in captures",
    .operands = "FILE...",
    .files = true,
    .options = report_options,
    .option_count = sizeof report_options / sizeof report_options[0],
    .notes =
        "A capture is a Perfetto trace that Passtime wrote: passtime demo --capture FILE.\n\n"
        "Exit code 1: fewer than 95 % of the timed frames are proved to be within the budget, on "
        "a\nGPU that is no software adapter.\n",
    .run = run_report,
};

static void visit_frame(void *user, uint32_t context, const passtime_frame *frame)
{
    struct frame_search *search = user;
    if (search->count == 0 || frame->number < search->first)
        search->first = frame->number;
    if (search->count == 0 || frame->number > search->last)
        search->last = frame->number;
    search->count++;
    if (frame->number == search->number && !search->found) {
        search->found = passtime_frame_copy(frame);
        search->context = context;
    }
}

static int read_file(struct report *report, struct capture_file *file,
                     const struct passtime_frame_visitor *visitor)
{
    char error[512];
    passtime_result result =
        passtime_capture_read(file->path, visitor, &file->data, error, sizeof error);
    if (result == PASSTIME_OK)
        return EXIT_CODE_DONE;
    return cli_fail(&report->cli, EXIT_CODE_USAGE, "%s: %s", file->path, error);
}

static int show_frame(struct report *report, struct capture_file *file)
{
    struct frame_search search = {.number = report->values.frame};
    const struct passtime_frame_visitor visitor = {.frame = visit_frame, .user = &search};
    struct passtime_report_style style = terminal_style(stdout);
    int exit_code = read_file(report, file, &visitor);
    if (exit_code != EXIT_CODE_DONE)
        return exit_code;
    if (!search.found && search.count == 0)
        return cli_fail(&report->cli, EXIT_CODE_USAGE, "%s holds no whole frame", file->path);
    if (!search.found)
        return cli_fail(&report->cli, EXIT_CODE_USAGE,
                        "%s has no frame %" PRIu64 "; its %" PRIu64 " frames are %" PRIu64
                        " to %" PRIu64,
                        file->path, search.number, search.count, search.first, search.last);
    if (report->values.json)
        passtime_report_tree_json(stdout, search.found, file->path);
    else
        passtime_report_tree(stdout, search.found,
                             file->data.contexts[search.context].snapshot.budget_ns, &style);
    free(search.found);
    return EXIT_CODE_DONE;
}

static uint32_t count_contexts(const struct report *report)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < report->file_count; i++)
        count += report->files[i].data.context_count;
    return count;
}

/* Lines the contexts of all files up; several of one file are numbered. */
static bool gather_contexts(struct report *report)
{
    uint32_t count = count_contexts(report);
    report->contexts = calloc(count, sizeof *report->contexts);
    report->ids = calloc(count, sizeof *report->ids);
    if (!report->contexts || !report->ids)
        return false;
    for (uint32_t i = 0; i < report->file_count; i++) {
        const struct passtime_capture_data *data = &report->files[i].data;
        for (uint32_t c = 0; c < data->context_count; c++) {
            uint32_t at = report->context_count++;
            if (data->context_count > 1)
                snprintf(report->ids[at], ID_BYTES, "%s#%u", report->files[i].path, c);
            else
                snprintf(report->ids[at], ID_BYTES, "%s", report->files[i].path);
            report->contexts[at] = (struct passtime_report_context){
                .snapshot = &data->contexts[c].snapshot, .id = report->ids[at]};
            if (data->whole_bytes < data->bytes)
                report->contexts[at].truncated_bytes = data->whole_bytes;
        }
    }
    return true;
}

static int judge_budgets(const struct report *report)
{
    for (uint32_t i = 0; i < report->context_count; i++) {
        const struct passtime_snapshot *snapshot = report->contexts[i].snapshot;
        if (!snapshot->adapter.software &&
            passtime_figures_of(snapshot).budget == PASSTIME_BUDGET_MISSED)
            return EXIT_CODE_FAILED;
    }
    return EXIT_CODE_DONE;
}

static int show_all(struct report *report)
{
    struct passtime_report_style style = terminal_style(stdout);
    for (uint32_t i = 0; i < report->file_count; i++) {
        int exit_code = read_file(report, &report->files[i], NULL);
        if (exit_code != EXIT_CODE_DONE)
            return exit_code;
    }
    if (!gather_contexts(report))
        return cli_fail(&report->cli, EXIT_CODE_USAGE,
                        "no memory for so many captures; give fewer");
    if (report->values.json)
        passtime_report_json(stdout, report->contexts, report->context_count);
    else if (report->values.csv)
        passtime_report_csv(stdout, report->contexts, report->context_count);
    else
        passtime_report_table(stdout, report->contexts, report->context_count, &style);
    return judge_budgets(report);
}

static int show(struct report *report)
{
    if (!report->frame_given)
        return show_all(report);
    for (uint32_t i = 0; i < report->file_count; i++) {
        int exit_code = show_frame(report, &report->files[i]);
        if (exit_code != EXIT_CODE_DONE)
            return exit_code;
    }
    return EXIT_CODE_DONE;
}

static void finish(struct report *report)
{
    for (uint32_t i = 0; i < report->file_count; i++)
        passtime_capture_data_finish(&report->files[i].data);
    free(report->files);
    free(report->contexts);
    free(report->ids);
}

static int check_use(const struct report *report, const struct options_given *given)
{
    const struct cli *cli = &report->cli;
    if (given->operand_count == 0)
        return cli_fail(cli, EXIT_CODE_USAGE, "say which captures: passtime report FILE...");
    if (report->values.csv && report->values.json)
        return cli_fail(cli, EXIT_CODE_USAGE, "--csv and --json exclude each other; give one");
    if (report->values.csv && report->frame_given)
        return cli_fail(cli, EXIT_CODE_USAGE, "--frame comes as a tree or with --json, not as CSV");
    return EXIT_CODE_DONE;
}

static int run_report(const struct command *self, int argc, char **argv)
{
    struct options_given given;
    struct report report = {.cli = {.command = self->name, .json = options_want_json(argc, argv)}};
    int exit_code;
    if (!options_parse(self, &report.cli, argc, argv, &report.values, &given, &exit_code))
        return exit_code;
    report.frame_given = options_is_given(self, &given, "frame");
    exit_code = check_use(&report, &given);
    if (exit_code != EXIT_CODE_DONE)
        return exit_code;
    report.files = calloc((size_t)given.operand_count, sizeof *report.files);
    if (!report.files)
        return cli_fail(&report.cli, EXIT_CODE_USAGE, "no memory");
    report.file_count = (uint32_t)given.operand_count;
    for (uint32_t i = 0; i < report.file_count; i++)
        report.files[i].path = given.operands[i];
    exit_code = show(&report);
    finish(&report);
    return exit_code;
}
