/* SPDX-License-Identifier: MIT */
/* What a desc means: defaults read back, fields out of range refused, and memory that is fixed by
 * it. */
#include <passtime/cpu.h>

#include "unit/rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { MS = 1000000 };

static void defaults_can_be_read_back(void **state)
{
    (void)state;
    passtime *t = NULL;
    passtime_desc held;
    assert_int_equal(passtime_create_feed(NULL, NULL, &t), PASSTIME_OK);
    assert_int_equal(passtime_get_desc(t, &held), PASSTIME_OK);
    assert_int_equal(held.size, sizeof(held));
    assert_int_equal(held.flags, 0);
    assert_int_equal(held.max_passes, 128);
    assert_int_equal(held.max_scopes, 32);
    assert_int_equal(held.max_recorders, 8);
    assert_int_equal(held.max_names, 144);
    assert_int_equal(held.frames_in_flight, 4);
    assert_int_equal(held.output_frames, 8);
    assert_int_equal(held.every, 1);
    assert_int_not_equal(held.seed, 0);
    assert_int_equal(held.budget_ns, 0);
    assert_int_equal(held.ceiling_ns, 0);
    assert_int_equal(held.timeout_ns, 10000ull * MS);
    assert_non_null(held.allocator.allocate);
    assert_non_null(held.allocator.release);
    assert_non_null(held.clock);
    assert_non_null(held.log);
    assert_true(passtime_memory_bytes(t) > 0);
    passtime_destroy(&t);
}

/* What is given is kept; what can be changed later is read back as changed. */
static void fields_are_kept(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig);
    rig.desc.flags = PASSTIME_CPU_STAMPS | PASSTIME_START_DISABLED;
    rig.desc.max_passes = 3;
    rig.desc.max_scopes = 2;
    rig.desc.max_recorders = 1;
    rig.desc.max_names = 5;
    rig.desc.frames_in_flight = 1;
    rig.desc.output_frames = 1;
    rig.desc.every = 7;
    rig.desc.budget_ns = 1;
    rig.desc.ceiling_ns = 2;
    rig.desc.timeout_ns = 3;
    rig_open(&rig);
    passtime_desc held;
    assert_int_equal(passtime_get_desc(rig.t, &held), PASSTIME_OK);
    assert_memory_equal(&held, &rig.desc, sizeof(held));
    assert_null(rig_begin(&rig)); /* It starts disabled. */
    assert_int_equal(rig_ledger(&rig).fates[PASSTIME_FRAME_SKIPPED_OFF], 1);
    passtime_set_every(rig.t, 0);
    passtime_set_budget(rig.t, 9);
    assert_int_equal(passtime_get_desc(rig.t, &held), PASSTIME_OK);
    assert_int_equal(held.every, 1);
    assert_int_equal(held.budget_ns, 9);
    rig_close(&rig);
}

static passtime_result try_desc(const struct rig *rig, const passtime_desc *desc)
{
    passtime *t = (passtime *)(uintptr_t)rig; /* Must not stay what it was. */
    passtime *u = t;
    passtime_result result = passtime_create_feed(&rig->feed, desc, &t);
    assert_int_equal(passtime_create_cpu(desc, &u), result);
    assert_int_equal(result == PASSTIME_OK, t != NULL);
    assert_int_equal(result == PASSTIME_OK, u != NULL);
    passtime_destroy(&t);
    passtime_destroy(&u);
    return result;
}

/* Each field just within its range, and just beyond. */
static void ranges_are_checked(void **state)
{
    (void)state;
    static const struct {
        size_t field;
        uint32_t within;
        uint32_t beyond;
    } rows[] = {
        {offsetof(passtime_desc, size), sizeof(passtime_desc), sizeof(passtime_desc) - 1},
        {offsetof(passtime_desc, size), sizeof(passtime_desc), sizeof(passtime_desc) + 8},
        {offsetof(passtime_desc, size), sizeof(passtime_desc), 0},
        {offsetof(passtime_desc, flags), PASSTIME_CPU_STAMPS, 1u << 2},
        {offsetof(passtime_desc, flags), PASSTIME_START_DISABLED, 1u << 31},
        {offsetof(passtime_desc, max_passes), 65536, 65537},
        {offsetof(passtime_desc, max_passes), 1, UINT32_MAX},
        {offsetof(passtime_desc, max_scopes), 1, (1u << 20) + 1},
        {offsetof(passtime_desc, max_recorders), 256, 257},
        {offsetof(passtime_desc, max_names), 2, 1},
        {offsetof(passtime_desc, max_names), 1000, (1u << 18) + 1},
        {offsetof(passtime_desc, frames_in_flight), 64, 65},
        {offsetof(passtime_desc, output_frames), 1, (1u << 20) + 1},
        {offsetof(passtime_desc, every), UINT32_MAX, UINT32_MAX},
        {offsetof(passtime_desc, reserved), 0, 1},
    };
    struct rig rig;
    rig_init(&rig);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        passtime_desc desc = rig.desc;
        unsigned char *field = (unsigned char *)&desc + rows[i].field;
        memcpy(field, &rows[i].within, sizeof(rows[i].within));
        assert_int_equal(try_desc(&rig, &desc), PASSTIME_OK);
        memcpy(field, &rows[i].beyond, sizeof(rows[i].beyond));
        bool same = rows[i].beyond == rows[i].within;
        assert_int_equal(try_desc(&rig, &desc), same ? PASSTIME_OK : PASSTIME_INVALID);
    }
    assert_int_equal(rig.allocated_blocks, 0);
}

/* Half an allocator would free with one heap what came from another. */
static void allocators_come_whole(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig);
    passtime_desc desc = rig.desc;
    desc.allocator.release = NULL;
    assert_int_equal(try_desc(&rig, &desc), PASSTIME_INVALID);
    desc = rig.desc;
    desc.allocator.allocate = NULL;
    assert_int_equal(try_desc(&rig, &desc), PASSTIME_INVALID);
    desc.allocator.release = NULL;
    assert_int_equal(try_desc(&rig, &desc), PASSTIME_OK);
    assert_int_equal(rig.allocations, 0);
}

static void feed_descs_are_checked(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig);
    passtime_desc desc = rig.desc;
    rig.feed.valid_bits = 65;
    assert_int_equal(passtime_create_feed(&rig.feed, &desc, &rig.t), PASSTIME_INVALID);
    assert_null(rig.t);
    rig_init(&rig);
    rig.feed.size--;
    assert_int_equal(passtime_create_feed(&rig.feed, &desc, &rig.t), PASSTIME_INVALID);
    rig_init(&rig);
    rig.feed.source = PASSTIME_SOURCE_COUNT;
    assert_int_equal(passtime_create_feed(&rig.feed, &desc, &rig.t), PASSTIME_INVALID);
    rig_init(&rig);
    rig.feed.valid_bits = 1;
    rig_open(&rig);
    rig_close(&rig);
}

static void run_frames(struct rig *rig, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        passtime_recorder *rec = rig_begin(rig);
        passtime_scope_begin(rec, "scope");
        for (uint32_t p = 0; p < 4; p++) {
            uint64_t begin = rig->now_ns + MS + p * 1000u;
            rig_pass(rig, rec, p % 2 == 0 ? "a" : "b", begin, begin + 500);
        }
        passtime_scope_end(rec);
        rig_finish(rig, rec, 8 * MS);
        rig_drain(rig);
    }
}

/* Design: below 512 KiB for 64 passes and 4 frames, and the same after a great many frames. The
 * whole of what the allocator gave is counted, the backend's part included. */
static size_t given_bytes;

static void *count_bytes(void *user, size_t bytes)
{
    const struct rig *rig = user;
    given_bytes += bytes;
    return rig->t == NULL ? test_malloc(bytes) : NULL; /* Nothing after create. */
}

static void free_bytes(void *user, void *memory)
{
    (void)user;
    test_free(memory);
}

static void memory_is_fixed(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig);
    given_bytes = 0;
    rig.desc.max_passes = 64;
    rig.desc.allocator = (passtime_allocator){count_bytes, free_bytes, &rig};
    rig_open(&rig);
    size_t bytes = given_bytes;
    size_t core_bytes = passtime_memory_bytes(rig.t);
    assert_true(bytes < 512u * 1024);
    assert_true(core_bytes <= bytes);
    run_frames(&rig, 100000);
    assert_int_equal(given_bytes, bytes);
    assert_int_equal(passtime_memory_bytes(rig.t), core_bytes);
    assert_int_equal(rig_series(&rig, "scope/a").stats.count, 200000);
    rig_check_ledger(&rig);
    rig_close(&rig);
}

/* Forgotten are figures and ledger; what is in flight is judged afterwards and counts anew. */
static void reset_forgets_figures(void **state)
{
    (void)state;
    struct rig rig;
    rig_init(&rig);
    rig.desc.budget_ns = 1;
    rig_open(&rig);
    run_frames(&rig, 20);
    passtime_recorder *rec = rig_begin(&rig);
    uint64_t at = rig.now_ns + MS;
    rig_pass(&rig, rec, "a", at, at + 700);
    passtime_end(rec);
    rig_finish(&rig, rec, 8 * MS);
    passtime_recorder *open = rig_begin(&rig);
    passtime_feed_pass(open, "b");
    passtime_submitted(rec);
    assert_int_equal(rig_ledger(&rig).misuses, 1);
    passtime_reset_stats(rig.t);
    passtime_ledger ledger = rig_ledger(&rig);
    assert_int_equal(ledger.frames_seen, ledger.frames_in_flight);
    assert_int_equal(ledger.passes_recorded, ledger.passes_in_flight);
    assert_int_equal(ledger.orphan_ends, 0);
    assert_int_equal(ledger.misuses, 0);
    assert_int_equal(ledger.frames_over_budget, 0);
    rig_check_ledger(&rig);
    assert_int_equal(rig_series(&rig, "scope/a").stats.count, 0);
    assert_int_equal(rig_series(&rig, "scope/a").attributed_ns, 0);
    passtime_stats busy;
    assert_int_equal(passtime_frame_stats(rig.t, PASSTIME_TOTAL_BUSY, &busy), PASSTIME_OK);
    passtime_discarded(open);
    passtime_frame_end(rig.t, rig.frame - 1);
    rig_drain(&rig);
    rig_check_ledger(&rig);
    assert_int_equal(rig_ledger(&rig).frames_in_flight, 0);
    assert_int_equal(rig_series(&rig, "b").verdicts[PASSTIME_DISCARDED], 1);
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_can_be_read_back), cmocka_unit_test(fields_are_kept),
        cmocka_unit_test(ranges_are_checked),        cmocka_unit_test(allocators_come_whole),
        cmocka_unit_test(feed_descs_are_checked),    cmocka_unit_test(memory_is_fixed),
        cmocka_unit_test(reset_forgets_figures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
