/* SPDX-License-Identifier: MIT */
/*
 * A page's budgets: a budget is exceeded where the mean, less its error, is above it, and kept
 * where the mean and its error are within it. In between, and where times are not those of a GPU,
 * nothing is decided.
 */
#include "cli/page.h"

#include "sink/report_figures.h"

#include <string.h>

static void undecided(struct page_budget *budget, const char *why)
{
    budget->verdict = PAGE_UNDECIDED;
    snprintf(budget->why, sizeof budget->why, "%s", why);
}

static void take_mean(struct page_budget *budget, const passtime_stats *stats)
{
    budget->has_mean = (stats->flags & PASSTIME_STATS_HAS_MEAN) != 0;
    budget->mean_ns = stats->mean_ns;
    if (stats->flags & PASSTIME_STATS_HAS_CI) {
        budget->has_interval = true;
        budget->low_ns = stats->ci_low_ns;
        budget->high_ns = stats->ci_high_ns;
    } else if (stats->flags & PASSTIME_STATS_HAS_BELOW) {
        budget->has_interval = true;
        budget->low_ns = 0.0;
        budget->high_ns = stats->below_ns;
    }
}

static bool has_doubtful_marks(const struct passtime_snapshot *snapshot)
{
    uint32_t flags = 0;
    for (uint32_t i = 0; i < snapshot->series_count; i++)
        flags |= snapshot->series[i].flags;
    return (flags & (PASSTIME_FLAG_BOUNDARY_UNVERIFIED | PASSTIME_FLAG_UNIT_DOUBTFUL)) != 0;
}

/* Frames or runs that are missing from the mean: more than one in twenty may change it. */
static bool lacks_many(const struct passtime_snapshot *snapshot, const passtime_stats *stats,
                       bool of_frame)
{
    uint64_t missing = of_frame ? snapshot->ledger.fates[PASSTIME_FRAME_INCOMPLETE] +
                                      snapshot->ledger.fates[PASSTIME_FRAME_NO_DATA]
                                : stats->rejected;
    return missing * 20 > missing + stats->count;
}

static void decide(struct page_budget *budget, const struct page_job *job,
                   const struct passtime_snapshot *snapshot, const passtime_stats *stats)
{
    double limit_ns = (double)budget->budget_ns;
    take_mean(budget, stats);
    if (!passtime_is_gpu_time(snapshot->clock.source)) {
        undecided(budget, "these are times of the CPU, not of the GPU");
    } else if (snapshot->adapter.software && !job->values.software) {
        undecided(budget, "a software adapter; give --software to hold its times against budgets");
    } else if (!budget->has_interval) {
        undecided(budget, "too few frames for an error; give more by --frames");
    } else if (budget->low_ns > limit_ns) {
        budget->verdict = PAGE_EXCEEDED;
    } else if (lacks_many(snapshot, stats, budget->pass == NULL)) {
        undecided(budget, "more than 5 % of the frames lack a time; the notes say why");
    } else if (budget->high_ns > limit_ns) {
        undecided(budget, "the budget lies within the mean's error; give more --frames");
    } else if (has_doubtful_marks(snapshot)) {
        undecided(budget, "where passes begin and end is not proved on this GPU");
    } else {
        budget->verdict = PAGE_KEPT;
    }
}

static struct page_budget *add(struct page_budget *budgets, uint32_t *count, const char *pass,
                               uint64_t budget_ns)
{
    if (*count == PAGE_BUDGETS_MAX)
        return NULL;
    budgets[*count] = (struct page_budget){.pass = pass, .budget_ns = budget_ns};
    return &budgets[(*count)++];
}

static void add_pass(const struct page_job *job, const struct page_result *result, uint32_t which,
                     struct page_budget *budgets, uint32_t *count)
{
    const struct page_pass_budget *wanted = &job->pass_budgets[which];
    uint32_t before = *count;
    for (uint32_t i = 0; i < result->context_count; i++) {
        passtime_stats stats;
        struct page_budget *budget;
        if (!passtime_collector_budget(result->collector, result->indices[i], which, &stats))
            continue;
        budget = add(budgets, count, wanted->name, wanted->budget_ns);
        if (!budget)
            return;
        budget->context = result->ids[i];
        decide(budget, job, &result->snapshots[i], &stats);
    }
    struct page_budget *missing =
        *count == before ? add(budgets, count, wanted->name, wanted->budget_ns) : NULL;
    if (missing) {
        missing->verdict = PAGE_MISSING;
        snprintf(missing->why, sizeof missing->why,
                 "no pass of that name was timed; the table lists those that were");
    }
}

uint32_t page_budgets(const struct page_job *job, const struct page_result *result,
                      struct page_budget budgets[PAGE_BUDGETS_MAX])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < result->context_count && job->values.budget_ns > 0; i++) {
        struct page_budget *budget = add(budgets, &count, NULL, job->values.budget_ns);
        const struct passtime_snapshot *snapshot = &result->snapshots[i];
        if (!budget)
            return count;
        budget->context = result->ids[i];
        decide(budget, job, snapshot, &snapshot->totals[PASSTIME_TOTAL_BUSY]);
    }
    for (uint32_t i = 0; i < job->pass_budget_count; i++)
        add_pass(job, result, i, budgets, &count);
    return count;
}

static const char *const verdict_keys[] = {"kept", "exceeded", "undecided", "missing"};

json_t *page_budgets_json(const struct page_budget *budgets, uint32_t count)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < count; i++) {
        const struct page_budget *budget = &budgets[i];
        json_t *object =
            json_pack("{s:s?, s:s?, s:I, s:s, s:s?}", "pass", budget->pass, "context",
                      budget->context, "budget_ns", (json_int_t)budget->budget_ns, "state",
                      verdict_keys[budget->verdict], "why", budget->why[0] ? budget->why : NULL);
        json_object_set_new(object, "mean_ns",
                            budget->has_mean ? json_real(budget->mean_ns) : json_null());
        json_object_set_new(object, "low_ns",
                            budget->has_interval ? json_real(budget->low_ns) : json_null());
        json_object_set_new(object, "high_ns",
                            budget->has_interval ? json_real(budget->high_ns) : json_null());
        json_array_append_new(array, object);
    }
    return array;
}

static void print_one(const struct page_budget *budget, bool several, FILE *out)
{
    static const char *const words[] = {"kept", "EXCEEDED", "not decided", "not found"};
    fprintf(out, "budget %.4g ms%s%s: %s", (double)budget->budget_ns / 1e6,
            budget->pass ? " of " : " a frame", budget->pass ? budget->pass : "",
            words[budget->verdict]);
    if (several && budget->context)
        fprintf(out, " by %s", budget->context);
    if (budget->has_mean)
        fprintf(out, ", mean %.4g ms", budget->mean_ns / 1e6);
    if (budget->has_interval)
        fprintf(out, " (95 %%: %.4g to %.4g ms)", budget->low_ns / 1e6, budget->high_ns / 1e6);
    if (budget->why[0])
        fprintf(out, ": %s", budget->why);
    fputc('\n', out);
}

void page_budgets_print(const struct page_budget *budgets, uint32_t count, FILE *out)
{
    bool several = false;
    for (uint32_t i = 1; i < count; i++)
        several = several || (budgets[i].context && budgets[0].context &&
                              strcmp(budgets[i].context, budgets[0].context) != 0);
    for (uint32_t i = 0; i < count; i++)
        print_one(&budgets[i], several, out);
}

int page_budgets_judge(const struct page_job *job, const struct page_budget *budgets,
                       uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        enum page_verdict verdict = budgets[i].verdict;
        if (verdict == PAGE_EXCEEDED || verdict == PAGE_MISSING ||
            (verdict == PAGE_UNDECIDED && job->values.strict))
            return EXIT_CODE_FAILED;
    }
    return EXIT_CODE_DONE;
}
