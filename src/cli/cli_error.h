/* SPDX-License-Identifier: MIT */
/*
 * How the command fails: one line on stderr that says what is wrong, where, and what to do, or the
 * same as JSON where --json was asked for; and an exit code with a fixed meaning.
 */
#ifndef PASSTIME_CLI_ERROR_H
#define PASSTIME_CLI_ERROR_H

#include <stdbool.h>

enum exit_code {
    EXIT_CODE_DONE = 0,
    EXIT_CODE_FAILED = 1, /* a budget or comparison failed */
    EXIT_CODE_USAGE = 2,  /* wrong use, or a file that can't be read or written */
    EXIT_CODE_NOTHING = 3 /* nothing could be measured here */
};

/* Who speaks, and how. */
struct cli {
    const char *command; /* "demo", or NULL before one is known */
    bool json;
};

/* Says what failed and returns `code`, for `return cli_fail(...)`. */
int cli_fail(const struct cli *cli, enum exit_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Says something that the run goes on in spite of. */
void cli_warn(const struct cli *cli, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Whether a file can be written there, found out without harm to one that is there already; errno
 * says why not. */
bool cli_can_write(const char *path);

#endif
