/* SPDX-License-Identifier: MIT */
/*
 * A program of somebody else's, run and ended with all that it starts. A second process of ours,
 * the reaper, stands between: however we end, it kills what is left and removes the folder.
 *
 * Not part of the library. For one thread; start before there are others. Where a platform has none
 * of this, each function fails and says so.
 */
#ifndef PASSTIME_PORT_PROCESS_H
#define PASSTIME_PORT_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct passtime_process;

struct passtime_process_desc {
    const char *const *arguments;   /* [0] is the program's absolute path; NULL ends them */
    const char *const *environment; /* "NAME=value" beside or instead of ours; NULL ends; or NULL */
    const char *folder; /* made for us alone, the program's current folder, and removed with all in
                           it once the last of its processes is gone; absolute */
};

/* Starts it with descriptors 3 (it reads there what we write) and 4 (what it writes, we read), in a
 * session of its own. NULL: it could not be started, and `error` says why. */
struct passtime_process *passtime_process_start(const struct passtime_process_desc *desc,
                                                char *error, size_t error_bytes);

/* Descriptors for passtime_poll, _read and _write; all non-blocking, and closed by _stop. */
int passtime_process_writer(const struct passtime_process *process);
int passtime_process_reader(const struct passtime_process *process);
int passtime_process_output(const struct passtime_process *process); /* its stdout and stderr */
int passtime_process_news(const struct passtime_process *process);   /* readable: ask _ended */

/* The number of the program's first process. */
int32_t passtime_process_number(const struct passtime_process *process);

/* Whether its first process has ended, and how, in words that follow "the browser". */
bool passtime_process_ended(struct passtime_process *process, char *how, size_t how_bytes);

/* Kills what is left of it, waits until all is gone and the folder removed, and frees *process.
 * False: something is left (a process that even the system can't kill, a folder that can't be
 * removed). Takes ten seconds at most, and mostly none. */
bool passtime_process_stop(struct passtime_process **process);

/* The absolute path of a program, by its name on the PATH or by a path. False: there is none that
 * may be run. */
bool passtime_program_find(const char *name, char *path, size_t path_bytes);

/* A path for a temporary folder that does not exist yet and that nobody can guess. */
bool passtime_folder_name(char *path, size_t path_bytes);

/* Bytes that nobody can guess. */
bool passtime_random(void *bytes, size_t count);

/* Whether we run with all rights, where a browser refuses its own sandbox. */
bool passtime_is_root(void);

/* Whether the system shows any GPU's device; true where that can't be told. */
bool passtime_has_gpu_device(void);

/* Whether the system's shared memory is too small for a browser, as in many containers. */
bool passtime_shared_memory_is_scarce(void);

/* Holds back the signals that ask us to end (Ctrl-C, terminate, hang-up), so that the run can end
 * with what there is; they stay pending. Programs started later get them as usual. */
void passtime_interrupts_hold(void);
/* Whether one of them has come since. */
bool passtime_interrupt_pending(void);
/* Takes those that came, and lets later ones act as usual. */
void passtime_interrupts_release(void);

#endif
