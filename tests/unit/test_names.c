/* SPDX-License-Identifier: MIT */
/* Names: what becomes of any bytes an app may hand over, and that the table never fills for good.
 */
#include "core/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FFFD "\xEF\xBF\xBD"

struct table {
    struct passtime_names names;
    void *memory;
};

/* Memory is filled with rubbish first: init must not rely on zeros. */
static struct table table_of(uint32_t max)
{
    struct table t;
    size_t bytes = passtime_names_bytes(max);
    t.memory = malloc(bytes);
    assert_non_null(t.memory);
    memset(t.memory, 0xA5, bytes);
    passtime_names_init(&t.names, t.memory, max);
    return t;
}

static passtime_id add(struct table *t, const char *name, uint64_t seq)
{
    return passtime_names_add(&t->names, name, strlen(name), false, seq);
}

static passtime_id find(const struct table *t, const char *name)
{
    return passtime_names_find(&t->names, name, strlen(name));
}

/* As many sweeps as it takes to look at every place. */
static uint32_t retire_all(struct table *t, uint64_t seq)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < t->names.max; i += PASSTIME_NAMES_SWEEP)
        count += passtime_names_retire_old(&t->names, seq);
    return count;
}

static void expect_clean(const char *bytes, size_t n, const char *expected)
{
    char out[PASSTIME_NAME_BYTES];
    size_t length = passtime_names_clean(bytes, n, out);
    assert_string_equal(out, expected);
    assert_int_equal(length, strlen(expected));
    /* Cleaning what is clean changes nothing. */
    char again[PASSTIME_NAME_BYTES];
    assert_int_equal(passtime_names_clean(out, length, again), length);
    assert_memory_equal(out, again, length + 1);
}

/* BR-18, and the table of maximal parts in the Unicode standard, chapter 3.9. */
static void test_clean(void **state)
{
    (void)state;
    expect_clean("shadow", 6, "shadow");
    expect_clean("a \"quote\" and a \\", 17, "a \"quote\" and a \\");
    expect_clean("two\nlines\tand\rmore", 18, "two lines and more");
    expect_clean("\x01\x7F", 2, FFFD FFFD);
    expect_clean("a\0b", 3, "a" FFFD "b");
    expect_clean("\xC2\x9B", 2, FFFD);
    expect_clean("\xC2\xA0", 2, "\xC2\xA0");
    expect_clean("\xF0\x9F\x94\xA5 fire", 9, "\xF0\x9F\x94\xA5 fire");
    expect_clean("sch\xC3\xB6n", 6, "sch\xC3\xB6n");
    expect_clean("", 0, "(unnamed)");
    expect_clean(NULL, 0, "(unnamed)");
    expect_clean(NULL, 7, "(unnamed)");
    expect_clean("\x80", 1, FFFD);
    expect_clean("\xFF\xFE", 2, FFFD FFFD);
    expect_clean("\xC0\xAF", 2, FFFD FFFD);
    expect_clean("\xE0\x80\xAF", 3, FFFD FFFD FFFD);
    expect_clean("\xED\xA0\x80", 3, FFFD FFFD FFFD);
    expect_clean("\xF4\x90\x80\x80", 4, FFFD FFFD FFFD FFFD);
    expect_clean("\xF4\x8F\xBF\xBF", 4, "\xF4\x8F\xBF\xBF");
    expect_clean("\xE2\x82", 2, FFFD);
    expect_clean("\xF0\x9F\x94x", 4, FFFD "x");
    expect_clean("\x61\xF1\x80\x80\xE1\x80\xC2\x62\x80\x63\x80\xBF\x64", 13,
                 "a" FFFD FFFD FFFD "b" FFFD "c" FFFD FFFD "d");
}

static void test_long_names_are_cut_at_a_code_point(void **state)
{
    (void)state;
    char long_name[10000];
    char out[PASSTIME_NAME_BYTES];
    memset(long_name, 'x', sizeof long_name);
    assert_int_equal(passtime_names_clean(long_name, sizeof long_name, out), 95);
    /* An emoji across the end goes as a whole. */
    memcpy(long_name + 93, "\xF0\x9F\x94\xA5", 4);
    assert_int_equal(passtime_names_clean(long_name, sizeof long_name, out), 93);
    assert_int_equal(out[92], 'x');
    memcpy(long_name + 91, "\xF0\x9F\x94\xA5", 4);
    assert_int_equal(passtime_names_clean(long_name, 95, out), 95);
    /* Broken bytes grow threefold. */
    memset(long_name, 0xFF, sizeof long_name);
    assert_int_equal(passtime_names_clean(long_name, sizeof long_name, out), 93);
}

static bool is_clean_utf8(const char *text, size_t length)
{
    char again[PASSTIME_NAME_BYTES];
    return passtime_names_clean(text, length, again) == length && memcmp(text, again, length) == 0;
}

static void test_random_bytes_become_clean(void **state)
{
    (void)state;
    uint32_t random = 1;
    for (int i = 0; i < 100000; i++) {
        char bytes[120];
        char out[PASSTIME_NAME_BYTES];
        size_t n = 1 + random % sizeof bytes;
        for (size_t j = 0; j < n; j++) {
            random = random * 1664525 + 1013904223;
            bytes[j] = (char)(random >> 24 | (random >> 8 & 0x80));
        }
        size_t length = passtime_names_clean(bytes, n, out);
        assert_true(length > 0 && length < PASSTIME_NAME_BYTES);
        assert_true(is_clean_utf8(out, length));
        assert_null(memchr(out, 0, length));
    }
}

static void test_find_and_add(void **state)
{
    (void)state;
    struct table t = table_of(8);
    assert_int_equal(find(&t, "shadow"), 0);
    passtime_id shadow = add(&t, "shadow", 1);
    assert_int_not_equal(shadow, 0);
    assert_int_equal(find(&t, "shadow"), shadow);
    assert_int_equal(add(&t, "shadow", 2), shadow);
    assert_int_equal(find(&t, "shadows"), 0);
    assert_int_equal(find(&t, "shado"), 0);
    assert_int_equal(passtime_names_find(&t.names, "shadowland", 6), shadow);
    assert_string_equal(passtime_names_text(&t.names, shadow), "shadow");
    assert_string_equal(passtime_names_text(&t.names, 0), "(other)");
    assert_string_equal(passtime_names_text(&t.names, 4000000000), "(other)");
    free(t.memory);
}

/* Names of every length, that differ in one byte, are told apart. */
static void test_every_byte_counts(void **state)
{
    (void)state;
    struct table t = table_of(10000);
    char name[PASSTIME_NAME_BYTES] = "";
    uint32_t known = 0;
    for (size_t n = 1; n < PASSTIME_NAME_BYTES; n++) {
        memset(name, 'a', n);
        assert_int_equal(passtime_names_add(&t.names, name, n, false, 1), ++known);
        for (size_t at = 0; at < n; at++) {
            name[at] = 'b';
            assert_int_equal(passtime_names_find(&t.names, name, n), 0);
            assert_int_equal(passtime_names_add(&t.names, name, n, false, 1), ++known);
            name[at] = 'a';
        }
    }
    assert_int_equal(t.names.live, known);
    free(t.memory);
}

/* Broken and overlong names are found again as they are handed over, and take one place each. */
static void test_broken_names_do_not_pile_up(void **state)
{
    (void)state;
    struct table t = table_of(16);
    char long_name[10000];
    memset(long_name, 'y', sizeof long_name);
    const struct {
        const char *bytes;
        size_t n;
    } broken[] = {
        {"a\nb", 3}, {"\xFFoops", 5}, {NULL, 0}, {long_name, sizeof long_name}, {"\x01", 1}};
    const size_t count = sizeof broken / sizeof broken[0];
    for (uint64_t seq = 0; seq < 100; seq++) {
        for (size_t i = 0; i < count; i++) {
            passtime_id id = passtime_names_find(&t.names, broken[i].bytes, broken[i].n);
            assert_true(seq == 0 ? id == 0 : id != 0);
            passtime_id added =
                passtime_names_add(&t.names, broken[i].bytes, broken[i].n, false, seq);
            assert_true(seq == 0 || added == id);
            assert_int_equal(find(&t, passtime_names_text(&t.names, added)), added);
        }
    }
    assert_int_equal(t.names.live, count);
    assert_int_equal(passtime_names_find(&t.names, "", 0), find(&t, "(unnamed)"));
    free(t.memory);
}

static void test_full(void **state)
{
    (void)state;
    struct table t = table_of(4);
    assert_int_not_equal(add(&t, "a", 1), 0);
    assert_int_not_equal(add(&t, "b", 1), 0);
    assert_int_not_equal(add(&t, "c", 1), 0);
    assert_int_equal(add(&t, "d", 1), 0);
    assert_int_equal(add(&t, "e", 1), 0);
    assert_int_equal(t.names.full, 2);
    assert_int_not_equal(add(&t, "b", 1), 0);
    assert_int_equal(t.names.full, 2);
    free(t.memory);
}

static void test_old_names_give_up_their_place(void **state)
{
    (void)state;
    struct table t = table_of(5);
    passtime_id old = add(&t, "old", 10);
    passtime_id pinned = passtime_names_add(&t.names, "pinned", 6, true, 10);
    passtime_id held = add(&t, "held", 10);
    passtime_id fresh = add(&t, "fresh", 11);
    passtime_names_hold(&t.names, held);
    assert_int_equal(retire_all(&t, 1033), 0);
    assert_int_equal(retire_all(&t, 1034), 1);
    assert_int_equal(find(&t, "old"), 0);
    assert_string_equal(passtime_names_text(&t.names, old), "old");

    /* A frame that was open at the retiring may still mean it. */
    assert_int_equal(passtime_names_reclaim(&t.names, 1034), 0);
    assert_int_equal(add(&t, "new", 1034), 0);
    assert_int_equal(passtime_names_reclaim(&t.names, 1035), 1);
    assert_int_equal(add(&t, "new", 1035), old);
    assert_string_equal(passtime_names_text(&t.names, old), "new");
    assert_int_equal(find(&t, "pinned"), pinned);
    assert_int_equal(find(&t, "held"), held);
    assert_int_equal(find(&t, "fresh"), fresh);

    passtime_names_release(&t.names, held);
    assert_int_equal(retire_all(&t, 1035), 2);
    assert_int_equal(find(&t, "held"), 0);
    assert_int_equal(find(&t, "fresh"), 0);
    assert_int_equal(find(&t, "pinned"), pinned);
    free(t.memory);
}

static void test_retired_names_come_back(void **state)
{
    (void)state;
    struct table t = table_of(8);
    passtime_id touched = add(&t, "touched", 1);
    passtime_id added = add(&t, "added", 1);
    passtime_id held = add(&t, "held", 1);
    passtime_id gone = add(&t, "gone", 1);
    assert_int_equal(retire_all(&t, 5000), 4);
    assert_int_equal(passtime_names_touch(&t.names, touched, 4990), touched);
    assert_int_equal(add(&t, "added", 5000), added);
    passtime_names_hold(&t.names, held);
    assert_int_equal(passtime_names_reclaim(&t.names, 6000), 1);
    assert_int_equal(find(&t, "touched"), touched);
    assert_int_equal(find(&t, "added"), added);
    assert_int_equal(find(&t, "held"), held);
    assert_int_equal(find(&t, "gone"), 0);
    assert_int_equal(passtime_names_touch(&t.names, gone, 6000), 0);
    assert_int_equal(passtime_names_touch(&t.names, 0, 6000), 0);
    assert_int_equal(passtime_names_touch(&t.names, 77, 6000), 0);
    /* An old frame that is judged late does not make a name younger than it is. */
    assert_int_equal(passtime_names_touch(&t.names, added, 3), added);
    assert_int_equal(retire_all(&t, 6023), 1);
    assert_int_equal(find(&t, "added"), added);
    free(t.memory);
}

/* BR-38: labels that never repeat stay within a fixed ceiling, and others keep their places. */
static void test_unique_labels_are_bounded(void **state)
{
    (void)state;
    enum { FLIGHT = 4 };
    struct table t = table_of(144);
    passtime_id steady = add(&t, "steady", 0);
    passtime_names_hold(&t.names, steady);
    uint64_t none = 0;
    for (uint64_t seq = 1; seq <= 100000; seq++) {
        char label[32];
        (void)snprintf(label, sizeof label, "frame %u", (unsigned)seq);
        passtime_names_retire_old(&t.names, seq);
        passtime_names_reclaim(&t.names, seq > FLIGHT ? seq - FLIGHT : 0);
        passtime_id id = add(&t, label, seq);
        none += id == 0;
        assert_true(id < 144);
        assert_string_equal(passtime_names_text(&t.names, id), id == 0 ? "(other)" : label);
        assert_true(t.names.live + t.names.retired < 144);
        assert_int_equal(find(&t, "steady"), steady);
    }
    assert_int_equal(t.names.full, none);
    /* About 142 places change hands every 1,024 frames and a sweep. */
    assert_true(100000 - none > 100000 / 1100 * 142);
    free(t.memory);
}

/* A table that has seen a million changes looks names up in chains as short as a new one's. */
static void test_lookups_do_not_degrade(void **state)
{
    (void)state;
    struct table t = table_of(64);
    for (uint64_t seq = 0; seq < 1000000; seq += 1024) {
        for (int i = 0; i < 40; i++) {
            char label[32];
            (void)snprintf(label, sizeof label, "%u.%d", (unsigned)seq, i);
            assert_int_not_equal(add(&t, label, seq), 0);
        }
        assert_int_equal(retire_all(&t, seq + 1024), 40);
        assert_int_equal(passtime_names_reclaim(&t.names, seq + 1025), 40);
    }
    assert_int_equal(t.names.live, 0);
    for (uint32_t i = 0; i <= t.names.bucket_mask; i++) {
        assert_int_equal(atomic_load(&t.names.bucket[i]), 0);
        assert_int_equal(t.names.grave[i], 0);
    }
    free(t.memory);
}

static uint32_t chain_length(const struct passtime_names *names, uint32_t bucket)
{
    uint32_t length = 0;
    for (uint32_t id = atomic_load(&names->bucket[bucket]); id != 0;
         id = atomic_load(&names->place[id].next))
        length++;
    return length;
}

/* Names as people give them, many of which differ in a digit, spread over the buckets about as well
 * as chance would: with twice as many buckets as names, a lookup looks at 1.25 names on average. */
static void test_names_spread(void **state)
{
    (void)state;
    const char *const shapes[] = {
        "pass%u",          "%u",  "passname%04u", "%06u blur", "shadow cascade %u of 4096",
        "bloom/down/%u/x", "%08x"};
    for (size_t shape = 0; shape < sizeof shapes / sizeof shapes[0]; shape++) {
        struct table t = table_of(4096);
        for (uint32_t i = 0; i < 4095; i++) {
            char name[64];
            (void)snprintf(name, sizeof name, shapes[shape], i);
            assert_int_not_equal(add(&t, name, 1), 0);
        }
        uint32_t looks = 0;
        for (uint32_t bucket = 0; bucket <= t.names.bucket_mask; bucket++) {
            uint32_t length = chain_length(&t.names, bucket);
            looks += length * (length + 1) / 2;
        }
        assert_in_range(looks, 4095, 4095 * 3 / 2);
        free(t.memory);
    }
}

/* Against a plain model: a random mix of every call, with frames open. */
static void test_random_use_agrees_with_a_model(void **state)
{
    (void)state;
    enum { MAX = 24, LABELS = 60 };
    struct table t = table_of(MAX);
    uint64_t used[LABELS] = {0}; /* seq of the last use */
    passtime_id ids[LABELS] = {0};
    uint32_t random = 12345;
    uint64_t seq = 1;
    for (int step = 0; step < 200000; step++) {
        random = random * 1664525 + 1013904223;
        uint32_t label = (random >> 8) % LABELS;
        char name[16];
        (void)snprintf(name, sizeof name, "n%u", label);
        seq += random >> 28 == 0 ? 700 : 1;
        passtime_names_retire_old(&t.names, seq);
        passtime_names_reclaim(&t.names, seq - random % 8 % seq);
        passtime_id found = find(&t, name);
        /* Used of late and entered at that time: it is still there, at the same place. */
        if (ids[label] != 0 && seq - used[label] < PASSTIME_NAMES_KEEP_FRAMES)
            assert_int_equal(found, ids[label]);
        if (found != 0)
            assert_string_equal(passtime_names_text(&t.names, found), name);
        passtime_id id = add(&t, name, seq);
        assert_true(found == 0 || id == found);
        ids[label] = id;
        used[label] = seq;
        assert_true(t.names.live + t.names.retired <= MAX - 1);
    }
    assert_true(t.names.reclaimed > 100);
    assert_true(t.names.full > 100);
    free(t.memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clean),
        cmocka_unit_test(test_long_names_are_cut_at_a_code_point),
        cmocka_unit_test(test_random_bytes_become_clean),
        cmocka_unit_test(test_find_and_add),
        cmocka_unit_test(test_every_byte_counts),
        cmocka_unit_test(test_broken_names_do_not_pile_up),
        cmocka_unit_test(test_full),
        cmocka_unit_test(test_old_names_give_up_their_place),
        cmocka_unit_test(test_retired_names_come_back),
        cmocka_unit_test(test_unique_labels_are_bounded),
        cmocka_unit_test(test_lookups_do_not_degrade),
        cmocka_unit_test(test_names_spread),
        cmocka_unit_test(test_random_use_agrees_with_a_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
