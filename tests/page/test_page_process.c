/* SPDX-License-Identifier: MIT */
/* Programs that are started and ended with all that they start: nothing is left, however we end. */
#define _POSIX_C_SOURCE 200809L

#include "port/io.h"
#include "port/process.h"

#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATIENT_MS = 60000 };

/* Children in three ways: plain, in a session of their own, and orphaned there; each ignores what
 * asks it to end. It says when they are there. */
static const char family[] = "trap '' TERM HUP INT; printf x > \"$PWD/file\"; mkdir -p a/b/c; "
                             "ln -s / a/b/root; printf y > a/b/c/deep; "
                             "(trap '' TERM HUP; sleep 1000) & "
                             "setsid sh -c 'trap \"\" TERM HUP; sleep 1000' & "
                             "(setsid sh -c 'sleep 1000 & exit' &) ; "
                             "echo ready >&4; read line <&3; exit 5";

static struct passtime_process *start(const char *script, const char *folder)
{
    char error[512] = "";
    const char *const arguments[] = {"/bin/sh", "-c", script, NULL};
    const char *const environment[] = {"PASSTIME_TEST=of a test", NULL};
    const struct passtime_process_desc desc = {
        .arguments = arguments, .environment = environment, .folder = folder};
    struct passtime_process *process = passtime_process_start(&desc, error, sizeof error);
    if (!process)
        fail_msg("%s", error);
    return process;
}

static void read_line(struct passtime_process *process, char *line, size_t bytes)
{
    size_t used = 0;
    struct passtime_poll item = {.descriptor = passtime_process_reader(process), .want_read = true};
    while (used + 1 < bytes) {
        assert_true(passtime_poll(&item, 1, PATIENT_MS));
        const ptrdiff_t got = passtime_read(item.descriptor, line + used, 1);
        if (got < 0 || line[used] == '\n')
            break;
        used += (size_t)got;
    }
    line[used] = '\0';
}

static void await_end(struct passtime_process *process, char *how, size_t bytes)
{
    struct passtime_poll item = {.descriptor = passtime_process_news(process), .want_read = true};
    assert_true(passtime_poll(&item, 1, PATIENT_MS));
    assert_true(passtime_process_ended(process, how, bytes));
}

/* How many processes have their current folder at this path or in its place. */
static unsigned living_in(const char *folder)
{
    char command[PATH_MAX + 128];
    unsigned count = UINT_MAX;
    (void)snprintf(command, sizeof command, "ls -l /proc/[0-9]*/cwd 2>/dev/null | grep -c '%s'",
                   folder);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    assert_int_equal(fscanf(pipe, "%u", &count), 1);
    (void)pclose(pipe);
    return count;
}

static void pause_ms(long ms)
{
    const struct timespec pause = {ms / 1000, ms % 1000 * 1000000};
    (void)nanosleep(&pause, NULL);
}

static void test_talk(void **state)
{
    char line[128];
    char how[128];
    (void)state;
    struct passtime_process *process =
        start("read line <&3; echo \"$line $PASSTIME_TEST\" >&4; exit 5", NULL);
    assert_int_equal(passtime_send(passtime_process_writer(process), "hello\n", 6), 6);
    read_line(process, line, sizeof line);
    assert_string_equal(line, "hello of a test");
    await_end(process, how, sizeof how);
    assert_string_equal(how, "ended by itself, with exit code 5");
    /* Writing to one that is gone is an error and no signal. */
    while (passtime_send(passtime_process_writer(process), "again\n", 6) >= 0)
        ;
    assert_true(passtime_process_stop(&process));
    assert_null(process);
    assert_true(passtime_process_stop(&process));
}

static void test_output(void **state)
{
    char text[64] = "";
    size_t used = 0;
    ptrdiff_t got = 0;
    (void)state;
    struct passtime_process *process = start("echo out; echo err >&2", NULL);
    struct passtime_poll item = {.descriptor = passtime_process_output(process), .want_read = true};
    while (got >= 0 && used < sizeof text - 1) {
        assert_true(passtime_poll(&item, 1, PATIENT_MS));
        got = passtime_read(item.descriptor, text + used, sizeof text - 1 - used);
        used += got > 0 ? (size_t)got : 0;
    }
    assert_string_equal(text, "out\nerr\n");
    assert_true(passtime_process_stop(&process));
}

static void test_family_is_stopped(void **state)
{
    char folder[PATH_MAX];
    char line[64];
    (void)state;
    assert_true(passtime_folder_name(folder, sizeof folder));
    struct passtime_process *process = start(family, folder);
    read_line(process, line, sizeof line);
    assert_string_equal(line, "ready");
    /* Those that the shell has not brought so far yet are on their way. */
    for (int i = 0; i < PATIENT_MS / 20 && living_in(folder) < 4; i++)
        pause_ms(20);
    assert_true(living_in(folder) >= 4);
    assert_true(passtime_process_stop(&process));
    assert_int_equal(access(folder, F_OK), -1);
    assert_int_equal(living_in(folder), 0);
    /* A link is removed, not followed. */
    assert_int_equal(access("/bin/sh", X_OK), 0);
}

static void test_first_ends_before_the_rest(void **state)
{
    char folder[PATH_MAX];
    char line[64];
    char how[128];
    (void)state;
    assert_true(passtime_folder_name(folder, sizeof folder));
    struct passtime_process *process = start(family, folder);
    read_line(process, line, sizeof line);
    assert_int_equal(passtime_send(passtime_process_writer(process), "\n", 1), 1);
    await_end(process, how, sizeof how);
    assert_string_equal(how, "ended by itself, with exit code 5");
    assert_true(passtime_process_stop(&process));
    assert_int_equal(access(folder, F_OK), -1);
    assert_int_equal(living_in(folder), 0);
}

/* Starts the family in a process of its own, which this signal then ends. */
static void end_by_signal(int signal)
{
    char folder[PATH_MAX];
    char line[64] = "";
    int ready[2];
    assert_true(passtime_folder_name(folder, sizeof folder));
    assert_int_equal(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0) {
        struct passtime_process *process = start(family, folder);
        read_line(process, line, sizeof line);
        (void)!write(ready[1], line, 1);
        for (;;)
            (void)pause();
    }
    (void)close(ready[1]);
    assert_int_equal(read(ready[0], line, 1), 1);
    (void)close(ready[0]);
    assert_int_equal(kill(child, signal), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    /* The reaper is nobody's child now: its work is seen from outside alone. */
    for (int i = 0; i < PATIENT_MS / 20 && (access(folder, F_OK) == 0 || living_in(folder) > 0);
         i++)
        pause_ms(20);
    assert_int_equal(access(folder, F_OK), -1);
    assert_int_equal(living_in(folder), 0);
}

static void test_we_are_killed(void **state)
{
    (void)state;
    end_by_signal(SIGKILL);
    end_by_signal(SIGTERM);
    end_by_signal(SIGQUIT);
}

static void test_no_program(void **state)
{
    char error[512] = "";
    char folder[PATH_MAX];
    const char *const arguments[] = {"/dev/null", NULL};
    (void)state;
    assert_true(passtime_folder_name(folder, sizeof folder));
    struct passtime_process_desc desc = {.arguments = arguments, .folder = folder};
    assert_null(passtime_process_start(&desc, error, sizeof error));
    assert_non_null(strstr(error, "/dev/null can't be run: "));
    assert_int_equal(access(folder, F_OK), -1);
}

static void test_programs_are_found(void **state)
{
    char path[PATH_MAX];
    char small[4];
    (void)state;
    assert_true(passtime_program_find("sh", path, sizeof path));
    assert_int_equal(path[0], '/');
    assert_true(passtime_program_find("/bin/sh", path, sizeof path));
    assert_string_equal(path, "/bin/sh");
    assert_false(passtime_program_find("/bin", path, sizeof path));
    assert_false(passtime_program_find("/dev/null", path, sizeof path));
    assert_false(passtime_program_find("", path, sizeof path));
    assert_false(passtime_program_find("no-such-program-anywhere", path, sizeof path));
    assert_false(passtime_program_find("/bin/sh", small, sizeof small));
}

static void test_interrupts_are_held(void **state)
{
    (void)state;
    passtime_interrupts_hold();
    assert_false(passtime_interrupt_pending());
    assert_int_equal(raise(SIGINT), 0);
    assert_int_equal(raise(SIGTERM), 0);
    assert_true(passtime_interrupt_pending());
    passtime_interrupts_release();
    assert_false(passtime_interrupt_pending());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_talk),
        cmocka_unit_test(test_output),
        cmocka_unit_test(test_family_is_stopped),
        cmocka_unit_test(test_first_ends_before_the_rest),
        cmocka_unit_test(test_we_are_killed),
        cmocka_unit_test(test_no_program),
        cmocka_unit_test(test_programs_are_found),
        cmocka_unit_test(test_interrupts_are_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
