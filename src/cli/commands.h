/* SPDX-License-Identifier: MIT */
/* The commands, each in the file of its name. main.c holds the table of them. */
#ifndef PASSTIME_CLI_COMMANDS_H
#define PASSTIME_CLI_COMMANDS_H

#include "cli/options.h"

extern const struct command command_probe;
extern const struct command command_demo;
extern const struct command command_report;
extern const struct command command_page;
extern const struct command command_completion;

/* All commands in the order of the help; NULL beyond the last. */
const struct command *command_at(uint32_t index);

#endif
