/* SPDX-License-Identifier: MIT */
/* Making a GL timer where it can't be made: each refusal says why, and leaves nothing behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include "fake/gl_rig.h"

#include <cmocka.h>

/* Create fails as it should, says why, and leaves nothing. */
static void expect_refusal(struct gl_rig *rig, passtime_result result, const char *reason)
{
    assert_int_equal(passtime_create_gl(&rig->gl, &rig->desc, &rig->t), result);
    assert_null(rig->t);
    assert_int_equal(rig->said[PASSTIME_LOG_UNSUPPORTED], 1);
    assert_non_null(strstr(rig->text, reason));
    gl_rig_close(rig);
}

static void contexts_that_cannot_time(void **state)
{
    (void)state;
    static const struct {
        bool es;
        const char *version;
        const char *extensions;
        const char *reason;
    } cases[] = {
        {false, "2.1 Mesa 22.3.6", "", "2.1 Mesa"},
        {false, "3.2.0", "GL_ARB_timer_query", "3.2.0"},
        {true, "OpenGL ES 2.0 Fake", "GL_EXT_disjoint_timer_query2 XGL_EXT_disjoint_timer_query",
         "GL_EXT_disjoint_timer_query"},
        {true, "OpenGL ES 3.2 Fake", NULL, "GL_EXT_disjoint_timer_query"},
        {true, "OpenGL ES-CM 1.1", "GL_EXT_disjoint_timer_query", "ES-CM"},
        {false, NULL, "", "current"},
        {false, "", "", "3.3"},
        {false,
         "nonsense that goes on and on and on and on and on and on and on and on and on and on "
         "and on and on and on and on and on and on and on and on and on and on and on and on",
         "", "nonsense"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct gl_rig rig;
        gl_rig_setup(&rig, false);
        rig.fake.es = cases[i].es;
        rig.fake.version = cases[i].version;
        rig.fake.extensions = cases[i].extensions;
        expect_refusal(&rig, PASSTIME_UNSUPPORTED, cases[i].reason);
    }
}

/* BR-30: both counters without bits is "unsupported", never a time of 0. */
static void no_bits_at_all(void **state)
{
    (void)state;
    struct gl_rig rig;
    gl_rig_setup(&rig, false);
    rig.fake.timestamp_bits = 0;
    rig.fake.elapsed_bits = 0;
    expect_refusal(&rig, PASSTIME_UNSUPPORTED, "no bits");
    gl_rig_setup(&rig, false);
    rig.fake.elapsed_bits = 0;
    rig.gl.flags = PASSTIME_GL_METHOD_ELAPSED;
    expect_refusal(&rig, PASSTIME_UNSUPPORTED, "no bits");
}

static void loaders_that_lack_names(void **state)
{
    (void)state;
    static const char *const names[] = {
        "glGetString", "glGetIntegerv", "glFlush",    "glGenQueries", "glDeleteQueries",
        "glIsQuery",   "glBeginQuery",  "glEndQuery", "glGetQueryiv", "glGetQueryObjectuiv"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct gl_rig rig;
        gl_rig_setup(&rig, false);
        rig.fake.missing[0] = names[i];
        expect_refusal(&rig, PASSTIME_UNSUPPORTED, names[i]);
    }
    struct gl_rig rig;
    gl_rig_setup(&rig, false);
    gl_rig_es(&rig);
    rig.fake.missing[0] = "glGetQueryivEXT";
    expect_refusal(&rig, PASSTIME_UNSUPPORTED, "glGetQueryivEXT");
    gl_rig_setup(&rig, false);
    rig.gl.get_proc = NULL;
    expect_refusal(&rig, PASSTIME_INVALID, "loader");
    gl_rig_setup(&rig, false);
    rig.fake.no_names = true;
    expect_refusal(&rig, PASSTIME_UNSUPPORTED, "no query objects");
}

static void descs_that_are_wrong(void **state)
{
    (void)state;
    struct gl_rig rig;
    gl_rig_setup(&rig, false);
    rig.gl.size--;
    expect_refusal(&rig, PASSTIME_INVALID, "size");
    gl_rig_setup(&rig, false);
    rig.gl.flags = 1u << 7;
    expect_refusal(&rig, PASSTIME_INVALID, "flags");
    gl_rig_setup(&rig, false);
    assert_int_equal(passtime_create_gl(NULL, &rig.desc, &rig.t), PASSTIME_INVALID);
    rig.desc.max_passes = 1u << 30;
    assert_int_equal(passtime_create_gl(&rig.gl, &rig.desc, &rig.t), PASSTIME_INVALID);
    assert_null(rig.t);
}

static void null_is_nothing(void **state)
{
    (void)state;
    passtime_gl_info info;
    assert_int_equal(passtime_gl_get_info(NULL, &info), PASSTIME_INVALID);
    assert_false(passtime_gl_disjoint(NULL));
    passtime_gl_pause(NULL);
    passtime_gl_resume(NULL);
    passtime_gl_context_lost(NULL);
    assert_int_equal(passtime_gl_self_check(NULL, NULL, NULL), PASSTIME_INVALID);
}

static passtime_gl_proc loader_with_user(void *user, const char *name)
{
    *(int *)user += 1;
    return gl_fake_get_proc(name);
}

static void a_loader_with_user_goes_first(void **state)
{
    (void)state;
    int asked = 0;
    struct gl_rig rig;
    gl_rig_setup(&rig, false);
    rig.gl.get_proc = NULL;
    rig.gl.get_proc_user = loader_with_user;
    rig.gl.user = &asked;
    gl_rig_open(&rig);
    assert_true(asked > 10);
    gl_rig_check(gl_rig_frame(&rig, 300), 0, PASSTIME_GOOD, 300);
    gl_rig_close(&rig);
}

/* Each allocation fails in its turn; nothing stays behind. */
static void no_memory(void **state)
{
    (void)state;
    for (int elapsed = 0; elapsed < 2; elapsed++) {
        passtime_result result = PASSTIME_NO_MEMORY;
        for (int32_t fail_at = 1; result == PASSTIME_NO_MEMORY; fail_at++) {
            assert_true(fail_at < 30);
            struct gl_rig rig;
            gl_rig_setup(&rig, elapsed != 0);
            rig.fail_at = fail_at;
            result = passtime_create_gl(&rig.gl, &rig.desc, &rig.t);
            assert_true(result == PASSTIME_NO_MEMORY || fail_at > 5);
            gl_rig_close(&rig);
        }
        assert_int_equal(result, PASSTIME_OK);
    }
}

static void *no_current(void *user)
{
    (void)user;
    return NULL;
}

static void no_context_at_create(void **state)
{
    (void)state;
    struct gl_rig rig;
    gl_rig_setup(&rig, false);
    rig.gl.current_context = no_current;
    expect_refusal(&rig, PASSTIME_UNSUPPORTED, "No GL context is current");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contexts_that_cannot_time),
        cmocka_unit_test(no_bits_at_all),
        cmocka_unit_test(loaders_that_lack_names),
        cmocka_unit_test(descs_that_are_wrong),
        cmocka_unit_test(null_is_nothing),
        cmocka_unit_test(a_loader_with_user_goes_first),
        cmocka_unit_test(no_memory),
        cmocka_unit_test(no_context_at_create),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
