/* SPDX-License-Identifier: MIT */
/* The live picture of a run: progress, the last frame as a stacked bar against the budget, its
 * passes. */
#include "cli/terminal.h"

#include <string.h>

enum { REDRAW_NS = 100000000, RATE_AFTER_NS = 500000000 };

void live_begin(struct live *live, FILE *out, uint64_t budget_ns)
{
    memset(live, 0, sizeof *live);
    live->out = out;
    live->budget_ns = budget_ns;
    live->gpu_time = true;
}

static uint32_t pass_index(struct live *live, const char *name)
{
    for (uint32_t i = 0; i < live->pass_count; i++) {
        if (strncmp(live->names[i], name, sizeof live->names[i] - 1) == 0)
            return i;
    }
    if (live->pass_count == LIVE_PASSES_MAX)
        return LIVE_PASSES_MAX - 1;
    snprintf(live->names[live->pass_count], sizeof live->names[0], "%s", name);
    return live->pass_count++;
}

void live_frame(struct live *live, const passtime_frame *frame)
{
    if (frame->fate != PASSTIME_FRAME_COMPLETE)
        return;
    memset(live->times_ns, 0, sizeof live->times_ns);
    for (uint32_t i = 0; i < frame->sample_count; i++) {
        const passtime_sample *sample = &frame->samples[i];
        live->gpu_time = passtime_is_gpu_time(sample->source);
        live->times_ns[pass_index(live, sample->name)] += sample->attributed_ns;
    }
    live->busy_ns = frame->busy_ns;
    live->frames_back++;
    if (frame->over_budget)
        live->frames_over++;
}

static void draw_progress(const struct live *live, const char *stage, uint64_t done, uint64_t total,
                          uint64_t now_ns, struct passtime_line *line)
{
    uint64_t elapsed_ns = now_ns - live->begun_ns;
    passtime_line_text(line, stage);
    if (total > 0) {
        passtime_line_printf(line, " %llu/%llu ", (unsigned long long)done,
                             (unsigned long long)total);
        passtime_line_colour(line, PASSTIME_COLOUR_DIM);
        passtime_line_bar(line, (double)done / (double)total, 20);
        passtime_line_colour(line, PASSTIME_COLOUR_NONE);
    } else if (done > 0) {
        passtime_line_printf(line, " %llu", (unsigned long long)done);
    }
    if (elapsed_ns < RATE_AFTER_NS || done == 0)
        return;
    double rate = (double)done * 1e9 / (double)elapsed_ns;
    passtime_line_printf(line, " %.3g fps", rate);
    if (done < total)
        passtime_line_printf(line, ", %.0f s to go", (double)(total - done) / rate);
}

/* The colour of a pass; what lies beyond the budget is red, in two shades that tell neighbours
 * apart. */
static uint32_t colour_at(const struct live *live, uint32_t pass, double ns)
{
    if (live->budget_ns > 0 && live->gpu_time && ns >= (double)live->budget_ns)
        return pass % 2 == 0 ? PASSTIME_COLOUR_RED : PASSTIME_COLOUR_DARK_RED;
    return PASSTIME_COLOUR_SERIES + pass;
}

/* Without colours each pass has a letter, the first of its name. */
static void draw_cell(const struct live *live, uint32_t pass, double ns, struct passtime_line *line)
{
    char letter[2] = {live->names[pass][0], '\0'};
    passtime_line_colour(line, colour_at(live, pass, ns));
    if (line->style->colour)
        passtime_line_sign(line, PASSTIME_SIGN_BLOCK);
    else
        passtime_line_text(line, letter);
}

static void draw_bar(const struct live *live, uint32_t columns, double full_ns,
                     struct passtime_line *line)
{
    uint32_t mark = UINT32_MAX, pass = 0;
    double reached = live->pass_count > 0 ? (double)live->times_ns[0] : 0.0;
    if (live->budget_ns > 0)
        mark = (uint32_t)((double)live->budget_ns / full_ns * columns);
    passtime_line_text(line, "[");
    for (uint32_t i = 0; i < columns; i++) {
        double ns = ((double)i + 0.5) / columns * full_ns;
        while (pass < live->pass_count && reached <= ns) {
            pass++;
            reached += pass < live->pass_count ? (double)live->times_ns[pass] : 0.0;
        }
        if (i == mark) {
            passtime_line_colour(line, PASSTIME_COLOUR_NONE);
            passtime_line_text(line, "|");
        } else if (pass < live->pass_count) {
            draw_cell(live, pass, ns, line);
        } else {
            passtime_line_text(line, " ");
        }
    }
    passtime_line_colour(line, PASSTIME_COLOUR_NONE);
    passtime_line_text(line, "]");
}

static void draw_frame(const struct live *live, struct passtime_line *line)
{
    double full_ns = (double)live->busy_ns * 1.02;
    bool over = live->gpu_time && live->budget_ns > 0 && live->busy_ns > live->budget_ns;
    if (full_ns < (double)live->budget_ns * 1.25)
        full_ns = (double)live->budget_ns * 1.25;
    if (full_ns <= 0.0)
        return;
    uint32_t width = line->style->width_columns;
    draw_bar(live, width > 50 ? width - 14 : 36, full_ns, line);
    passtime_line_text(line, " ");
    passtime_line_colour(line, over ? PASSTIME_COLOUR_RED : PASSTIME_COLOUR_BOLD);
    passtime_line_time(line, (double)live->busy_ns);
    passtime_line_colour(line, PASSTIME_COLOUR_NONE);
}

static void draw_legend(const struct live *live, struct passtime_line *line)
{
    for (uint32_t i = 0; i < live->pass_count; i++) {
        /* A time takes at most eight columns, the signs around it four. */
        uint32_t columns = passtime_text_columns(live->names[i], line->style->unicode) + 12;
        if (line->columns + columns > line->style->width_columns)
            return;
        passtime_line_colour(line, PASSTIME_COLOUR_SERIES + i);
        if (line->style->colour)
            passtime_line_sign(line, PASSTIME_SIGN_BLOCK);
        passtime_line_colour(line, PASSTIME_COLOUR_NONE);
        passtime_line_printf(line, " %s ", live->names[i]);
        passtime_line_time(line, (double)live->times_ns[i]);
        passtime_line_text(line, " ");
    }
}

static void draw_budget(const struct live *live, struct passtime_line *line)
{
    if (!live->gpu_time) {
        passtime_line_text(line, "CPU times, not GPU time");
    } else if (live->budget_ns > 0 && live->frames_back > 0) {
        passtime_line_text(line, "| budget ");
        passtime_line_printf(line, "%.4g ms: ", (double)live->budget_ns / 1e6);
        passtime_line_colour(line,
                             live->frames_over > 0 ? PASSTIME_COLOUR_RED : PASSTIME_COLOUR_GREEN);
        passtime_line_printf(line, "%llu of %llu frames over",
                             (unsigned long long)live->frames_over,
                             (unsigned long long)live->frames_back);
        passtime_line_colour(line, PASSTIME_COLOUR_NONE);
    }
}

/* The pass that took longest in the last frame. */
static void draw_longest(const struct live *live, struct passtime_line *line)
{
    uint32_t longest = 0;
    for (uint32_t i = 1; i < live->pass_count; i++) {
        if (live->times_ns[i] > live->times_ns[longest])
            longest = i;
    }
    if (live->pass_count == 0 || live->times_ns[longest] == 0)
        return;
    passtime_line_text(line, "longest: ");
    passtime_line_text(line, live->names[longest]);
    passtime_line_text(line, " ");
    passtime_line_time(line, (double)live->times_ns[longest]);
    passtime_line_text(line, "  ");
}

/* Puts the cursor where the picture begins and wipes what stands below. */
static void wipe(struct live *live)
{
    if (live->lines > 0)
        fprintf(live->out, "\x1b[%uF\x1b[J", live->lines);
    live->lines = 0;
}

void live_draw(struct live *live, const char *stage, uint64_t done, uint64_t total, uint64_t now_ns)
{
    struct passtime_line line;
    if (live->begun_ns == 0)
        live->begun_ns = now_ns;
    if (!live->out || now_ns - live->drawn_ns < REDRAW_NS)
        return;
    live->drawn_ns = now_ns;
    /* The window may have changed since. */
    live->style = terminal_style(live->out);
    passtime_line_begin(&line, &live->style);
    wipe(live);
    draw_progress(live, stage, done, total, now_ns, &line);
    passtime_line_end(&line, live->out);
    live->lines = 1;
    if (live->frames_back > 0) {
        draw_frame(live, &line);
        passtime_line_end(&line, live->out);
        draw_legend(live, &line);
        passtime_line_end(&line, live->out);
        draw_longest(live, &line);
        draw_budget(live, &line);
        passtime_line_end(&line, live->out);
        live->lines = LIVE_LINES;
    }
    fflush(live->out);
}

void live_end(struct live *live)
{
    if (!live->out)
        return;
    wipe(live);
    fflush(live->out);
}
