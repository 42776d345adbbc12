/* SPDX-License-Identifier: MIT */
/*
 * Options are data: a command lists its options as rows, and the parser, --help, the messages and
 * the shell completion all read those rows.
 *
 * To add a command: write one file with its struct of values, its rows and its function, export the
 * struct command, and add it to the table in main.c.
 */
#ifndef PASSTIME_CLI_OPTIONS_H
#define PASSTIME_CLI_OPTIONS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/cli_error.h"

enum option_type {
    OPTION_FLAG,  /* bool */
    OPTION_COUNT, /* uint64_t, between least and most */
    OPTION_MS,    /* milliseconds on the command line, uint64_t nanoseconds in the values */
    OPTION_TEXT,  /* const char *, not empty */
    OPTION_FILE,  /* the same, completed as a file */
    OPTION_TEXTS, /* struct option_list: may be given several times */
    OPTION_FILES  /* the same, completed as files */
};

enum { OPTION_LIST_MAX = 64 };

/* The values of an option that was given several times, in that order. */
struct option_list {
    uint32_t count;
    const char *values[OPTION_LIST_MAX];
};

struct option {
    const char *name; /* without its dashes */
    enum option_type type;
    size_t offset;        /* of its value in the command's struct */
    const char *argument; /* what the help calls its value; NULL for flags */
    const char *fallback; /* the value where it is not given, as text; NULL: zero */
    uint64_t least, most; /* of a COUNT */
    bool hidden;          /* left out of help and completion */
    const char *help;
};

enum { OPTIONS_OPERANDS_MAX = 256 };

/* What was given besides the values. */
struct options_given {
    uint64_t mask; /* bit i: row i was given */
    int operand_count;
    const char *operands[OPTIONS_OPERANDS_MAX];
};

struct command {
    const char *name;
    const char *summary;      /* one line of the list of commands */
    const char *operands;     /* for the line "Usage:"; "" where there are none */
    const char *const *words; /* operands to complete, ends in NULL; NULL: none */
    bool files;               /* operands are files */
    bool hidden;
    const struct option *options;
    uint32_t option_count;
    const char *notes; /* further help, ends in a newline; may be NULL */
    int (*run)(const struct command *self, int argc, char **argv);
};

/* Whether a whole command line asks for JSON: known before it is parsed, so that errors are JSON
 * too. */
bool options_want_json(int argc, char **argv);

/* Fills `values` from the command's own arguments. True: go on. False: help was printed or an error
 * said; *exit_code is then what to return. */
bool options_parse(const struct command *command, const struct cli *cli, int argc, char **argv,
                   void *values, struct options_given *given, int *exit_code);

/* Whether the option of that name was given. */
bool options_is_given(const struct command *command, const struct options_given *given,
                      const char *name);

void options_print_help(FILE *out, const struct command *command);

/* The closest of the names to a mistyped one, or NULL; `name_at` gives them until it returns NULL.
 */
const char *options_closest(const char *typed,
                            const char *(*name_at)(const void *of, uint32_t index), const void *of);

#endif
