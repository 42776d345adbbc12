/* SPDX-License-Identifier: MIT */
/* Completion for shells, written from the tables of commands and options. */
#include "cli/commands.h"

#include <string.h>

static bool is_file(const struct option *option)
{
    return option->type == OPTION_FILE || option->type == OPTION_FILES;
}

static void print_words(const struct command *command)
{
    for (uint32_t i = 0; command->words && command->words[i]; i++)
        printf("%s ", command->words[i]);
    for (uint32_t i = 0; i < command->option_count; i++) {
        if (!command->options[i].hidden)
            printf("--%s ", command->options[i].name);
    }
}

static void print_names(void)
{
    const struct command *command;
    for (uint32_t i = 0; (command = command_at(i)) != NULL; i++) {
        if (!command->hidden)
            printf("%s ", command->name);
    }
}

static void print_bash(void)
{
    const struct command *command;
    puts("# bash completion for passtime; use: source <(passtime completion bash)\n"
         "_passtime() {\n"
         "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
         "    if [ \"$COMP_CWORD\" = 1 ]; then");
    printf("        COMPREPLY=($(compgen -W \"");
    print_names();
    puts("\" -- \"$word\"))\n        return\n    fi\n    case ${COMP_WORDS[1]}:$before in");
    for (uint32_t i = 0; (command = command_at(i)) != NULL; i++) {
        for (uint32_t row = 0; row < command->option_count; row++) {
            if (is_file(&command->options[row]))
                printf("    %s:--%s) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n", command->name,
                       command->options[row].name);
            else if (command->options[row].type != OPTION_FLAG)
                printf("    %s:--%s) ;;\n", command->name, command->options[row].name);
        }
        if (command->hidden)
            continue;
        printf("    %s:*) COMPREPLY=($(compgen %s-W \"", command->name,
               command->files ? "-f " : "");
        print_words(command);
        puts("\" -- \"$word\")) ;;");
    }
    puts("    esac\n}\ncomplete -o filenames -F _passtime passtime");
}

static void print_fish(void)
{
    const struct command *command;
    puts("# fish completion for passtime; use: passtime completion fish | source\n"
         "complete -c passtime -f");
    for (uint32_t i = 0; (command = command_at(i)) != NULL; i++) {
        if (command->hidden)
            continue;
        printf("complete -c passtime -n __fish_use_subcommand -a %s -d '%s'\n", command->name,
               command->summary);
        const char *when = "__fish_seen_subcommand_from";
        if (command->files)
            printf("complete -c passtime -n '%s %s' -F\n", when, command->name);
        for (uint32_t word = 0; command->words && command->words[word]; word++)
            printf("complete -c passtime -n '%s %s' -a %s\n", when, command->name,
                   command->words[word]);
        for (uint32_t row = 0; row < command->option_count; row++) {
            const struct option *option = &command->options[row];
            if (!option->hidden)
                printf("complete -c passtime -n '%s %s' -l %s%s -d \"%s\"\n", when, command->name,
                       option->name,
                       option->type == OPTION_FLAG ? ""
                       : is_file(option)           ? " -r -F"
                                                   : " -x",
                       option->help);
        }
    }
}

static int run_completion(const struct command *self, int argc, char **argv)
{
    struct cli cli = {.command = self->name};
    struct options_given given;
    int exit_code;
    if (!options_parse(self, &cli, argc, argv, NULL, &given, &exit_code))
        return exit_code;
    if (given.operand_count == 1 && strcmp(given.operands[0], "bash") == 0)
        print_bash();
    else if (given.operand_count == 1 && strcmp(given.operands[0], "fish") == 0)
        print_fish();
    else
        return cli_fail(&cli, EXIT_CODE_USAGE, "say which shell: passtime completion bash|fish");
    return EXIT_CODE_DONE;
}

const struct command command_completion = {
    .name = "completion",
    .summary = "Print the completion script of a shell",
    .operands = "bash|fish",
    .hidden = true,
    .run = run_completion,
};
