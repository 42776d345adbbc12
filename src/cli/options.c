/* SPDX-License-Identifier: MIT */
/* Parses the rows of a command, and prints its help from them. */
#include "cli/options.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES_MAX = 32 };

bool options_want_json(int argc, char **argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--json") == 0)
            return true;
    }
    return false;
}

/* How many letters are to be changed, added or left out to make one name of the other. */
static uint32_t distance(const char *from, const char *to)
{
    uint32_t row[NAME_BYTES_MAX + 1];
    size_t width = strlen(to);
    if (width > NAME_BYTES_MAX || strlen(from) > NAME_BYTES_MAX)
        return UINT32_MAX;
    for (uint32_t i = 0; i <= width; i++)
        row[i] = i;
    for (; *from; from++) {
        uint32_t diagonal = row[0]++;
        for (size_t i = 1; i <= width; i++) {
            uint32_t best = diagonal + (*from == to[i - 1] ? 0 : 1);
            diagonal = row[i];
            if (row[i] + 1 < best)
                best = row[i] + 1;
            if (row[i - 1] + 1 < best)
                best = row[i - 1] + 1;
            row[i] = best;
        }
    }
    return row[width];
}

const char *options_closest(const char *typed,
                            const char *(*name_at)(const void *of, uint32_t index), const void *of)
{
    const char *best = NULL, *name;
    uint32_t best_distance = 3;
    for (uint32_t i = 0; (name = name_at(of, i)) != NULL; i++) {
        uint32_t found = distance(typed, name);
        if (found < best_distance && found < strlen(name)) {
            best = name;
            best_distance = found;
        }
    }
    return best;
}

static const char *option_name_at(const void *of, uint32_t index)
{
    const struct command *command = of;
    return index < command->option_count ? command->options[index].name : NULL;
}

static const struct option *find_option(const struct command *command, const char *name,
                                        size_t bytes)
{
    for (uint32_t i = 0; i < command->option_count; i++) {
        const struct option *option = &command->options[i];
        if (strlen(option->name) == bytes && strncmp(option->name, name, bytes) == 0)
            return option;
    }
    return NULL;
}

static bool parse_count(const struct option *option, const char *text, uint64_t *value)
{
    char *end;
    errno = 0;
    if (text[0] < '0' || text[0] > '9')
        return false;
    *value = strtoull(text, &end, 10);
    return errno == 0 && *end == '\0' && *value >= option->least && *value <= option->most;
}

/* Milliseconds with a decimal point, above 0 and below a day. */
static bool parse_ms(const char *text, uint64_t *ns)
{
    char *end;
    if ((text[0] < '0' || text[0] > '9') && text[0] != '.')
        return false;
    double ms = strtod(text, &end);
    if (*end != '\0' || !isfinite(ms) || ms < 1e-6 || ms > 86400e3)
        return false;
    *ns = (uint64_t)(ms * 1e6 + 0.5);
    return true;
}

static bool append(struct option_list *list, const char *text)
{
    if (text[0] == '\0' || list->count == OPTION_LIST_MAX)
        return false;
    list->values[list->count++] = text;
    return true;
}

static bool store(const struct option *option, const char *text, void *values)
{
    char *place = (char *)values + option->offset;
    uint64_t number = 0;
    bool flag = true;
    switch (option->type) {
    case OPTION_FLAG:
        memcpy(place, &flag, sizeof flag);
        return true;
    case OPTION_COUNT:
    case OPTION_MS:
        if (option->type == OPTION_COUNT ? !parse_count(option, text, &number)
                                         : !parse_ms(text, &number))
            return false;
        memcpy(place, &number, sizeof number);
        return true;
    case OPTION_TEXTS:
    case OPTION_FILES:
        return append((struct option_list *)(void *)place, text);
    default:
        memcpy(place, &text, sizeof text);
        return text[0] != '\0';
    }
}

static int fail_value(const struct cli *cli, const struct option *option, const char *text)
{
    switch (option->type) {
    case OPTION_COUNT:
        return cli_fail(cli, EXIT_CODE_USAGE,
                        "--%s takes a whole number from %llu to %llu, not '%s'", option->name,
                        (unsigned long long)option->least, (unsigned long long)option->most, text);
    case OPTION_MS:
        return cli_fail(cli, EXIT_CODE_USAGE,
                        "--%s takes milliseconds above 0, such as 16.7, not '%s'", option->name,
                        text);
    default:
        if (text[0] != '\0')
            return cli_fail(cli, EXIT_CODE_USAGE, "--%s is given more than %d times; give fewer",
                            option->name, OPTION_LIST_MAX);
        return cli_fail(cli, EXIT_CODE_USAGE, "--%s takes a %s that is not empty", option->name,
                        option->type == OPTION_FILE || option->type == OPTION_FILES ? "file name"
                                                                                    : "text");
    }
}

static int fail_unknown(const struct cli *cli, const struct command *command, const char *argument)
{
    char name[NAME_BYTES_MAX + 1];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(argument + 2, "="), argument + 2);
    const char *closest = options_closest(name, option_name_at, command);
    if (closest)
        return cli_fail(cli, EXIT_CODE_USAGE, "unknown option '%s'; did you mean '--%s'?", argument,
                        closest);
    return cli_fail(cli, EXIT_CODE_USAGE, "unknown option '%s'; see: passtime %s --help", argument,
                    command->name);
}

/* Takes one option, and the argument after it where that is its value: *at moves on then. */
static int take_option(const struct command *command, const struct cli *cli, int argc, char **argv,
                       int *at, void *values, struct options_given *given)
{
    const char *argument = argv[*at];
    size_t bytes = strcspn(argument + 2, "=");
    const char *inline_value = argument[2 + bytes] == '=' ? argument + 3 + bytes : NULL;
    const struct option *option =
        argument[1] == '-' ? find_option(command, argument + 2, bytes) : NULL;
    if (!option)
        return fail_unknown(cli, command, argument);
    const char *value = inline_value;
    if (option->type == OPTION_FLAG && inline_value)
        return cli_fail(cli, EXIT_CODE_USAGE, "--%s takes no value", option->name);
    if (option->type != OPTION_FLAG && !inline_value) {
        if (*at + 1 >= argc)
            return cli_fail(cli, EXIT_CODE_USAGE, "--%s needs a value: --%s %s", option->name,
                            option->name, option->argument);
        value = argv[++*at];
    }
    if (!store(option, value, values))
        return fail_value(cli, option, value);
    given->mask |= (uint64_t)1 << (option - command->options);
    return EXIT_CODE_DONE;
}

static void set_fallbacks(const struct command *command, void *values)
{
    for (uint32_t i = 0; i < command->option_count; i++) {
        if (command->options[i].fallback)
            store(&command->options[i], command->options[i].fallback, values);
    }
}

bool options_parse(const struct command *command, const struct cli *cli, int argc, char **argv,
                   void *values, struct options_given *given, int *exit_code)
{
    bool only_operands = false;
    memset(given, 0, sizeof *given);
    *exit_code = EXIT_CODE_DONE;
    set_fallbacks(command, values);
    for (int i = 0; i < argc; i++) {
        bool dashes = argv[i][0] == '-' && argv[i][1] != '\0' && !only_operands;
        if (dashes && (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)) {
            options_print_help(stdout, command);
            return false;
        }
        if (dashes && strcmp(argv[i], "--") == 0) {
            only_operands = true;
        } else if (dashes) {
            *exit_code = take_option(command, cli, argc, argv, &i, values, given);
            if (*exit_code != EXIT_CODE_DONE)
                return false;
        } else if (command->operands[0] == '\0') {
            *exit_code =
                cli_fail(cli, EXIT_CODE_USAGE, "'%s' is one too many; see: passtime %s --help",
                         argv[i], command->name);
            return false;
        } else if (given->operand_count == OPTIONS_OPERANDS_MAX) {
            *exit_code = cli_fail(cli, EXIT_CODE_USAGE, "more than %d arguments; give fewer",
                                  OPTIONS_OPERANDS_MAX);
            return false;
        } else {
            given->operands[given->operand_count++] = argv[i];
        }
    }
    return true;
}

bool options_is_given(const struct command *command, const struct options_given *given,
                      const char *name)
{
    const struct option *option = find_option(command, name, strlen(name));
    return option && (given->mask >> (option - command->options) & 1) != 0;
}

void options_print_help(FILE *out, const struct command *command)
{
    fprintf(out, "%s.\n\nUsage: passtime %s%s%s%s\n", command->summary, command->name,
            command->operands[0] ? " " : "", command->operands,
            command->option_count > 0 ? " [options]" : "");
    if (command->option_count > 0)
        fputs("\nOptions:\n", out);
    for (uint32_t i = 0; i < command->option_count; i++) {
        const struct option *option = &command->options[i];
        char left[64];
        if (option->hidden)
            continue;
        snprintf(left, sizeof left, "--%s%s%s", option->name, option->argument ? " " : "",
                 option->argument ? option->argument : "");
        fprintf(out, "  %-18s %s", left, option->help);
        if (option->fallback)
            fprintf(out, " (default %s)", option->fallback);
        fputc('\n', out);
    }
    if (command->notes)
        fprintf(out, "\n%s", command->notes);
}
