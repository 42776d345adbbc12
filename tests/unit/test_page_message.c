/* SPDX-License-Identifier: MIT */
/* Messages that are not as they should be are left out, counted, and harm no others. */
#include "page/message.h"

#include <passtime/passtime.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct taken {
    uint32_t count;
    struct passtime_message last;
    char text[64];
};

static void take(void *user, const struct passtime_message *message)
{
    struct taken *taken = user;
    taken->count++;
    taken->last = *message;
    snprintf(taken->text, sizeof taken->text, "%s", message->text);
}

static struct passtime_message_faults read_text(const char *json, struct taken *taken)
{
    struct passtime_message_reader *reader = passtime_message_reader_make();
    assert_non_null(reader);
    memset(taken, 0, sizeof *taken);
    struct passtime_message_faults faults =
        passtime_messages_read(reader, json, strlen(json), take, taken);
    passtime_message_reader_free(reader);
    return faults;
}

#define FRAME(fields) "[{\"k\":\"frame\",\"c\":1,\"n\":5," fields "}]"
#define TIMES         "\"b\":10,\"e\":20,\"s\":30,\"st\":0,"

static void malformed(void **state)
{
    (void)state;
    static const struct {
        const char *json, *fault;
    } rows[] = {
        {"", "no JSON array"},
        {"{}", "no JSON array"},
        {"[", "no JSON array"},
        {"[1e999]", "no JSON array"},
        {"[7]", "'k'"},
        {"[{\"k\":5}]", "'k'"},
        {"[{\"k\":\"skip\",\"n\":1}]", "'c'"},
        {"[{\"k\":\"skip\",\"c\":0,\"n\":1}]", "'c'"},
        {"[{\"k\":\"skip\",\"c\":-3,\"n\":1}]", "'c'"},
        {"[{\"k\":\"skip\",\"c\":1,\"n\":-1}]", "'n'"},
        {"[{\"k\":\"name\",\"c\":1,\"i\":0,\"s\":\"a\"}]", "'i'"},
        {"[{\"k\":\"name\",\"c\":1,\"i\":1}]", "'s'"},
        {"[{\"k\":\"tick\",\"f\":\"many\"}]", "'f'"},
        {"[{\"k\":\"hello\"}]", "'origin_ms'"},
        {"[{\"k\":\"hello\",\"origin_ms\":-1}]", "'origin_ms'"},
        {"[{\"k\":\"ctx\",\"c\":1,\"api\":\"webgpu\",\"source\":4,\"bits\":64,\"max_passes\":1}]",
         "'source'"},
        {"[{\"k\":\"ctx\",\"c\":1,\"api\":\"webgpu\",\"source\":0,\"bits\":65,\"max_passes\":1}]",
         "'bits'"},
        {"[{\"k\":\"ctx\",\"c\":1,\"api\":\"webgpu\",\"source\":0,\"bits\":64,\"max_passes\":4097}"
         "]",
         "'max_passes'"},
        {"[{\"k\":\"ctx\",\"c\":1,\"api\":\"vulkan\",\"source\":0,\"bits\":64,\"max_passes\":1}]",
         "'api'"},
        {FRAME("\"b\":0,\"e\":1,\"s\":1,\"st\":0,\"r\":[],\"p\":[],\"t\":[]"), "'b'"},
        {FRAME("\"b\":1,\"e\":1e300,\"s\":1,\"st\":0,\"r\":[],\"p\":[],\"t\":[]"), "'e'"},
        {FRAME("\"b\":1,\"e\":1,\"s\":1,\"st\":6,\"r\":[],\"p\":[],\"t\":[]"), "'st'"},
        {FRAME(TIMES "\"x\":99999999,\"r\":[],\"p\":[],\"t\":[]"), "'x'"},
        {FRAME(TIMES "\"r\":7,\"p\":[],\"t\":[]"), "'r'"},
        {FRAME(TIMES "\"r\":[[10,20,3]],\"p\":[],\"t\":[]"), "'r'"},
        {FRAME(TIMES "\"r\":[[10,20]],\"p\":[],\"t\":[]"), "'r'"},
        {FRAME(TIMES "\"r\":[],\"p\":[[0,1,0,-1,0,0,0]],\"t\":[]"), "'p'"},
        {FRAME(TIMES "\"r\":[[10,20,1]],\"p\":[[1,1,0,-1,0,0,0]],\"t\":[]"), "'p'"},
        {FRAME(TIMES "\"r\":[[10,20,1]],\"p\":[[0,1,1,-1,0,0,0]],\"t\":[]"), "'p'"},
        {FRAME(TIMES "\"r\":[[10,20,1]],\"p\":[[0,1,0,0,0,0,0]],\"t\":[]"), "'p'"},
        {FRAME(TIMES "\"r\":[[10,20,1]],\"p\":[[0,1,0,-2,0,0,0]],\"t\":[]"), "'p'"},
        /* A parent that was stamped whole has nothing in it. */
        {FRAME(TIMES "\"r\":[[10,20,1]],\"p\":[[0,1,0,-1,0,0,0],[0,1,1,0,0,0,0]],\"t\":[]"), "'p'"},
        /* A parent of another recorder. */
        {FRAME(TIMES "\"r\":[[10,20,1],[10,20,1]],\"p\":[[0,1,0,-1,11,12,0],[1,1,1,0,11,12,0]],"
                     "\"t\":[]"),
         "'p'"},
        {FRAME(TIMES "\"r\":[[10,20,1]],\"p\":[[0,1,0,-1,0,0,0]],\"t\":[1,0,2]"), "'t'"},
        {FRAME(TIMES "\"r\":[[10,20,1]],\"p\":[[0,1,0,-1,0,0,0]],\"t\":[1,0,2,4294967296]"), "'t'"},
        {FRAME(TIMES "\"r\":[[10,20,1]],\"p\":[],\"t\":[1,0,2,0]"), "'t'"},
        {FRAME(TIMES "\"r\":[[10,20,1]],\"p\":[[0,1,0,-1,0,0,0]],\"t\":[1,0,2,0],\"a\":[1]"),
         "'a'"},
        {FRAME(TIMES "\"r\":[[10,20,1]],\"p\":[[0,1,0,-1,0,0,0]],\"t\":[1,0,2,0],\"a\":[1,2]"),
         "'a'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct taken taken;
        struct passtime_message_faults faults = read_text(rows[i].json, &taken);
        if (faults.malformed != 1 || !strstr(faults.first, rows[i].fault))
            fail_msg("%s: %u malformed, '%s', not %s", rows[i].json, faults.malformed, faults.first,
                     rows[i].fault);
        assert_int_equal(taken.count, 0);
    }
}

/* What is good beside it is taken all the same. */
static void the_rest_is_taken(void **state)
{
    (void)state;
    struct taken taken;
    struct passtime_message_faults faults = read_text(
        "[{\"k\":\"skip\",\"c\":1,\"n\":1},null,{\"k\":\"later\"},{\"k\":\"note\",\"text\":"
        "\"h\\u00e9\"}]",
        &taken);
    assert_int_equal(faults.taken, 2);
    assert_int_equal(faults.unknown, 1);
    assert_int_equal(faults.malformed, 1);
    assert_int_equal(taken.last.kind, PASSTIME_MESSAGE_NOTE);
    assert_string_equal(taken.text, "h\xc3\xa9");
    faults = read_text("[]", &taken);
    assert_int_equal(faults.taken + faults.unknown + faults.malformed, 0);
}

static void a_frame(void **state)
{
    (void)state;
    struct taken taken;
    struct passtime_message_reader *reader = passtime_message_reader_make();
    static const char json[] =
        FRAME(TIMES "\"set\":3,\"x\":2,\"r\":[[10,20,1],[11,0,2]],"
                    "\"p\":[[0,7,0,-1,12,18,64],[0,8,1,0,13,14,2147483648],[1,9,2,-1,0,0,0]],"
                    "\"t\":[1,2,3,4,5,6,7,8],\"a\":[1,0,1,1]");
    memset(&taken, 0, sizeof taken);
    struct passtime_message_faults faults =
        passtime_messages_read(reader, json, sizeof json - 1, take, &taken);
    assert_string_equal(faults.first, "");
    const struct passtime_message_frame *frame = &taken.last.frame;
    assert_int_equal(frame->number, 5);
    assert_int_equal(frame->set, 3);
    assert_int_equal(frame->surplus, 2);
    assert_int_equal(frame->recorder_count, 2);
    assert_int_equal(frame->recorders[1].how, PASSTIME_MESSAGE_FORGOTTEN);
    assert_int_equal(frame->pass_count, 3);
    assert_int_equal(frame->passes[0].flags, PASSTIME_FLAG_IMPLIED_END);
    assert_false(frame->passes[0].refused);
    assert_int_equal(frame->passes[1].parent, 0);
    assert_true(frame->passes[1].refused);
    assert_int_equal(frame->passes[2].name, 9);
    assert_int_equal(frame->tick_count, 4);
    assert_true(frame->ticks[1] == (UINT64_C(4) << 32 | 3));
    assert_int_equal(frame->available[1], 0);
    passtime_message_reader_free(reader);
}

static void too_large(void **state)
{
    (void)state;
    size_t bytes = PASSTIME_MESSAGE_BYTES_MAX + 1;
    char *json = malloc(bytes);
    struct taken taken = {0};
    assert_non_null(json);
    memset(json, ' ', bytes);
    json[0] = '[';
    json[bytes - 1] = ']';
    struct passtime_message_reader *reader = passtime_message_reader_make();
    struct passtime_message_faults faults =
        passtime_messages_read(reader, json, bytes, take, &taken);
    assert_int_equal(faults.malformed, 1);
    assert_non_null(strstr(faults.first, "at most"));
    json[bytes - 2] = ']';
    faults = passtime_messages_read(reader, json, bytes - 1, take, &taken);
    assert_int_equal(faults.malformed, 0);
    passtime_message_reader_free(reader);
    free(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(malformed),
        cmocka_unit_test(the_rest_is_taken),
        cmocka_unit_test(a_frame),
        cmocka_unit_test(too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
