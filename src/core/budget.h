/* SPDX-License-Identifier: MIT */
/*
 * Budgets of a frame and of passes, with hysteresis: what the last frames proved decides, so that
 * one odd frame changes nothing. A frame proves that it is over, or that it is within, or neither:
 * an incomplete one below its budget may in truth be over it.
 *
 * Pure bookkeeping, under the lock of whoever calls.
 */
#ifndef PASSTIME_CORE_BUDGET_H
#define PASSTIME_CORE_BUDGET_H

#include <passtime/passtime.h>

enum { PASSTIME_BUDGET_EVENTS = 32 };

struct passtime_budget {
    uint64_t limit_ns; /* 0: none */
    uint64_t over;     /* a bit a frame, the newest lowest: proved to be over */
    uint64_t within;   /* the same: proved to be within */
    uint64_t changed_frame;
    passtime_budget_state state;
    char name[PASSTIME_NAME_BYTES]; /* of the pass; "": the whole frame */
};

struct passtime_budgets {
    passtime_budget_rule rule;
    struct passtime_budget frame;
    struct passtime_budget passes[PASSTIME_PASS_BUDGETS_MAX];
    uint32_t pass_count;
    passtime_budget_event events[PASSTIME_BUDGET_EVENTS]; /* changes that wait to be told */
    uint32_t event_first, event_count;
};

void passtime_budgets_init(struct passtime_budgets *b);
/* False: the rule can't be kept. */
bool passtime_budgets_set_rule(struct passtime_budgets *b, const passtime_budget_rule *rule);
/* False: there is no room for another pass. */
bool passtime_budgets_set_pass(struct passtime_budgets *b, const char *name, uint64_t limit_ns);
/* Enters a judged frame, whose samples are `samples` to be written to: those of passes whose budget
 * is over now are marked. True: the frame's budget is. `limit_ns`: the frame's own. */
bool passtime_budgets_add(struct passtime_budgets *b, const passtime_frame *frame,
                          passtime_sample *samples, uint64_t limit_ns);
/* The budget of a pass, NULL or "" for that of the frame; NULL where there is none. */
const struct passtime_budget *passtime_budgets_find(const struct passtime_budgets *b,
                                                    const char *name);
/* Takes the oldest change that waits; false: none does. */
bool passtime_budgets_take(struct passtime_budgets *b, passtime_budget_event *event);
/* Forgets what the frames so far proved. */
void passtime_budgets_forget(struct passtime_budgets *b);

#endif
