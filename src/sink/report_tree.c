/* SPDX-License-Identifier: MIT */
/* One frame as a tree of scopes and passes, each with its time and its place in the frame. */
#include "sink/report.h"

#include <stdlib.h>
#include <string.h>

#include "sink/report_line.h"

enum { DEPTH_MAX = 16, NAME_COLUMNS_MAX = 40, TIME_COLUMNS = 11, TIMELINE_COLUMNS_MAX = 60 };

/* A scope or sample: scopes are nodes 0 to scope_count - 1, samples follow, the frame is the last.
 */
struct node {
    uint32_t parent, first, last, next;
    bool placed;
};

struct tree {
    const passtime_frame *frame;
    struct node *nodes;
    uint32_t root;
    uint64_t begin_ns; /* first position in the frame */
    uint32_t name_columns, timeline_columns;
};

static void place(struct tree *tree, uint32_t index)
{
    struct node *node = &tree->nodes[index];
    struct node *parent = &tree->nodes[node->parent];
    node->placed = true;
    if (parent->first == PASSTIME_NONE)
        parent->first = index;
    else
        tree->nodes[parent->last].next = index;
    parent->last = index;
}

/* Scopes stand where their first pass stands, so a scope is placed when a pass asks for it. */
static void place_scope(struct tree *tree, uint32_t scope)
{
    uint32_t chain[DEPTH_MAX];
    uint32_t count = 0;
    while (scope != tree->root && !tree->nodes[scope].placed && count < DEPTH_MAX) {
        chain[count++] = scope;
        scope = tree->nodes[scope].parent;
    }
    while (count > 0)
        place(tree, chain[--count]);
}

/* Parents come before their children; a number that says otherwise is damage, and counts as none.
 */
static void find_parents(struct tree *tree)
{
    const passtime_frame *frame = tree->frame;
    for (uint32_t i = 0; i < frame->scope_count; i++) {
        uint32_t parent = frame->scopes[i].parent;
        tree->nodes[i].parent = parent < i ? parent : tree->root;
    }
    for (uint32_t i = 0; i < frame->sample_count; i++) {
        const passtime_sample *sample = &frame->samples[i];
        uint32_t parent = tree->root;
        if (sample->scope < frame->scope_count)
            parent = sample->scope;
        if (sample->parent < i)
            parent = frame->scope_count + sample->parent;
        tree->nodes[frame->scope_count + i].parent = parent;
    }
}

static bool placed_in_time(const passtime_sample *sample)
{
    return passtime_is_good(sample->verdict) && !(sample->flags & PASSTIME_FLAG_NO_POSITION);
}

static bool tree_begin(struct tree *tree, const passtime_frame *frame)
{
    size_t count = (size_t)frame->scope_count + frame->sample_count + 1;
    *tree = (struct tree){.frame = frame, .root = (uint32_t)(count - 1), .begin_ns = UINT64_MAX};
    tree->nodes = malloc(count * sizeof *tree->nodes);
    if (!tree->nodes)
        return false;
    for (size_t i = 0; i < count; i++)
        tree->nodes[i] =
            (struct node){PASSTIME_NONE, PASSTIME_NONE, PASSTIME_NONE, PASSTIME_NONE, false};
    find_parents(tree);
    for (uint32_t i = 0; i < frame->sample_count; i++) {
        uint32_t index = frame->scope_count + i;
        if (tree->nodes[index].parent < frame->scope_count)
            place_scope(tree, tree->nodes[index].parent);
        place(tree, index);
        if (placed_in_time(&frame->samples[i]) && frame->samples[i].begin_ns < tree->begin_ns)
            tree->begin_ns = frame->samples[i].begin_ns;
    }
    for (uint32_t i = 0; i < frame->scope_count; i++)
        place_scope(tree, i);
    return true;
}

static const passtime_sample *sample_of(const struct tree *tree, uint32_t index)
{
    return index < tree->frame->scope_count
               ? NULL
               : &tree->frame->samples[index - tree->frame->scope_count];
}

static const char *name_of(const struct tree *tree, uint32_t index)
{
    const passtime_sample *sample = sample_of(tree, index);
    return sample ? sample->name : tree->frame->scopes[index].name;
}

static void print_timeline(const struct tree *tree, const passtime_sample *sample,
                           struct passtime_line *line)
{
    double span = (double)tree->frame->span_ns;
    if (tree->timeline_columns == 0 || span <= 0.0 || !placed_in_time(sample))
        return;
    double scale = (double)tree->timeline_columns / span;
    double begin = (double)(sample->begin_ns - tree->begin_ns) * scale;
    double length = (double)sample->duration_ns * scale;
    uint32_t at = begin < tree->timeline_columns ? (uint32_t)begin : tree->timeline_columns - 1;
    uint32_t columns = length < 1.0 ? 1 : (uint32_t)(length + 0.5);
    if (columns > tree->timeline_columns - at)
        columns = tree->timeline_columns - at;
    passtime_line_pad(line, line->columns + 2 + at);
    passtime_line_colour(line, PASSTIME_COLOUR_SERIES + (uint32_t)(sample - tree->frame->samples));
    for (uint32_t i = 0; i < columns; i++)
        passtime_line_sign(line, PASSTIME_SIGN_BLOCK);
    passtime_line_colour(line, PASSTIME_COLOUR_NONE);
}

static void print_time(struct passtime_line *line, double ns, uint32_t end)
{
    struct passtime_line text;
    passtime_line_begin(&text, line->style);
    passtime_line_time(&text, ns);
    passtime_line_pad(line, end > text.columns ? end - text.columns : 0);
    passtime_line_text(line, text.text);
}

static void print_sample(const struct tree *tree, const passtime_sample *sample,
                         struct passtime_line *line)
{
    uint32_t end = tree->name_columns + TIME_COLUMNS;
    if (!passtime_is_good(sample->verdict)) {
        passtime_line_pad(line, tree->name_columns + 2);
        passtime_line_colour(line, PASSTIME_COLOUR_YELLOW);
        passtime_line_text(line, passtime_verdict_name(sample->verdict));
        passtime_line_colour(line, PASSTIME_COLOUR_NONE);
        return;
    }
    if (sample->verdict == PASSTIME_BELOW_RESOLUTION) {
        passtime_line_pad(line, tree->name_columns + 2);
        passtime_line_text(line, passtime_verdict_name(sample->verdict));
    } else {
        print_time(line, (double)sample->duration_ns, end);
    }
    if (!passtime_is_gpu_time(sample->source))
        passtime_line_printf(line, "  [%s]", passtime_source_name(sample->source));
    if (sample->flags & PASSTIME_FLAG_BUDGET_OVER)
        passtime_line_text(line, "  [budget: over]");
    print_timeline(tree, sample, line);
}

static void print_scope(const struct tree *tree, const passtime_scope *scope,
                        struct passtime_line *line)
{
    uint32_t end = tree->name_columns + TIME_COLUMNS;
    if (scope->sample_count == 0) {
        passtime_line_pad(line, tree->name_columns + 2);
        passtime_line_text(line, "no passes");
        return;
    }
    print_time(line, (double)scope->busy_ns, end);
    if (!scope->complete)
        passtime_line_text(line, "  at least: a pass is missing");
}

/* The branches before a name; `more[i]`: another sibling follows at that depth. */
static void print_branches(const bool *more, uint32_t depth, struct passtime_line *line)
{
    passtime_line_colour(line, PASSTIME_COLOUR_DIM);
    for (uint32_t i = 0; i < depth && i + 1 < DEPTH_MAX; i++) {
        if (more[i])
            passtime_line_sign(line, PASSTIME_SIGN_TRUNK);
        else
            passtime_line_text(line, "   ");
    }
    passtime_line_sign(line, more[depth] ? PASSTIME_SIGN_BRANCH : PASSTIME_SIGN_LAST_BRANCH);
    passtime_line_colour(line, PASSTIME_COLOUR_NONE);
}

static void print_node(const struct tree *tree, uint32_t index, const bool *more, uint32_t depth,
                       struct passtime_line *line)
{
    const passtime_sample *sample = sample_of(tree, index);
    print_branches(more, depth, line);
    if (!sample)
        passtime_line_colour(line, PASSTIME_COLOUR_BOLD);
    if (tree->name_columns > line->columns)
        passtime_line_cut(line, name_of(tree, index), tree->name_columns - line->columns);
    passtime_line_colour(line, PASSTIME_COLOUR_NONE);
    if (sample)
        print_sample(tree, sample, line);
    else
        print_scope(tree, &tree->frame->scopes[index], line);
}

/* Walks the tree, parents first, and calls print for each node; without `out` it measures names. */
static void walk(struct tree *tree, struct passtime_line *line, FILE *out)
{
    bool more[DEPTH_MAX] = {false};
    uint32_t depth = 0, at = tree->nodes[tree->root].first;
    while (at != PASSTIME_NONE) {
        const struct node *node = &tree->nodes[at];
        uint32_t shown = depth < DEPTH_MAX ? depth : DEPTH_MAX - 1;
        more[shown] = node->next != PASSTIME_NONE;
        if (out) {
            print_node(tree, at, more, shown, line);
            passtime_line_end(line, out);
        } else {
            uint32_t columns =
                3 * (shown + 1) + passtime_text_columns(name_of(tree, at), line->style->unicode);
            if (columns > tree->name_columns)
                tree->name_columns = columns;
        }
        if (node->first != PASSTIME_NONE) {
            at = node->first;
            depth++;
            continue;
        }
        while (tree->nodes[at].next == PASSTIME_NONE && tree->nodes[at].parent != tree->root) {
            at = tree->nodes[at].parent;
            depth--;
        }
        at = tree->nodes[at].next;
    }
}

static void total(struct passtime_line *line, const char *name, uint64_t ns)
{
    passtime_line_text(line, " ");
    passtime_line_sign(line, PASSTIME_SIGN_DOT);
    passtime_line_printf(line, " %s ", name);
    passtime_line_time(line, (double)ns);
}

static void print_head(const passtime_frame *frame, uint64_t budget_ns, struct passtime_line *line,
                       FILE *out)
{
    bool serial = (frame->flags & PASSTIME_FLAG_SERIAL_SUM) != 0;
    bool any = frame->fate == PASSTIME_FRAME_COMPLETE || frame->fate == PASSTIME_FRAME_INCOMPLETE;
    passtime_line_colour(line, PASSTIME_COLOUR_BOLD);
    passtime_line_printf(line, "frame %llu", (unsigned long long)frame->number);
    passtime_line_colour(line, PASSTIME_COLOUR_NONE);
    passtime_line_printf(line, ": %s", passtime_fate_name(frame->fate));
    if (any) {
        total(line, serial ? "serial sum" : "busy", frame->busy_ns);
        if (frame->has_span)
            total(line, "span", frame->span_ns);
    }
    total(line, "CPU submit", frame->cpu_submit_ns);
    passtime_line_end(line, out);
    if (frame->fate == PASSTIME_FRAME_INCOMPLETE)
        passtime_line_text(line, "its times are lower bounds: a pass is rejected or missing");
    else if (any && budget_ns > 0 && frame->over_budget)
        passtime_line_printf(line, "over its budget of %.4g ms", (double)budget_ns / 1e6);
    if (line->bytes > 0)
        passtime_line_end(line, out);
    if (frame->passes_without_slot > 0) {
        passtime_line_printf(line, "%u more passes had no slot", frame->passes_without_slot);
        passtime_line_end(line, out);
    }
}

bool passtime_report_tree(FILE *out, const passtime_frame *frame, uint64_t budget_ns,
                          const struct passtime_report_style *style)
{
    struct tree tree;
    struct passtime_line line;
    passtime_line_begin(&line, style);
    if (!tree_begin(&tree, frame))
        return false;
    print_head(frame, budget_ns, &line, out);
    walk(&tree, &line, NULL);
    if (tree.name_columns > NAME_COLUMNS_MAX)
        tree.name_columns = NAME_COLUMNS_MAX;
    uint32_t used = tree.name_columns + TIME_COLUMNS + 2;
    if (style->width_columns > used + 10)
        tree.timeline_columns = style->width_columns - used;
    if (tree.timeline_columns > TIMELINE_COLUMNS_MAX)
        tree.timeline_columns = TIMELINE_COLUMNS_MAX;
    walk(&tree, &line, out);
    free(tree.nodes);
    return fflush(out) == 0 && !ferror(out);
}
