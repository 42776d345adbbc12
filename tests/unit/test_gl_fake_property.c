/* SPDX-License-Identifier: MIT */
/*
 * The GL backend under random mixes of trouble: whatever happens, a time that is called good is the
 * true one, GL's rules are kept, nothing is waited for, and the books add up.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "fake/gl_rig.h"

#include <cmocka.h>

enum { SEEDS = 300, STEPS = 400, NAMES = 256, RECORDERS = 3, DEPTH = 4 };

/* What is known of a pass while it is under way. */
struct truth {
    uint64_t begin_ns;
    uint64_t end_ns;
    bool disturbed; /* the clock was, since it began */
};

struct open_recorder {
    passtime_recorder *rec;
    uint64_t number;
    uint32_t names[DEPTH];
    uint32_t depth;
};

struct play {
    struct gl_rig rig;
    uint64_t random;
    struct truth truths[NAMES];
    uint32_t next_name;
    struct open_recorder open[RECORDERS];
    unsigned app_query;
    bool app_active; /* the app thinks so */
    uint32_t pauses;
    uint64_t good;
};

static uint32_t pick(struct play *p, uint32_t below)
{
    p->random = p->random * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)(p->random >> 33) % below;
}

static void *current_of(void *user)
{
    struct gl_fake *fake = user;
    return fake->current != 0 ? &fake->log[fake->current] : NULL;
}

static void check_sample(struct play *p, const passtime_sample *s)
{
    if (!passtime_is_good(s->verdict)) {
        return;
    }
    const struct truth *truth = &p->truths[strtoul(s->name + 1, NULL, 10)];
    assert_false(truth->disturbed);
    assert_int_equal(s->duration_ns, truth->end_ns - truth->begin_ns);
    p->good++;
}

static void take(struct play *p)
{
    const passtime_frame *frame = NULL;
    while (passtime_next(p->rig.t, &frame) == PASSTIME_OK) {
        for (uint32_t i = 0; i < frame->sample_count; i++) {
            check_sample(p, &frame->samples[i]);
        }
    }
}

static void begin_pass(struct play *p, struct open_recorder *o)
{
    char name[16];
    if (o->depth == DEPTH) {
        return;
    }
    uint32_t n = p->next_name++ % NAMES;
    p->truths[n] = (struct truth){.begin_ns = p->rig.fake.gpu_ns};
    o->names[o->depth++] = n;
    snprintf(name, sizeof(name), "p%u", (unsigned)n);
    passtime_begin(o->rec, name);
}

static void end_pass(struct play *p, struct open_recorder *o)
{
    if (o->depth > 0) {
        p->truths[o->names[--o->depth]].end_ns = p->rig.fake.gpu_ns;
    }
    passtime_end(o->rec);
}

static void begin_recorder(struct play *p, struct open_recorder *o)
{
    bool further = pick(p, 3) == 0; /* One more of a frame that is being recorded. */
    uint64_t number = further ? p->rig.number : ++p->rig.number;
    *o = (struct open_recorder){.number = number};
    o->rec = further ? passtime_recorder_begin(p->rig.t, number)
                     : passtime_frame_begin(p->rig.t, number);
}

static void finish_recorder(struct play *p, struct open_recorder *o)
{
    if (pick(p, 8) == 0) {
        passtime_discarded(o->rec);
    } else {
        passtime_submitted(o->rec);
    }
    if (pick(p, 8) != 0) {
        (void)passtime_frame_end(p->rig.t, o->number);
    }
    *o = (struct open_recorder){0};
}

/* A step in the life of one recorder. */
static void record(struct play *p)
{
    struct open_recorder *o = &p->open[pick(p, RECORDERS)];
    if (o->rec == NULL) {
        begin_recorder(p, o);
        return;
    }
    switch (pick(p, 5)) {
    case 0:
    case 1:
        begin_pass(p, o);
        break;
    case 2:
    case 3:
        end_pass(p, o);
        break;
    default:
        finish_recorder(p, o);
    }
}

/* The app's own elapsed query, with good manners and without. A rule of GL that it breaks is its
 * own. */
static void use_app_query(struct play *p)
{
    if (p->rig.fake.current != 1) {
        return;
    }
    uint32_t errors = p->rig.fake.errors;
    if (!p->app_active) {
        if (pick(p, 2) == 0) {
            passtime_gl_pause(p->rig.t);
            p->pauses++;
        }
        gl_fake_app_begin(p->app_query);
    } else {
        gl_fake_app_end();
        for (; p->pauses > 0; p->pauses--) {
            passtime_gl_resume(p->rig.t);
        }
    }
    p->app_active = !p->app_active;
    p->rig.app_errors += p->rig.fake.errors - errors;
}

static void disturb(struct play *p)
{
    p->rig.fake.disjoint = 1;
    for (uint32_t i = 0; i < NAMES; i++) {
        p->truths[i].disturbed = true;
    }
}

/* What the world does meanwhile. */
static void happen(struct play *p)
{
    struct gl_fake *fake = &p->rig.fake;
    switch (pick(p, 14)) {
    case 0:
        fake->done += (fake->issued - fake->done) / 2;
        break;
    case 1:
    case 2:
        gl_fake_finish(fake);
        break;
    case 3:
        if (fake->es) {
            disturb(p);
            (void)(pick(p, 2) == 0 && passtime_gl_disjoint(p->rig.t));
        }
        break;
    case 4:
        fake->current = pick(p, 4) == 0 ? (int)pick(p, 3) : 1;
        break;
    case 5:
        fake->wild_first = true;
        fake->elapsed_count = 0;
        break;
    case 6:
        p->rig.now_ns += pick(p, 40) == 0 ? 11000000000ull : 1000000;
        break;
    case 7:
        use_app_query(p);
        break;
    default:
        gl_rig_work(&p->rig, pick(p, 4) == 0 ? 0 : 1 + pick(p, 100000));
    }
}

static void finish(struct play *p)
{
    p->rig.fake.current = 1;
    for (int i = 0; i < RECORDERS; i++) {
        passtime_submitted(p->open[i].rec);
    }
    for (uint64_t number = 1; number <= p->rig.number; number++) {
        (void)passtime_frame_end(p->rig.t, number);
    }
    passtime_collect(p->rig.t); /* Ends what was submitted only now, and what was left active. */
    gl_fake_finish(&p->rig.fake);
    passtime_collect(p->rig.t);
    take(p);
    passtime_ledger ledger = gl_rig_ledger(&p->rig);
    uint64_t fates = 0;
    uint64_t verdicts = 0;
    for (int i = 0; i < PASSTIME_FATE_COUNT; i++) {
        fates += ledger.fates[i];
    }
    for (int i = 0; i < PASSTIME_VERDICT_COUNT; i++) {
        verdicts += ledger.verdicts[i];
    }
    assert_int_equal(ledger.frames_in_flight, 0);
    assert_int_equal(fates, ledger.frames_seen);
    assert_int_equal(verdicts, ledger.passes_recorded);
}

/* Returns how many times were good. */
static uint64_t play(uint64_t seed, bool elapsed)
{
    static struct play p;
    p = (struct play){.random = seed};
    gl_rig_setup(&p.rig, elapsed);
    if (pick(&p, 2) == 0) {
        gl_rig_es(&p.rig);
    }
    p.rig.gl.current_context = current_of;
    p.rig.gl.user = &p.rig.fake;
    p.rig.desc.frames_in_flight = 1 + pick(&p, 8);
    p.rig.desc.max_names = NAMES + 2;
    gl_rig_open(&p.rig);
    p.app_query = gl_fake_app_query();
    for (int step = 0; step < STEPS; step++) {
        if (pick(&p, 2) == 0) {
            record(&p);
        } else {
            happen(&p);
        }
        take(&p);
    }
    finish(&p);
    passtime_destroy(&p.rig.t);
    p.rig.fake.alive--;
    gl_rig_close(&p.rig);
    return p.good;
}

static void no_false_time(void **state)
{
    (void)state;
    for (int elapsed = 0; elapsed < 2; elapsed++) {
        uint64_t good = 0;
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            good += play(seed, elapsed != 0);
        }
        print_message("%s: %llu good times, all true\n", elapsed != 0 ? "elapsed" : "stamps",
                      (unsigned long long)good);
        assert_true(good > SEEDS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_false_time)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
