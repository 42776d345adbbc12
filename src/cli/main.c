/* SPDX-License-Identifier: MIT */
/* The passtime command: finds the command that is asked for in a table and runs it. */
/* For setenv. */
#define _POSIX_C_SOURCE 200809L

#include "cli/commands.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include <passtime/passtime.h>

static int run_version(const struct command *self, int argc, char **argv);
static int run_help(const struct command *self, int argc, char **argv);

struct version_values {
    bool json;
};

static const struct option version_options[] = {
    {.name = "json",
     .type = OPTION_FLAG,
     .offset = offsetof(struct version_values, json),
     .help = "write JSON"},
};

static const struct command command_version = {
    .name = "version",
    .summary = "Say the version of this program",
    .operands = "",
    .options = version_options,
    .option_count = sizeof version_options / sizeof version_options[0],
    .run = run_version,
};

static const struct command command_help = {
    .name = "help",
    .summary = "Say what there is, or what a command takes",
    .operands = "[COMMAND]",
    .run = run_help,
};

static const struct command *const commands[] = {
    &command_probe,   &command_demo, &command_report,     &command_page,
    &command_version, &command_help, &command_completion,
};

const struct command *command_at(uint32_t index)
{
    return index < sizeof commands / sizeof commands[0] ? commands[index] : NULL;
}

static const char *command_name_at(const void *of, uint32_t index)
{
    (void)of;
    const struct command *command = command_at(index);
    return command ? command->name : NULL;
}

static const struct command *find_command(const char *name)
{
    const struct command *command;
    for (uint32_t i = 0; (command = command_at(i)) != NULL; i++) {
        if (strcmp(command->name, name) == 0)
            return command;
    }
    return NULL;
}

static void print_usage(FILE *out)
{
    const struct command *command;
    fputs("Passtime times the passes of GPU frames, and says which times to believe.\n\n"
          "Usage: passtime COMMAND [options]\n\nCommands:\n",
          out);
    for (uint32_t i = 0; (command = command_at(i)) != NULL; i++) {
        if (!command->hidden)
            fprintf(out, "  %-9s %s\n", command->name, command->summary);
    }
    fputs("\npasstime COMMAND --help says what a command takes.\n\n"
          "Exit codes: 0 done; 1 a budget was missed, or a comparison failed; 2 wrong use, or a "
          "file\n"
          "that can't be read or written; 3 nothing could be measured here.\n",
          out);
}

static int fail_unknown(const struct cli *cli, const char *name)
{
    const char *closest = options_closest(name, command_name_at, NULL);
    if (closest)
        return cli_fail(cli, EXIT_CODE_USAGE, "unknown command '%s'; did you mean '%s'?", name,
                        closest);
    return cli_fail(cli, EXIT_CODE_USAGE, "unknown command '%s'; see: passtime help", name);
}

static int run_help(const struct command *self, int argc, char **argv)
{
    struct cli cli = {.command = self->name};
    struct options_given given;
    int exit_code;
    if (!options_parse(self, &cli, argc, argv, NULL, &given, &exit_code))
        return exit_code;
    if (given.operand_count == 0) {
        print_usage(stdout);
        return EXIT_CODE_DONE;
    }
    const struct command *command = find_command(given.operands[0]);
    if (!command)
        return fail_unknown(&cli, given.operands[0]);
    options_print_help(stdout, command);
    return EXIT_CODE_DONE;
}

static int run_version(const struct command *self, int argc, char **argv)
{
    struct cli cli = {.command = self->name, .json = options_want_json(argc, argv)};
    struct version_values values = {0};
    struct options_given given;
    int exit_code;
    if (!options_parse(self, &cli, argc, argv, &values, &given, &exit_code))
        return exit_code;
    if (values.json)
        printf("{\"schema\": \"passtime.version/1\", \"version\": \"%s\"}\n",
               passtime_version_string());
    else
        printf("passtime %s\n", passtime_version_string());
    return EXIT_CODE_DONE;
}

int main(int argc, char **argv)
{
    struct cli cli = {.json = options_want_json(argc, argv)};
    /* Only what a letter is comes from the locale: numbers keep their point for the programs that
     * read them. */
    setlocale(LC_CTYPE, "");
    /* Where it is not set, software drivers complain on stderr about a display that nobody asked
     * for. */
    setenv("XDG_RUNTIME_DIR", "/nonexistent", 0);
    /* What goes wrong in EGL is said by us, once. */
    setenv("EGL_LOG_LEVEL", "fatal", 0);
    if (argc < 2) {
        print_usage(stderr);
        return EXIT_CODE_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        name = "help";
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0)
        name = "version";
    const struct command *command = find_command(name);
    if (!command)
        return fail_unknown(&cli, name);
    int exit_code = command->run(command, argc - 2, argv + 2);
    /* What could not be written was not done. */
    if (fflush(stdout) != 0 || ferror(stdout)) {
        cli.command = command->name;
        return cli_fail(&cli, EXIT_CODE_USAGE,
                        "the output could not be written; is the disk full?");
    }
    return exit_code;
}
