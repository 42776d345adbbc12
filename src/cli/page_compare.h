/* SPDX-License-Identifier: MIT */
/* A page's times held against those of earlier runs: page_base.c reads the documents of runs,
 * page_compare.c compares. */
#ifndef PASSTIME_CLI_PAGE_COMPARE_H
#define PASSTIME_CLI_PAGE_COMPARE_H

#include "cli/page.h"
#include "page/compare.h"

enum page_change {
    PAGE_CHANGE_NONE,      /* the interval holds 0 */
    PAGE_CHANGE_SLOWER,    /* surely slower, though not by more than is allowed */
    PAGE_CHANGE_FASTER,    /* surely faster */
    PAGE_CHANGE_FAILED,    /* surely slower by more than is allowed */
    PAGE_CHANGE_UNKNOWN,   /* there is no interval */
    PAGE_CHANGE_ONLY_BASE, /* the pass is not in the new runs */
    PAGE_CHANGE_ONLY_NEW   /* it was not in the earlier ones */
};

/* A pass, or the frame as a whole, on both sides. */
struct page_row {
    const char *context; /* texts live as long as the documents */
    const char *path;    /* NULL: the frame's busy time, or … */
    bool serial;         /* … the sum of its passes, where they are timed by elapsed queries */
    struct passtime_compare_side base, now;
    struct passtime_difference difference;
    enum page_change change;
    bool may_fail; /* the interval reaches beyond what is allowed, but does not lie there */
};

struct page_comparison {
    double fail_above; /* part of the base's mean */
    size_t base_runs, new_runs;
    uint32_t count, room;
    struct page_row *rows;
    bool no_memory;
};

/* page_measure.c: runs, reports, and decides the exit code. The runs of a page to compare with are
 * added to `bases`. */
int page_measure(const struct page_job *job, json_t *bases);

/* page_base.c */
/* Whether it names a document of earlier runs; else it names a page. */
bool page_is_base_file(const char *text);
/* Reads the documents of --compare into `bases`, an array; an exit code. */
int page_bases_read(const struct page_job *job, json_t *bases);
/* All runs in the documents: an array of objects with "contexts". The caller's. */
json_t *page_runs_of(const json_t *documents);
/* Whether the runs were measured alike, as far as both have a context; says what differs. An exit
 * code. */
int page_bases_check(const struct page_job *job, const json_t *bases, const json_t *runs);

/* page_compare.c */
/* Compares `runs`, documents of this command, with `bases`. USAGE: they can't be compared, and it
 * was said why; FAILED: a pass became slower by more than is allowed. */
int page_compare(const struct page_job *job, const json_t *bases, const json_t *runs,
                 struct page_comparison **compared);
json_t *page_comparison_json(const struct page_comparison *compared);
void page_comparison_print(const struct page_comparison *compared, FILE *out);
void page_comparison_free(struct page_comparison *compared);
/* The means of several runs, where there is nothing to compare them with. */
void page_runs_print(const json_t *documents, FILE *out);

#endif
