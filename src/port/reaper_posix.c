/* SPDX-License-Identifier: MIT */
/*
 * The reaper: it starts the program, so that the program is its child, and waits for what comes
 * first, the program's end or ours. Where the system has it (Linux), every orphan that the program
 * leaves becomes the reaper's child too, so that none escapes by a session or a group of its own.
 */
#if defined(__APPLE__)
#define _DARWIN_C_SOURCE
#else
#define _POSIX_C_SOURCE 200809L
#endif

#include "port/reaper_posix.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

enum {
    FIRST_FREE = 16,        /* descriptors are moved up here before they take their places */
    DESCRIPTORS_MAX = 4096, /* a limit to closing what a caller left open */
    GRACE_ROUNDS = 15,      /* for the rest of the program to end by itself, once its first did */
    ROUNDS_MAX = 450,       /* then what can't be killed is left */
    ROUND_NS = 20000000
};

static bool remove_below(int parent, const char *name, int depth)
{
    if (unlinkat(parent, name, 0) == 0 || errno == ENOENT)
        return true;
    const int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *listing = folder >= 0 && depth < 64 ? fdopendir(folder) : NULL;
    if (!listing) {
        if (folder >= 0)
            (void)close(folder);
        return false;
    }
    bool all = true;
    const struct dirent *entry;
    while ((entry = readdir(listing)) != NULL) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            all = remove_below(folder, entry->d_name, depth + 1) && all;
    }
    (void)closedir(listing);
    return all && unlinkat(parent, name, AT_REMOVEDIR) == 0;
}

/* Whether a path is one that passtime_folder_name gives. Whatever goes wrong elsewhere, nothing
 * else is ever removed. */
static bool is_our_name(const char *path)
{
    static const char beginning[] = "/passtime-";
    const char *name = strrchr(path, '/');
    if (!name || path[0] != '/' || strncmp(name, beginning, sizeof beginning - 1) != 0)
        return false;
    name += sizeof beginning - 1;
    return strlen(name) == FOLDER_NAME_DIGITS &&
           strspn(name, "0123456789abcdef") == FOLDER_NAME_DIGITS;
}

bool passtime_folder_remove(const char *path)
{
    if (!is_our_name(path))
        return false;
    /* A second time for what a listing missed while it was being emptied. */
    return remove_below(AT_FDCWD, path, 0) || remove_below(AT_FDCWD, path, 0);
}

static void tell(const struct reaper *reaper, int kind, int value)
{
    const struct reaper_news news = {kind, value};
    ssize_t done;
    do {
        done = write(reaper->news, &news, sizeof news);
    } while (done < 0 && errno == EINTR);
}

static void close_from(int first, int kept)
{
    struct rlimit limit;
    int last = DESCRIPTORS_MAX;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < DESCRIPTORS_MAX)
        last = (int)limit.rlim_cur;
    for (int i = first; i < last; i++) {
        if (i != kept)
            (void)close(i);
    }
}

static int moved_up(int descriptor)
{
    const int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, FIRST_FREE);
    if (moved >= 0)
        (void)close(descriptor);
    return moved;
}

static void put_environment(const char *const *environment)
{
    for (; environment && *environment; environment++) {
        char name[128];
        const char *equals = strchr(*environment, '=');
        const size_t length = equals ? (size_t)(equals - *environment) : sizeof name;
        if (length < sizeof name) {
            memcpy(name, *environment, length);
            name[length] = '\0';
            (void)setenv(name, equals + 1, 1);
        }
    }
}

/* The signals' usual ways, as a program expects to find them. */
static void reset_signals(void)
{
    sigset_t none;
    struct sigaction usual;
    memset(&usual, 0, sizeof usual);
    usual.sa_handler = SIG_DFL;
    const int changed[] = {SIGCHLD, SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    for (size_t i = 0; i < sizeof changed / sizeof changed[0]; i++)
        (void)sigaction(changed[i], &usual, NULL);
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
}

_Noreturn static void become_program(const struct reaper *reaper, int report)
{
    const struct passtime_process_desc *desc = reaper->desc;
    const struct rlimit no_core = {0, 0};
    (void)setsid();
    (void)setrlimit(RLIMIT_CORE, &no_core);
    put_environment(desc->environment);
    const int output = moved_up(reaper->output);
    const int commands = moved_up(reaper->commands);
    const int answers = moved_up(reaper->answers);
    report = moved_up(report);
    if (dup2(output, 1) >= 0 && dup2(output, 2) >= 0 && dup2(commands, 3) >= 0 &&
        dup2(answers, 4) >= 0 && (!desc->folder || chdir(desc->folder) == 0)) {
        close_from(5, report);
        reset_signals();
        (void)execv(desc->arguments[0], (char *const *)(uintptr_t)desc->arguments);
    }
    const int why = errno;
    (void)!write(report, &why, sizeof why);
    _exit(127);
}

/* The program's process, or -1 with errno. */
static pid_t start_program(const struct reaper *reaper)
{
    int report[2];
    int why = 0;
    if (pipe(report) != 0)
        return -1;
    (void)fcntl(report[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(report[1], F_SETFD, FD_CLOEXEC);
    const pid_t program = fork();
    if (program == 0)
        become_program(reaper, report[1]);
    (void)close(report[1]);
    ssize_t got;
    do {
        got = read(report[0], &why, sizeof why);
    } while (got < 0 && errno == EINTR);
    (void)close(report[0]);
    if (program > 0 && got > 0) {
        (void)waitpid(program, NULL, 0);
        errno = why;
        return -1;
    }
    return program;
}

#if defined(__linux__)
/* The parent of a process by the system's list, or 0. */
static pid_t parent_of(const char *number)
{
    char path[64];
    char text[512];
    (void)snprintf(path, sizeof path, "/proc/%.20s/stat", number);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    const ssize_t got = read(file, text, sizeof text - 1);
    (void)close(file);
    if (got <= 0)
        return 0;
    text[got] = '\0';
    /* "number (name) state parent …", where the name may hold anything. */
    const char *after = strrchr(text, ')');
    if (!after || strlen(after) < 5)
        return 0;
    return (pid_t)strtol(after + 4, NULL, 10);
}
#endif

/* Children die here one generation a call: the next one's parent is then the reaper. */
static void kill_children(pid_t program)
{
    if (program > 0)
        (void)kill(-program, SIGKILL);
#if defined(__linux__)
    DIR *listing = opendir("/proc");
    const struct dirent *entry;
    while (listing && (entry = readdir(listing)) != NULL) {
        const pid_t number = (pid_t)strtol(entry->d_name, NULL, 10);
        if (number > 1 && parent_of(entry->d_name) == getpid())
            (void)kill(number, SIGKILL);
    }
    if (listing)
        (void)closedir(listing);
#endif
}

/* Where orphans do not become ours, those that stayed in the program's group are all that is known.
 */
static void kill_orphans(pid_t program)
{
#if defined(__linux__)
    (void)program;
#else
    (void)kill(-program, SIGKILL);
#endif
}

static void nothing(int signal)
{
    (void)signal;
}

/* Held back but while the reaper sleeps, so that no end of a child is missed. */
static void prepare_signals(sigset_t *asleep)
{
    sigset_t all;
    struct sigaction wake;
    memset(&wake, 0, sizeof wake);
    wake.sa_handler = nothing;
    (void)sigaction(SIGCHLD, &wake, NULL);
    (void)sigfillset(&all);
    (void)sigprocmask(SIG_SETMASK, &all, NULL);
    *asleep = all;
    (void)sigdelset(asleep, SIGCHLD);
}

/* Waits for the first process's end or ours; true for the first, which it tells. */
static bool reap(const struct reaper *reaper, pid_t program, bool *alone)
{
    int status;
    pid_t ended;
    bool found = false;
    while ((ended = waitpid(-1, &status, WNOHANG)) > 0) {
        if (ended == program) {
            tell(reaper, REAPER_ENDED, status);
            found = true;
        }
    }
    *alone = ended < 0 && errno == ECHILD;
    return found;
}

static void watch(const struct reaper *reaper, pid_t program)
{
    sigset_t asleep;
    bool gone = false; /* the program's first process */
    bool told_to_end = false;
    int rounds = 0;
    prepare_signals(&asleep);
    for (;;) {
        bool alone;
        gone = reap(reaper, program, &alone) || gone;
        if (gone)
            kill_orphans(program);
        if (alone || rounds > ROUNDS_MAX)
            return;
        if (told_to_end || rounds > GRACE_ROUNDS)
            kill_children(gone ? 0 : program);
        rounds += gone || told_to_end;
        fd_set ends;
        FD_ZERO(&ends);
        FD_SET(reaper->lifeline, &ends);
        const struct timespec pause = {0, ROUND_NS};
        const int ready =
            pselect(told_to_end ? 0 : reaper->lifeline + 1, told_to_end ? NULL : &ends, NULL, NULL,
                    gone || told_to_end ? &pause : NULL, &asleep);
        told_to_end |= ready > 0;
    }
}

static void leave_the_callers_world(const struct reaper *reaper, struct reaper *own)
{
    (void)setsid();
#if defined(__linux__)
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
    (void)prctl(PR_SET_NAME, "passtime-reaper");
#endif
    *own = *reaper;
    own->commands = moved_up(reaper->commands);
    own->answers = moved_up(reaper->answers);
    own->output = moved_up(reaper->output);
    own->lifeline = moved_up(reaper->lifeline);
    own->news = moved_up(reaper->news);
    for (int i = 0; i < DESCRIPTORS_MAX; i++) {
        if (i != own->commands && i != own->answers && i != own->output && i != own->lifeline &&
            i != own->news)
            (void)close(i);
    }
    /* The three lowest are free now. */
    for (int i = 0; i < 3; i++)
        (void)!open("/dev/null", O_RDWR);
}

_Noreturn void passtime_reaper_run(const struct reaper *reaper)
{
    struct reaper own;
    sigset_t all;
    (void)sigfillset(&all);
    (void)sigprocmask(SIG_SETMASK, &all, NULL);
    leave_the_callers_world(reaper, &own);
    const char *folder = own.desc->folder;
    if (folder && mkdir(folder, 0700) != 0) {
        tell(&own, REAPER_NO_FOLDER, errno);
        _exit(1);
    }
    const pid_t program = start_program(&own);
    const int why = errno;
    (void)close(own.commands);
    (void)close(own.answers);
    (void)close(own.output);
    if (program > 0) {
        tell(&own, REAPER_STARTED, (int)program);
        watch(&own, program);
    }
    const bool removed = !folder || passtime_folder_remove(folder);
    if (program <= 0)
        tell(&own, REAPER_NO_PROGRAM, why);
    if (removed)
        tell(&own, REAPER_CLEANED, 0);
    _exit(removed ? 0 : 1);
}
