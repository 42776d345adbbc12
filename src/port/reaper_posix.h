/* SPDX-License-Identifier: MIT */
/* The process between us and a program that we start: what it is given, and what it says. */
#ifndef PASSTIME_PORT_REAPER_POSIX_H
#define PASSTIME_PORT_REAPER_POSIX_H

#include "port/process.h"

enum reaper_kind {
    REAPER_STARTED = 1,   /* value: the program's process number */
    REAPER_NO_FOLDER = 2, /* value: errno; the reaper ends */
    REAPER_NO_PROGRAM = 3,
    REAPER_ENDED = 4,  /* value: the program's status as wait gives it */
    REAPER_CLEANED = 5 /* nothing is left; the reaper ends */
};

struct reaper_news {
    int kind;
    int value;
};

struct reaper {
    const struct passtime_process_desc *desc;
    int commands; /* becomes the program's descriptor 3 */
    int answers;  /* becomes its 4 */
    int output;   /* becomes its 1 and 2 */
    int lifeline; /* readable: end it all */
    int news;     /* where it tells */
};

/* Runs in the child of a fork, in its only thread; never returns. */
_Noreturn void passtime_reaper_run(const struct reaper *reaper);

enum { FOLDER_NAME_DIGITS = 20 };

/* Removes a folder and all in it, following no links. True also if it was not there. False, and
 * nothing is touched: its name is not of the form that passtime_folder_name gives. */
bool passtime_folder_remove(const char *path);

#endif
