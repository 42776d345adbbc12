/* SPDX-License-Identifier: MIT */
/* `passtime demo`: sets the run up, so that what can't work is said before it begins, and reports.
 */
#include "cli/demo.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/picture.h"
#include "sink/report_cost.h"
#include "sink/report_figures.h"

static int run_demo(const struct command *self, int argc, char **argv);

static const struct option demo_options[] = {
    {.name = "frames",
     .type = OPTION_COUNT,
     .offset = offsetof(struct demo_values, frames),
     .argument = "N",
     .fallback = "120",
     .least = 1,
     .most = 100000000,
     .help = "draw N frames"},
    {.name = "points",
     .type = OPTION_COUNT,
     .offset = offsetof(struct demo_values, points),
     .argument = "N",
     .least = 1,
     .most = 4000000000,
     .help = "points of the map (default 10000000)"},
    {.name = "size",
     .type = OPTION_COUNT,
     .offset = offsetof(struct demo_values, size),
     .argument = "N",
     .least = SCENE_SIZE_MIN,
     .most = SCENE_SIZE_MAX,
     .help = "draw N x N pixels (default: as the scene likes)"},
    {.name = "adapter",
     .type = OPTION_TEXT,
     .offset = offsetof(struct demo_values, adapter),
     .argument = "NAME",
     .help = "take the adapter whose name, driver or API contains NAME"},
    {.name = "api",
     .type = OPTION_TEXT,
     .offset = offsetof(struct demo_values, api),
     .argument = "API",
     .fallback = "webgpu",
     .help = "draw through API: webgpu, gl or gles"},
    {.name = "budget-ms",
     .type = OPTION_MS,
     .offset = offsetof(struct demo_values, budget_ns),
     .argument = "B",
     .fallback = "14.0",
     .help = "hold frames against B milliseconds"},
    {.name = "every",
     .type = OPTION_COUNT,
     .offset = offsetof(struct demo_values, every),
     .argument = "N",
     .fallback = "1",
     .least = 1,
     .most = UINT32_MAX,
     .help = "time one frame in N"},
    {.name = "off",
     .type = OPTION_FLAG,
     .offset = offsetof(struct demo_values, off),
     .help = "draw the same frames and time none"},
    {.name = "fallback",
     .type = OPTION_FLAG,
     .offset = offsetof(struct demo_values, fallback),
     .help = "time by the CPU's clock, even where the GPU can stamp"},
    {.name = "flush",
     .type = OPTION_FLAG,
     .offset = offsetof(struct demo_values, flush),
     .help = "flush after each stamp (gl, gles): tiled GPUs then stamp in the right place"},
    {.name = "elapsed",
     .type = OPTION_FLAG,
     .offset = offsetof(struct demo_values, elapsed),
     .hidden = true,
     .help = "time by elapsed queries, even where there are timestamps"},
    {.name = "stamp-cost",
     .type = OPTION_FLAG,
     .offset = offsetof(struct demo_values, stamp_cost),
     .help = "measure what stamps cost here first, and say how much of the frame that is"},
    {.name = "counters",
     .type = OPTION_FLAG,
     .offset = offsetof(struct demo_values, counters),
     .help = "count pixels and steps in the shaders (passes, webgpu), and say what that adds"},
    {.name = "png",
     .type = OPTION_FILE,
     .offset = offsetof(struct demo_values, png),
     .argument = "FILE",
     .help = "write the last frame as a picture"},
    {.name = "capture",
     .type = OPTION_FILE,
     .offset = offsetof(struct demo_values, capture),
     .argument = "FILE",
     .help = "write every frame as a Perfetto trace"},
    {.name = "json",
     .type = OPTION_FLAG,
     .offset = offsetof(struct demo_values, json),
     .help = "write the report as JSON"},
    {.name = "warmup",
     .type = OPTION_COUNT,
     .offset = offsetof(struct demo_values, warmup),
     .argument = "N",
     .fallback = "6",
     .least = 0,
     .most = 10000,
     .hidden = true,
     .help = "draw N frames before, and count them nowhere"},
    {.name = "verbose",
     .type = OPTION_FLAG,
     .offset = offsetof(struct demo_values, verbose),
     .hidden = true,
     .help = "say what Passtime logs"},
};

static const struct demo_api *const demo_apis[] = {&demo_webgpu, &demo_gl, &demo_gles};

static const char *const scene_words[] = {"map", "passes", NULL};

const struct command command_demo = {
    .name = "demo",
    .summary = "Draw frames on this machine's GPU and time their passes",
    .operands = "[map|passes]",
    .words = scene_words,
    .options = demo_options,
    .option_count = sizeof demo_options / sizeof demo_options[0],
    .notes =
        "map     scatters points into a density grid, culls tiles and paints a map (default)\n"
        "passes  draws three full-screen passes of 64, 256 and 1024 loops a pixel\n\n"
        "Exit code 1: fewer than 95 % of the timed frames are proved to be within the budget. On "
        "a\n"
        "software adapter that counts only where --budget-ms is given. Exit code 2 also where the\n"
        "capture or the picture could not be written. Ctrl-C ends the run and keeps what was "
        "timed.\n",
    .run = run_demo,
};

static void on_log(void *user, passtime_log_item item, const char *message)
{
    struct demo *demo = user;
    (void)item;
    snprintf(demo->said, sizeof demo->said, "%s", message);
    if (demo->values.verbose)
        cli_warn(&demo->cli, "log %d: %s", (int)item, message);
}

static const struct demo_api *find_api(const char *name)
{
    for (size_t i = 0; i < sizeof demo_apis / sizeof demo_apis[0]; i++) {
        if (strcmp(demo_apis[i]->name, name) == 0)
            return demo_apis[i];
    }
    return NULL;
}

/* Options that exclude each other, or that are not for this API. */
static int check_options(const struct demo *demo)
{
    const struct demo_values *values = &demo->values;
    const struct cli *cli = &demo->cli;
    if (!demo->api)
        return cli_fail(cli, EXIT_CODE_USAGE,
                        "there is no API '%s' for --api; there are: webgpu, gl, gles", values->api);
    if ((values->flush || values->elapsed) && !demo->api->flushes)
        return cli_fail(cli, EXIT_CODE_USAGE, "--%s is for --api gl and gles, not for %s",
                        values->flush ? "flush" : "elapsed", demo->api->name);
    if ((values->flush || values->elapsed) && (values->off || values->fallback))
        return cli_fail(cli, EXIT_CODE_USAGE, "--%s excludes --%s, which asks the GPU for no time",
                        values->flush ? "flush" : "elapsed", values->off ? "off" : "fallback");
    if (values->off && values->capture)
        return cli_fail(cli, EXIT_CODE_USAGE,
                        "--off times nothing, so there is nothing for --capture");
    if (values->stamp_cost && (values->off || values->fallback || values->elapsed))
        return cli_fail(cli, EXIT_CODE_USAGE, "--stamp-cost is for runs that are timed by stamps");
    if (values->counters && !demo->api->count)
        return cli_fail(cli, EXIT_CODE_USAGE, "--counters is for --api webgpu, not for %s",
                        demo->api->name);
    if (values->counters && demo->kind->counter_count == 0)
        return cli_fail(cli, EXIT_CODE_USAGE,
                        "the shaders of the scene '%s' do not count; --counters is for passes",
                        demo->kind->name);
    if (values->counters && values->off)
        return cli_fail(cli, EXIT_CODE_USAGE, "--off and --counters exclude each other; give one");
    if (values->off && values->fallback)
        return cli_fail(cli, EXIT_CODE_USAGE, "--off and --fallback exclude each other; give one");
    return EXIT_CODE_DONE;
}

static int check_values(struct demo *demo, const struct scene_kind *kind)
{
    const struct demo_values *values = &demo->values;
    const struct cli *cli = &demo->cli;
    int exit_code = check_options(demo);
    if (exit_code != EXIT_CODE_DONE)
        return exit_code;
    if (demo->points_given && kind->default_points == 0)
        return cli_fail(cli, EXIT_CODE_USAGE, "the scene '%s' has no points; --points is for map",
                        kind->name);
    if (values->png && values->capture && strcmp(values->png, values->capture) == 0)
        return cli_fail(cli, EXIT_CODE_USAGE,
                        "--png and --capture name the same file, %s; give two", values->png);
    if (values->png && !cli_can_write(values->png))
        return cli_fail(cli, EXIT_CODE_USAGE,
                        "can't write the picture %s: %s; give --png another path", values->png,
                        strerror(errno));
    if (values->capture && !cli_can_write(values->capture))
        return cli_fail(cli, EXIT_CODE_USAGE,
                        "can't write the capture %s: %s; give --capture another path",
                        values->capture, strerror(errno));
    return EXIT_CODE_DONE;
}

static int open_scene(struct demo *demo, const struct scene_kind *kind)
{
    char error[1024];
    const struct scene_desc desc = {.size_pixels = (uint32_t)demo->values.size,
                                    .point_count = demo->values.points};
    if (demo->api->make_scene(demo, kind, &desc, error, sizeof error))
        return EXIT_CODE_DONE;
    /* What the user asked for is too much for this device; what he did not ask for is the device's.
     */
    bool asked = demo->size_given || demo->points_given;
    return cli_fail(&demo->cli, asked ? EXIT_CODE_USAGE : EXIT_CODE_NOTHING, "%s", error);
}

static int open_timer(struct demo *demo)
{
    passtime_desc desc = PASSTIME_DESC_INIT;
    desc.max_passes = SCENE_PASSES_MAX;
    desc.budget_ns = demo->values.off ? 0 : demo->values.budget_ns;
    desc.log = on_log;
    desc.log_user = demo;
    if (demo->values.off)
        desc.flags = PASSTIME_START_DISABLED;
    char error[1024];
    passtime_result result = demo->api->make_timer(demo, &desc);
    if (result == PASSTIME_OK && demo->values.counters) {
        demo->counting = demo->api->count(demo, error, sizeof error);
        return demo->counting ? EXIT_CODE_DONE
                              : cli_fail(&demo->cli, EXIT_CODE_NOTHING, "%s", error);
    }
    if (result == PASSTIME_OK)
        return EXIT_CODE_DONE;
    return cli_fail(&demo->cli, EXIT_CODE_NOTHING, "no timer on \"%s\": %s%s%s", demo->adapter.name,
                    passtime_result_name(result), demo->said[0] ? ": " : "", demo->said);
}

static int open_capture(struct demo *demo)
{
    passtime_capture_desc desc = PASSTIME_CAPTURE_DESC_INIT;
    if (!demo->values.capture)
        return EXIT_CODE_DONE;
    desc.adapter = &demo->adapter;
    desc.budget_ns = demo->values.budget_ns;
    if (passtime_capture_open(demo->values.capture, &desc, &demo->sink) == PASSTIME_OK) {
        (void)passtime_capture_counters(demo->sink, demo->timer); /* where there are any */
        return EXIT_CODE_DONE;
    }
    return cli_fail(&demo->cli, EXIT_CODE_USAGE, "can't write the capture %s: %s",
                    demo->values.capture, strerror(errno));
}

static void close_all(struct demo *demo)
{
    passtime_capture_close(&demo->sink);
    passtime_destroy(&demo->timer);
    /* Closing waits for the device, which a stuck one never lets end. */
    if (demo->api && !demo->stuck)
        demo->api->close(demo);
}

/* Ends the capture. False: not all of it could be written. */
static bool finish_capture(struct demo *demo)
{
    if (!demo->sink)
        return true;
    bool whole = passtime_capture_summary(demo->sink, demo->timer) == PASSTIME_OK;
    whole = passtime_capture_close(&demo->sink) == PASSTIME_OK && whole && !demo->capture_failed;
    if (!whole)
        cli_fail(
            &demo->cli, EXIT_CODE_USAGE,
            "the capture %s could not be written to its end (is the disk full?); what is there "
            "can be read",
            demo->values.capture);
    return whole;
}

static bool write_picture(struct demo *demo)
{
    char error[1024];
    uint32_t side = demo->api->size_pixels(demo);
    size_t bytes = (size_t)side * side * 4;
    if (!demo->values.png || demo->frames_drawn == 0)
        return true;
    if (demo->stuck || demo->health.lost) {
        cli_fail(&demo->cli, EXIT_CODE_USAGE, "no picture: the device did not end the last frame");
        return false;
    }
    uint8_t *pixels = malloc(bytes);
    bool written = false;
    snprintf(error, sizeof error, "no memory for the picture");
    if (pixels && demo->api->read_pixels(demo, pixels, bytes, error, sizeof error))
        written = picture_write_png(demo->values.png, pixels, side, side, error, sizeof error);
    free(pixels);
    if (!written)
        cli_fail(&demo->cli, EXIT_CODE_USAGE, "%s", error);
    return written;
}

/* What the table does not say: where the files are, and how to open them. */
static void print_files(const struct demo *demo)
{
    const struct demo_values *values = &demo->values;
    bool picture = values->png && demo->frames_drawn > 0;
    if (values->capture || picture)
        putchar('\n');
    if (values->capture)
        printf("capture  %s\n"
               "         open it at https://ui.perfetto.dev\n"
               "         or run: passtime report %s\n",
               values->capture, values->capture);
    if (picture)
        printf("picture  %s\n", values->png);
}

static void warn_of_device(struct demo *demo)
{
    const struct demo_health *health = &demo->health;
    demo->api->check(demo);
    if (health->lost)
        cli_warn(&demo->cli, "the device was lost after %llu frames: %s",
                 (unsigned long long)demo->frames_drawn, health->lost_reason);
    else if (demo->stuck)
        cli_warn(&demo->cli, "the device gave no sign of life for 30 s; the run ended there");
    else if (demo->frames_drawn < demo->values.frames)
        cli_warn(&demo->cli, "interrupted after %llu of %llu frames",
                 (unsigned long long)demo->frames_drawn, (unsigned long long)demo->values.frames);
    if (health->error_count > 0)
        cli_warn(&demo->cli, "the device reported %u error(s); the first: %s", health->error_count,
                 health->first_error);
}

/* The exit code that the budget asks for. */
static int judge_budget(const struct demo *demo, const struct passtime_snapshot *snapshot)
{
    struct passtime_figures figures = passtime_figures_of(snapshot);
    if (demo->values.off)
        return EXIT_CODE_DONE;
    if (figures.timed == 0)
        return cli_fail(&demo->cli, EXIT_CODE_NOTHING, "no frame was timed%s%s",
                        demo->said[0] ? ": " : "", demo->said);
    if (figures.budget == PASSTIME_BUDGET_KEPT || figures.budget == PASSTIME_BUDGET_NONE)
        return EXIT_CODE_DONE;
    if (demo->budget_given)
        return EXIT_CODE_FAILED;
    if (figures.budget == PASSTIME_BUDGET_UNKNOWN)
        return EXIT_CODE_DONE;
    if (!snapshot->adapter.software)
        return EXIT_CODE_FAILED;
    if (!demo->values.json)
        puts("The missed budget is no failure on a software adapter; give --budget-ms to make it "
             "one.");
    return EXIT_CODE_DONE;
}

/* The tool's own part of the frame, and what to do where passes are too short for it. */
static void print_stamp_cost(const struct demo *demo, const struct passtime_snapshot *snapshot)
{
    struct passtime_stamp_share share = passtime_stamp_share(snapshot, &demo->stamp_cost);
    if (!share.known) {
        puts("What stamps cost could not be measured here.");
        return;
    }
    printf("Stamps add %.2g %% to the frame (95 %%: %.2g to %.2g %%): %.3g pairs of %.3g us.\n",
           100.0 * share.share, 100.0 * share.low, 100.0 * share.high, share.pairs_a_frame,
           demo->stamp_cost.ns / 1e3);
    if (share.short_passes > 0)
        printf("%u pass%s below ten times what a pair of stamps costs: time such passes as a "
               "group, one pair for all.\n",
               share.short_passes, share.short_passes == 1 ? " is" : "es are");
}

static int report(struct demo *demo)
{
    struct passtime_snapshot snapshot;
    if (passtime_snapshot_take(demo->timer, &demo->adapter, &snapshot) != PASSTIME_OK)
        return cli_fail(&demo->cli, EXIT_CODE_NOTHING, "no memory for the report");
    const struct passtime_report_context context = {.snapshot = &snapshot,
                                                    .id = "demo",
                                                    .stamp_cost = &demo->stamp_cost,
                                                    .counters_costs = demo->counters_costs,
                                                    .counters_cost_count =
                                                        demo->counters_cost_count,
                                                    .warmup_frames = demo->warmup_drawn,
                                                    .wall_ns = demo->wall_ns};
    struct passtime_report_style style = terminal_style(stdout);
    if (demo->values.json)
        passtime_report_json(stdout, &context, 1);
    else
        passtime_report_table(stdout, &context, 1, &style);
    if (!demo->values.json && demo->hint)
        puts(demo->hint);
    if (!demo->values.json && demo->values.counters)
        demo_print_counters_cost(demo);
    if (!demo->values.json && demo->values.stamp_cost)
        print_stamp_cost(demo, &snapshot);
    int exit_code = judge_budget(demo, &snapshot);
    passtime_snapshot_finish(&snapshot);
    return exit_code;
}

static int run_and_report(struct demo *demo)
{
    FILE *picture = terminal_is_interactive(stderr) ? stderr : NULL;
    live_begin(&demo->live, picture, demo->values.budget_ns);
    demo_warm_up(demo);
    demo_run(demo);
    live_end(&demo->live);
    bool written = write_picture(demo);
    written = finish_capture(demo) && written;
    warn_of_device(demo);
    int exit_code = report(demo);
    if (!demo->values.json && written)
        print_files(demo);
    return written || exit_code == EXIT_CODE_NOTHING ? exit_code : EXIT_CODE_USAGE;
}

static int prepare(struct demo *demo, const struct scene_kind *kind)
{
    int exit_code = check_values(demo, kind);
    if (exit_code == EXIT_CODE_DONE)
        exit_code = demo->api->open(demo);
    if (exit_code == EXIT_CODE_DONE)
        exit_code = open_scene(demo, kind);
    /* Before there is a timer: a GL context has one at a time. */
    if (exit_code == EXIT_CODE_DONE && demo->values.stamp_cost)
        demo->stamp_cost = demo->api->stamp_cost(demo);
    if (exit_code == EXIT_CODE_DONE)
        exit_code = open_timer(demo);
    if (exit_code == EXIT_CODE_DONE)
        exit_code = open_capture(demo);
    return exit_code;
}

static int run_demo(const struct command *self, int argc, char **argv)
{
    struct options_given given;
    struct demo demo = {.cli = {.command = self->name, .json = options_want_json(argc, argv)}};
    const struct scene_kind *kind = scene_kind_at(0);
    int exit_code;
    if (!options_parse(self, &demo.cli, argc, argv, &demo.values, &given, &exit_code))
        return exit_code;
    if (given.operand_count > 1)
        return cli_fail(&demo.cli, EXIT_CODE_USAGE, "one scene at a time: map or passes");
    if (given.operand_count == 1)
        kind = scene_kind_find(given.operands[0]);
    if (!kind)
        return cli_fail(&demo.cli, EXIT_CODE_USAGE,
                        "there is no scene '%s'; there are: map, passes", given.operands[0]);
    demo.kind = kind;
    demo.api = find_api(demo.values.api);
    demo.budget_given = options_is_given(self, &given, "budget-ms");
    demo.size_given = options_is_given(self, &given, "size");
    demo.points_given = options_is_given(self, &given, "points");
    exit_code = prepare(&demo, kind);
    if (exit_code == EXIT_CODE_DONE)
        exit_code = run_and_report(&demo);
    close_all(&demo);
    return exit_code;
}
