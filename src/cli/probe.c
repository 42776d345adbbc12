/* SPDX-License-Identifier: MIT */
/* `passtime probe`: what can be measured on this machine, how finely, and by which method. */
#include "cli/probe.h"

#include "cli/commands.h"

/* The time that the check may take beside the rest. */
enum { CHECK_MS = 20000 };

struct probe_values {
    bool json;
    bool check;
    uint64_t timeout_ms;
};

static int run_probe(const struct command *self, int argc, char **argv);

static const struct option probe_options[] = {
    {.name = "check",
     .type = OPTION_FLAG,
     .offset = offsetof(struct probe_values, check),
     .help = "prove it with work of known size, and say which method to choose"},
    {.name = "json",
     .type = OPTION_FLAG,
     .offset = offsetof(struct probe_values, json),
     .help = "write JSON"},
    {.name = "timeout-ms",
     .type = OPTION_COUNT,
     .offset = offsetof(struct probe_values, timeout_ms),
     .argument = "N",
     .fallback = "20000",
     .least = 1,
     .most = 3600000,
     .hidden = true,
     .help = "give a driver N ms to answer"},
};

const struct command command_probe = {
    .name = "probe",
    .summary = "Say what can be measured on this machine, and how finely",
    .operands = "",
    .options = probe_options,
    .option_count = sizeof probe_options / sizeof probe_options[0],
    .notes =
        "Each adapter is asked in a process of its own, for drivers may hang.\n\n"
        "Exit code 3: no adapter's passes can be timed; with --check: none is shown to measure.\n",
    .run = run_probe,
};

static int run_probe(const struct command *self, int argc, char **argv)
{
    struct cli cli = {.command = self->name, .json = options_want_json(argc, argv)};
    struct probe_values values = {0};
    struct options_given given;
    struct probe_list list;
    int exit_code;
    bool timed = false;
    if (!options_parse(self, &cli, argc, argv, &values, &given, &exit_code))
        return exit_code;
    probe_list_adapters(&list, (uint32_t)values.timeout_ms);
    if (list.count == 0)
        return cli_fail(&cli, EXIT_CODE_NOTHING, "%s", list.error);
    for (uint32_t i = 0; i < list.count; i++) {
        struct probe_adapter *adapter = &list.adapters[i];
        adapter->check_wanted = values.check;
        probe_one_adapter(adapter, (uint32_t)values.timeout_ms + (values.check ? CHECK_MS : 0u));
        adapter->check_wanted = values.check;
        timed = timed || (values.check ? adapter->check.run && adapter->check.verdict.can_measure
                                       : adapter->timed);
    }
    if (values.json)
        probe_print_json(&list);
    else
        probe_print_table(&list);
    return timed ? EXIT_CODE_DONE : EXIT_CODE_NOTHING;
}
