/* SPDX-License-Identifier: MIT */
/*
 * `passtime page`: page.c takes the command line, page_measure.c runs the page and decides the exit
 * code, page_run.c runs it once, page_show.c and page_json.c report, page_budget.c holds the times
 * against budgets, page_compare.c and page_base.c against earlier runs.
 */
#ifndef PASSTIME_CLI_PAGE_H
#define PASSTIME_CLI_PAGE_H

#include "cli/options.h"
#include "cli/terminal.h"
#include "page/collect.h"
#include "page/page.h"
#include "sink/report.h"

#include <jansson.h>

enum {
    PAGE_MESSAGES_MAX = 32,
    PAGE_NOTES_MAX = 24,
    PAGE_CONTEXTS_MAX = PASSTIME_COLLECT_CONTEXTS_MAX,
    PAGE_RUNS_MAX = 100,
    PAGE_ID_BYTES = 320
};

struct page_values {
    uint64_t frames, seconds, warmup, repeat, fail_above;
    uint64_t budget_ns;
    struct option_list pass_budgets, flags, compare;
    bool headed, software, stock, fine, strict, json, csv;
    const char *browser, *profile, *wait, *eval, *capture, *screenshot;
};

struct page_pass_budget {
    char name[PASSTIME_NAME_BYTES];
    uint64_t budget_ns;
};

/* What is asked for. */
struct page_job {
    struct cli cli;
    struct page_values values;
    bool frames_given;
    const char *target;
    const char *base_target; /* a page to compare with, run in turn with the other; NULL: none */
    uint32_t pass_budget_count;
    struct page_pass_budget pass_budgets[PASSTIME_COLLECT_BUDGETS_MAX];
};

/* What the page said on its console. */
struct page_message {
    enum passtime_page_level level;
    uint32_t line;
    char text[240], url[160];
};

/* Why a run ended. */
enum page_end {
    PAGE_END_DONE,        /* what was asked for is there */
    PAGE_END_IDLE,        /* nothing was drawn for long */
    PAGE_END_LONG,        /* it took longer than anybody waits */
    PAGE_END_INTERRUPTED, /* Ctrl-C */
    PAGE_END_GONE         /* the browser or the page ended by itself */
};

/* One run of the page. */
struct page_result {
    struct passtime_collector *collector;
    enum page_end end;
    bool has_picture;        /* the one that was asked for was written */
    uint64_t first_frame_ns; /* from the start of the browser to the first judged frame; 0: none */
    struct passtime_page_info info;
    uint32_t realm_count;
    struct passtime_page_realm *realms;
    uint32_t message_count, messages_left_out;
    struct page_message messages[PAGE_MESSAGES_MAX];
    uint32_t note_count;
    char notes[PAGE_NOTES_MAX][PASSTIME_PAGE_TEXT_BYTES];
    /* Of the contexts that measured something: */
    uint32_t context_count;
    uint32_t indices[PAGE_CONTEXTS_MAX]; /* the collector's */
    char ids[PAGE_CONTEXTS_MAX][PAGE_ID_BYTES];
    struct passtime_snapshot snapshots[PAGE_CONTEXTS_MAX];
    struct passtime_report_context contexts[PAGE_CONTEXTS_MAX];
};

/* page_run.c. `capture` and `screenshot` are written where they are not NULL. An exit code; what
 * went wrong was said. */
int page_run(const struct page_job *job, const char *capture, const char *screenshot,
             const char *stage, struct page_result *result);
void page_result_finish(struct page_result *result);
/* Ends the capture; false: not all of it was written. */
bool page_result_end(struct page_result *result);

/* page_budget.c */
enum page_verdict { PAGE_KEPT, PAGE_EXCEEDED, PAGE_UNDECIDED, PAGE_MISSING };
struct page_budget {
    const char *pass;    /* NULL: the frame */
    const char *context; /* its id; NULL: no context has that pass */
    uint64_t budget_ns;
    bool has_mean, has_interval;
    double mean_ns, low_ns, high_ns;
    enum page_verdict verdict;
    char why[200]; /* where it is undecided or missing */
};
enum { PAGE_BUDGETS_MAX = (PASSTIME_COLLECT_BUDGETS_MAX + 1) * 8 };
/* All budgets, against every context that they are for. */
uint32_t page_budgets(const struct page_job *job, const struct page_result *result,
                      struct page_budget budgets[PAGE_BUDGETS_MAX]);
json_t *page_budgets_json(const struct page_budget *budgets, uint32_t count);
void page_budgets_print(const struct page_budget *budgets, uint32_t count, FILE *out);
/* The exit code that they ask for. */
int page_budgets_judge(const struct page_job *job, const struct page_budget *budgets,
                       uint32_t count);

/* page_show.c */
struct page_realm_words {
    const char *kind;   /* "page", "worker" … */
    const char *status; /* "hooked", "not_hooked", "silent", "crashed" */
    bool whole;         /* nothing of it escapes the hooks */
};
struct page_realm_words page_realm_words(const struct page_result *result,
                                         const struct passtime_page_realm *realm);
void page_show(const struct page_job *job, const struct page_result *result);

/* page_json.c: the document of one run. */
json_t *page_document(const struct page_job *job, const struct page_result *result);

#endif
