/* SPDX-License-Identifier: MIT */
/* Budgets: the bookkeeping, and the calls that the app makes about them. */
#include "core/budget.h"

#include <string.h>

#include "core/context.h"

static const passtime_budget_rule default_rule = {.window = 16, .over = 8, .within = 12};

void passtime_budgets_init(struct passtime_budgets *b)
{
    b->rule = default_rule;
}

static void forget(struct passtime_budget *budget)
{
    budget->over = budget->within = 0;
    budget->changed_frame = 0;
    budget->state = PASSTIME_BUDGET_STATE_UNKNOWN;
}

void passtime_budgets_forget(struct passtime_budgets *b)
{
    forget(&b->frame);
    for (uint32_t i = 0; i < b->pass_count; i++) {
        forget(&b->passes[i]);
    }
}

bool passtime_budgets_set_rule(struct passtime_budgets *b, const passtime_budget_rule *rule)
{
    const passtime_budget_rule *r = rule != NULL ? rule : &default_rule;
    /* With more frames than the window the two can't both be reached, so that no frame is both. */
    bool sound = r->window >= 1 && r->window <= 64 && r->over >= 1 && r->over <= r->window &&
                 r->within >= 1 && r->within <= r->window && r->over + r->within > r->window;
    if (sound) {
        b->rule = *r;
        passtime_budgets_forget(b);
    }
    return sound;
}

/* Cut as names are, so that a long one is found again by its beginning. */
static bool is_named(const struct passtime_budget *budget, const char *name)
{
    uint32_t at = 0;
    while (at + 1 < PASSTIME_NAME_BYTES && name[at] != '\0' && name[at] == budget->name[at]) {
        at++;
    }
    return at + 1 == PASSTIME_NAME_BYTES || name[at] == budget->name[at];
}

bool passtime_budgets_set_pass(struct passtime_budgets *b, const char *name, uint64_t limit_ns)
{
    uint32_t at = 0;
    while (at < b->pass_count && !is_named(&b->passes[at], name)) {
        at++;
    }
    if (at == PASSTIME_PASS_BUDGETS_MAX) {
        return false;
    }
    struct passtime_budget *budget = &b->passes[at];
    if (at == b->pass_count) {
        size_t bytes = strlen(name);
        bytes = bytes < PASSTIME_NAME_BYTES - 1 ? bytes : PASSTIME_NAME_BYTES - 1;
        memcpy(budget->name, name, bytes);
        b->pass_count++;
    }
    if (budget->limit_ns != limit_ns) {
        forget(budget);
    }
    budget->limit_ns = limit_ns;
    return true;
}

const struct passtime_budget *passtime_budgets_find(const struct passtime_budgets *b,
                                                    const char *name)
{
    if (name == NULL || name[0] == '\0') {
        return &b->frame;
    }
    for (uint32_t i = 0; i < b->pass_count; i++) {
        if (is_named(&b->passes[i], name)) {
            return &b->passes[i];
        }
    }
    return NULL;
}

static uint32_t count_bits(uint64_t bits)
{
    uint32_t count = 0;
    for (; bits != 0; bits &= bits - 1) {
        count++;
    }
    return count;
}

/* Of a full queue the oldest is dropped: what holds now matters more. */
static void push_event(struct passtime_budgets *b, const struct passtime_budget *budget,
                       uint64_t frame_number, uint64_t value_ns)
{
    if (b->event_count == PASSTIME_BUDGET_EVENTS) {
        b->event_first = (b->event_first + 1) % PASSTIME_BUDGET_EVENTS;
        b->event_count--;
    }
    uint32_t at = (b->event_first + b->event_count++) % PASSTIME_BUDGET_EVENTS;
    b->events[at] = (passtime_budget_event){.frame_number = frame_number,
                                            .state = budget->state,
                                            .budget_ns = budget->limit_ns,
                                            .value_ns = value_ns};
    memcpy(b->events[at].name, budget->name, sizeof b->events[at].name);
}

bool passtime_budgets_take(struct passtime_budgets *b, passtime_budget_event *event)
{
    if (b->event_count == 0) {
        return false;
    }
    *event = b->events[b->event_first];
    b->event_first = (b->event_first + 1) % PASSTIME_BUDGET_EVENTS;
    b->event_count--;
    return true;
}

/* A value that is not whole is a lower bound: it can prove that it is over, never that it is not.
 */
static void add(struct passtime_budgets *b, struct passtime_budget *budget, uint64_t frame_number,
                uint64_t value_ns, bool whole)
{
    bool over = value_ns > budget->limit_ns;
    uint64_t window = UINT64_MAX >> (64 - b->rule.window);
    budget->over = (budget->over << 1 | over) & window;
    budget->within = (budget->within << 1 | (whole && !over)) & window;
    passtime_budget_state state = budget->state;
    if (count_bits(budget->over) >= b->rule.over) {
        state = PASSTIME_BUDGET_STATE_OVER;
    } else if (count_bits(budget->within) >= b->rule.within) {
        state = PASSTIME_BUDGET_STATE_WITHIN;
    }
    if (state != budget->state) {
        budget->state = state;
        budget->changed_frame = frame_number;
        push_event(b, budget, frame_number, value_ns);
    }
}

/* All runs of the pass in this frame count as one; a frame without it says nothing of it. */
static void add_pass(struct passtime_budgets *b, struct passtime_budget *budget,
                     const passtime_frame *frame, passtime_sample *samples)
{
    uint64_t value_ns = 0;
    bool there = false, whole = frame->passes_without_slot == 0;
    for (uint32_t i = 0; i < frame->sample_count; i++) {
        const passtime_sample *sample = &samples[i];
        if (!passtime_is_gpu_time(sample->source) || !is_named(budget, sample->name)) {
            continue;
        }
        there = true;
        if (passtime_is_good(sample->verdict)) {
            value_ns += sample->duration_ns;
        } else {
            whole = false;
        }
    }
    if (there) {
        add(b, budget, frame->number, value_ns, whole);
    }
    for (uint32_t i = 0; budget->state == PASSTIME_BUDGET_STATE_OVER && i < frame->sample_count;
         i++) {
        if (passtime_is_gpu_time(samples[i].source) && is_named(budget, samples[i].name)) {
            samples[i].flags |= PASSTIME_FLAG_BUDGET_OVER;
        }
    }
}

bool passtime_budgets_add(struct passtime_budgets *b, const passtime_frame *frame,
                          passtime_sample *samples, uint64_t limit_ns)
{
    if (b->frame.limit_ns != limit_ns) {
        forget(&b->frame);
        b->frame.limit_ns = limit_ns;
    }
    if (limit_ns != 0 && frame->fate != PASSTIME_FRAME_EMPTY) {
        add(b, &b->frame, frame->number, frame->busy_ns, frame->fate == PASSTIME_FRAME_COMPLETE);
    }
    for (uint32_t i = 0; i < b->pass_count; i++) {
        if (b->passes[i].limit_ns != 0) {
            add_pass(b, &b->passes[i], frame, samples);
        }
    }
    return b->frame.state == PASSTIME_BUDGET_STATE_OVER;
}

passtime_result passtime_set_budget_rule(passtime *t, const passtime_budget_rule *rule)
{
    if (t == NULL) {
        return PASSTIME_INVALID;
    }
    passtime_lock_take(&t->results_lock);
    bool done = passtime_budgets_set_rule(&t->budgets, rule);
    passtime_lock_give(&t->results_lock);
    return done ? PASSTIME_OK : PASSTIME_INVALID;
}

passtime_result passtime_set_pass_budget(passtime *t, const char *name, uint64_t budget_ns)
{
    if (t == NULL || name == NULL || name[0] == '\0') {
        return PASSTIME_INVALID;
    }
    passtime_lock_take(&t->results_lock);
    bool done = passtime_budgets_set_pass(&t->budgets, name, budget_ns);
    passtime_lock_give(&t->results_lock);
    return done ? PASSTIME_OK : PASSTIME_FULL;
}

passtime_result passtime_get_budget(passtime *t, const char *name, passtime_budget_info *out)
{
    if (t == NULL || out == NULL) {
        return PASSTIME_INVALID;
    }
    passtime_lock_take(&t->results_lock);
    const struct passtime_budget *budget = passtime_budgets_find(&t->budgets, name);
    if (budget != NULL) {
        *out = (passtime_budget_info){.size = sizeof *out,
                                      .state = budget->state,
                                      .over = count_bits(budget->over),
                                      .within = count_bits(budget->within),
                                      .budget_ns = budget->limit_ns,
                                      .changed_frame = budget->changed_frame};
    }
    passtime_lock_give(&t->results_lock);
    return budget != NULL ? PASSTIME_OK : PASSTIME_INVALID;
}

void passtime_tell_budgets(passtime *t)
{
    passtime_budget_event event;
    bool any = t->desc.budget_fn != NULL;
    while (any) {
        passtime_lock_take(&t->results_lock);
        any = passtime_budgets_take(&t->budgets, &event);
        passtime_lock_give(&t->results_lock);
        if (any) {
            t->desc.budget_fn(t->desc.budget_user, &event);
        }
    }
}
