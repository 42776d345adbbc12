/* SPDX-License-Identifier: MIT */
/* Budgets of frames and passes: what changes their state, what never does, and who is told. */
#include "unit/rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { MS = 1000000, TOLD_MAX = 64 };

struct told {
    passtime *t;
    passtime_budget_event events[TOLD_MAX];
    uint32_t count;
    bool calls_back;
};

static void tell(void *user, const passtime_budget_event *event)
{
    struct told *told = user;
    assert_true(told->count < TOLD_MAX);
    told->events[told->count++] = *event;
    if (told->calls_back) { /* no lock is held: each of these would wait for one for ever */
        passtime_budget_info info;
        const passtime_frame *frame;
        assert_int_equal(passtime_get_budget(told->t, event->name, &info), PASSTIME_OK);
        assert_int_equal(info.state, event->state);
        passtime_collect(told->t);
        passtime_next(told->t, &frame);
    }
}

static void open_rig(struct rig *rig, struct told *told, uint64_t budget_ns)
{
    memset(told, 0, sizeof *told);
    rig_init(rig);
    rig->desc.budget_ns = budget_ns;
    rig->desc.budget_fn = tell;
    rig->desc.budget_user = told;
    rig_open(rig);
    told->t = rig->t;
}

/* A frame with a pass of that length; judged. */
static uint32_t frame_of(struct rig *rig, const char *name, uint64_t length_ns)
{
    uint64_t at = rig->now_ns + 7777777777u;
    rig_frame(rig, name, at, at + length_ns);
    return rig_next(rig)->flags & PASSTIME_FLAG_BUDGET_OVER;
}

static passtime_budget_info budget(struct rig *rig, const char *name)
{
    passtime_budget_info info;
    assert_int_equal(passtime_get_budget(rig->t, name, &info), PASSTIME_OK);
    assert_int_equal(info.size, sizeof info);
    return info;
}

/* The default: over with the 8th of 16, within again with the 12th. */
static void a_state_changes_where_the_rule_says_and_not_before(void **state)
{
    (void)state;
    struct rig rig;
    struct told told;
    open_rig(&rig, &told, 5 * MS);
    assert_int_equal(budget(&rig, NULL).state, PASSTIME_BUDGET_STATE_UNKNOWN);
    for (int i = 0; i < 7; i++)
        assert_int_equal(frame_of(&rig, "a", 5 * MS + 1), 0);
    assert_int_equal(budget(&rig, NULL).state, PASSTIME_BUDGET_STATE_UNKNOWN);
    assert_int_equal(budget(&rig, NULL).over, 7);
    uint64_t eighth = rig.frame;
    assert_int_equal(frame_of(&rig, "a", 5 * MS + 1), PASSTIME_FLAG_BUDGET_OVER);
    assert_int_equal(told.count, 1);
    assert_int_equal(told.events[0].state, PASSTIME_BUDGET_STATE_OVER);
    assert_int_equal(told.events[0].frame_number, eighth);
    assert_int_equal(told.events[0].value_ns, 5 * MS + 1);
    assert_int_equal(told.events[0].budget_ns, 5 * MS);
    assert_string_equal(told.events[0].name, "");
    for (int i = 0; i < 11; i++) /* exactly the budget is within it */
        assert_int_equal(frame_of(&rig, "a", 5 * MS), PASSTIME_FLAG_BUDGET_OVER);
    assert_int_equal(frame_of(&rig, "a", 5 * MS), 0);
    assert_int_equal(told.count, 2);
    assert_int_equal(told.events[1].state, PASSTIME_BUDGET_STATE_WITHIN);
    assert_int_equal(budget(&rig, NULL).within, 12);
    assert_int_equal(budget(&rig, NULL).over, 4);
    assert_int_equal(budget(&rig, NULL).changed_frame, told.events[1].frame_number);
    rig_close(&rig);
}

/* Its samples carry the state, from the frame on that changes it; its series does not, and the
 * frame has a budget of its own. */
static void samples_of_a_pass_over_its_budget_are_marked(void **state)
{
    (void)state;
    struct rig rig;
    struct told told;
    open_rig(&rig, &told, 0);
    assert_int_equal(passtime_set_pass_budget(rig.t, "a", 1 * MS), PASSTIME_OK);
    for (int i = 0; i < 20; i++) {
        uint64_t at = rig.now_ns + 7777777777u;
        rig_frame(&rig, i % 4 == 3 ? "b" : "a", at, at + 2 * MS);
        const passtime_frame *frame = rig_next(&rig);
        bool over = i % 4 != 3 && i >= 9; /* the eighth frame that has it */
        assert_int_equal(frame->samples[0].flags & PASSTIME_FLAG_BUDGET_OVER,
                         over ? PASSTIME_FLAG_BUDGET_OVER : 0);
        assert_int_equal(frame->flags & PASSTIME_FLAG_BUDGET_OVER, 0);
        assert_int_equal(rig_series(&rig, "a").flags & PASSTIME_FLAG_BUDGET_OVER, 0);
    }
    rig_close(&rig);
}

/* Every other frame over: 8 of 16, and never 12 within. One change, no flicker. */
static void frames_by_turns_do_not_make_it_flicker(void **state)
{
    (void)state;
    struct rig rig;
    struct told told;
    open_rig(&rig, &told, 5 * MS);
    for (int i = 0; i < 200; i++)
        frame_of(&rig, "a", i % 2 == 0 ? 4 * MS : 6 * MS);
    assert_int_equal(told.count, 1);
    assert_int_equal(told.events[0].state, PASSTIME_BUDGET_STATE_OVER);
    rig_close(&rig);
}

/* One second frame has a pass without stamps: its time is a lower bound. */
static void an_incomplete_frame_is_never_within(void **state)
{
    (void)state;
    struct rig rig;
    struct told told;
    open_rig(&rig, &told, 5 * MS);
    for (int i = 0; i < 40; i++) {
        passtime_recorder *rec = rig_begin(&rig);
        uint64_t at = rig.now_ns + 7777777777u;
        rig_pass(&rig, rec, "a", at, at + 1 * MS);
        rig_pass(&rig, rec, "b", 0, 0);
        rig_finish(&rig, rec, 8 * MS);
        assert_int_equal(rig_next(&rig)->fate, PASSTIME_FRAME_INCOMPLETE);
    }
    assert_int_equal(told.count, 0);
    assert_int_equal(budget(&rig, NULL).state, PASSTIME_BUDGET_STATE_UNKNOWN);
    assert_int_equal(budget(&rig, NULL).over + budget(&rig, NULL).within, 0);
    for (int i = 0; i < 8; i++) { /* a lower bound above the budget proves enough */
        passtime_recorder *rec = rig_begin(&rig);
        uint64_t at = rig.now_ns + 7777777777u;
        rig_pass(&rig, rec, "a", at, at + 6 * MS);
        rig_pass(&rig, rec, "b", 0, 0);
        rig_finish(&rig, rec, 8 * MS);
        rig_next(&rig);
    }
    assert_int_equal(budget(&rig, NULL).state, PASSTIME_BUDGET_STATE_OVER);
    rig_close(&rig);
}

static void frames_that_bring_nothing_prove_nothing(void **state)
{
    (void)state;
    struct rig rig;
    struct told told;
    open_rig(&rig, &told, 5 * MS);
    for (int i = 0; i < 12; i++)
        frame_of(&rig, "a", 1 * MS);
    assert_int_equal(budget(&rig, NULL).state, PASSTIME_BUDGET_STATE_WITHIN);
    for (int i = 0; i < 30; i++) {
        passtime_recorder *rec = rig_begin(&rig);
        assert_int_equal(passtime_feed_pass(rec, "a"), 0);
        passtime_submitted(rec);
        uint64_t number = rig.frame - 1;
        passtime_frame_end(rig.t, number);
        rig_results(&rig, number, PASSTIME_FEED_MAP_FAILED);
        rig_next(&rig);
    }
    assert_int_equal(budget(&rig, NULL).within, 0);
    assert_int_equal(budget(&rig, NULL).state, PASSTIME_BUDGET_STATE_WITHIN); /* it stays */
    assert_int_equal(told.count, 1);
    rig_close(&rig);
}

/* Runs of one name count together; a frame without the pass says nothing of it. */
static void a_pass_has_a_budget_of_its_own(void **state)
{
    (void)state;
    const passtime_budget_rule rule = {.window = 4, .over = 2, .within = 3};
    struct rig rig;
    struct told told;
    open_rig(&rig, &told, 0);
    assert_int_equal(passtime_set_budget_rule(rig.t, &rule), PASSTIME_OK);
    assert_int_equal(passtime_set_pass_budget(rig.t, "shadow", 2 * MS), PASSTIME_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(told.count, 0);
        passtime_recorder *rec = rig_begin(&rig);
        uint64_t at = rig.now_ns + 7777777777u;
        rig_pass(&rig, rec, "shadow", at, at + 1 * MS);
        rig_pass(&rig, rec, "scene", at + 1 * MS, at + 5 * MS);
        rig_pass(&rig, rec, "shadow", at + 5 * MS, at + 6 * MS + 1);
        rig_finish(&rig, rec, 8 * MS);
        assert_int_equal(rig_next(&rig)->flags & PASSTIME_FLAG_BUDGET_OVER, 0);
        frame_of(&rig, "scene", 4 * MS);
    }
    assert_int_equal(told.count, 1);
    assert_string_equal(told.events[0].name, "shadow");
    assert_int_equal(told.events[0].value_ns, 2 * MS + 1);
    assert_int_equal(budget(&rig, "shadow").state, PASSTIME_BUDGET_STATE_OVER);
    assert_int_equal(budget(&rig, NULL).state, PASSTIME_BUDGET_STATE_UNKNOWN);
    passtime_budget_info info;
    assert_int_equal(passtime_get_budget(rig.t, "shado", &info), PASSTIME_INVALID);
    assert_int_equal(passtime_get_budget(rig.t, "shadows", &info), PASSTIME_INVALID);
    /* Another budget is another question. */
    assert_int_equal(passtime_set_pass_budget(rig.t, "shadow", 3 * MS), PASSTIME_OK);
    assert_int_equal(budget(&rig, "shadow").state, PASSTIME_BUDGET_STATE_UNKNOWN);
    for (int i = 0; i < 3; i++)
        frame_of(&rig, "shadow", 2 * MS + 1);
    assert_int_equal(budget(&rig, "shadow").state, PASSTIME_BUDGET_STATE_WITHIN);
    rig_close(&rig);
}

static void a_new_budget_or_a_reset_begins_anew(void **state)
{
    (void)state;
    struct rig rig;
    struct told told;
    open_rig(&rig, &told, 5 * MS);
    for (int i = 0; i < 8; i++)
        frame_of(&rig, "a", 6 * MS);
    passtime_set_budget(rig.t, 7 * MS);
    assert_int_equal(frame_of(&rig, "a", 6 * MS), 0);
    assert_int_equal(budget(&rig, NULL).state, PASSTIME_BUDGET_STATE_UNKNOWN);
    for (int i = 0; i < 11; i++)
        frame_of(&rig, "a", 6 * MS);
    assert_int_equal(budget(&rig, NULL).state, PASSTIME_BUDGET_STATE_WITHIN);
    passtime_reset_stats(rig.t);
    assert_int_equal(budget(&rig, NULL).state, PASSTIME_BUDGET_STATE_UNKNOWN);
    assert_int_equal(budget(&rig, NULL).within, 0);
    rig_close(&rig);
}

static void the_callback_may_call_passtime(void **state)
{
    (void)state;
    struct rig rig;
    struct told told;
    open_rig(&rig, &told, 5 * MS);
    told.calls_back = true;
    for (int i = 0; i < 40; i++) {
        uint64_t at = rig.now_ns + 7777777777u;
        rig_frame(&rig, "a", at, at + (i < 20 ? 6u : 4u) * MS);
        rig_drain(&rig);
    }
    assert_int_equal(told.count, 2);
    rig_close(&rig);
}

/* CPU times are not GPU time, however long they are. */
static void cpu_times_are_not_held_against_it(void **state)
{
    (void)state;
    struct rig rig;
    struct told told;
    memset(&told, 0, sizeof told);
    rig_init(&rig);
    rig.feed.source = PASSTIME_CPU_RECORD;
    rig.desc.budget_ns = 1 * MS;
    rig.desc.budget_fn = tell;
    rig.desc.budget_user = &told;
    rig_open(&rig);
    assert_int_equal(passtime_set_pass_budget(rig.t, "a", 1 * MS), PASSTIME_OK);
    for (int i = 0; i < 40; i++)
        frame_of(&rig, "a", 6 * MS);
    assert_int_equal(told.count, 0);
    assert_int_equal(budget(&rig, "a").state, PASSTIME_BUDGET_STATE_UNKNOWN);
    rig_close(&rig);
}

static void rules_and_names_that_can_not_be_kept_are_refused(void **state)
{
    (void)state;
    static const passtime_budget_rule bad[] = {{0, 1, 1}, {65, 40, 40}, {4, 0, 4},
                                               {4, 5, 1}, {4, 1, 5},    {4, 2, 2}};
    struct rig rig;
    struct told told;
    char name[] = "pass a";
    open_rig(&rig, &told, 0);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(passtime_set_budget_rule(rig.t, &bad[i]), PASSTIME_INVALID);
    const passtime_budget_rule widest = {64, 64, 1};
    assert_int_equal(passtime_set_budget_rule(rig.t, &widest), PASSTIME_OK);
    assert_int_equal(passtime_set_budget_rule(rig.t, NULL), PASSTIME_OK);
    assert_int_equal(passtime_set_budget_rule(NULL, NULL), PASSTIME_INVALID);
    assert_int_equal(passtime_set_pass_budget(rig.t, "", 1), PASSTIME_INVALID);
    assert_int_equal(passtime_set_pass_budget(rig.t, NULL, 1), PASSTIME_INVALID);
    for (int i = 0; i < PASSTIME_PASS_BUDGETS_MAX; i++) {
        name[5] = (char)('a' + i);
        assert_int_equal(passtime_set_pass_budget(rig.t, name, 1), PASSTIME_OK);
    }
    assert_int_equal(passtime_set_pass_budget(rig.t, "one more", 1), PASSTIME_FULL);
    assert_int_equal(passtime_set_pass_budget(rig.t, name, 2), PASSTIME_OK);
    assert_int_equal(budget(&rig, name).budget_ns, 2);
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_state_changes_where_the_rule_says_and_not_before),
        cmocka_unit_test(samples_of_a_pass_over_its_budget_are_marked),
        cmocka_unit_test(frames_by_turns_do_not_make_it_flicker),
        cmocka_unit_test(an_incomplete_frame_is_never_within),
        cmocka_unit_test(frames_that_bring_nothing_prove_nothing),
        cmocka_unit_test(a_pass_has_a_budget_of_its_own),
        cmocka_unit_test(a_new_budget_or_a_reset_begins_anew),
        cmocka_unit_test(the_callback_may_call_passtime),
        cmocka_unit_test(cpu_times_are_not_held_against_it),
        cmocka_unit_test(rules_and_names_that_can_not_be_kept_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
