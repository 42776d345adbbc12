/* SPDX-License-Identifier: MIT */
/* `passtime probe`: what can be measured on this machine, how finely, and by which method. */
#include "cli/probe.h"

#include <jansson.h>
#include <string.h>

#include <passtime/passtime.h>

#include "cli/commands.h"
#include "cli/terminal.h"

struct probe_values {
    bool json;
    uint64_t timeout_ms;
};

static int run_probe(const struct command *self, int argc, char **argv);

static const struct option probe_options[] = {
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
    .notes = "Each adapter is asked in a process of its own, for drivers may hang.\n\n"
             "Exit code 3: no adapter's passes can be timed.\n",
    .run = run_probe,
};

static void dot(struct passtime_line *line)
{
    passtime_line_text(line, " ");
    passtime_line_sign(line, PASSTIME_SIGN_DOT);
    passtime_line_text(line, " ");
}

static void print_steps(const struct probe_adapter *adapter, struct passtime_line *line, FILE *out)
{
    passtime_line_printf(line, "   tick %.6g ns", adapter->tick_ns);
    dot(line);
    if (adapter->quantum_ns > 0)
        passtime_line_printf(line, "quantum %llu ns", (unsigned long long)adapter->quantum_ns);
    else
        passtime_line_text(line, "quantum not known");
    dot(line);
    if (adapter->smallest_ns > 0)
        passtime_line_printf(line, "smallest difference %llu ns",
                             (unsigned long long)adapter->smallest_ns);
    else
        passtime_line_text(line, "no difference above 0 seen");
    passtime_line_printf(line, " in %u passes", adapter->good);
    passtime_line_end(line, out);
}

static void print_adapter(const struct probe_adapter *adapter, uint32_t number,
                          struct passtime_line *line, FILE *out)
{
    passtime_line_printf(line, "%u  ", number);
    passtime_line_colour(line, PASSTIME_COLOUR_BOLD);
    passtime_line_text(line, adapter->name);
    passtime_line_colour(line, PASSTIME_COLOUR_NONE);
    passtime_line_end(line, out);
    passtime_line_printf(line, "   %s", adapter->kind);
    dot(line);
    passtime_line_text(line, adapter->backend);
    if (adapter->driver[0]) {
        dot(line);
        passtime_line_text(line, adapter->driver);
    }
    passtime_line_end(line, out);
    passtime_line_colour(line, adapter->timed ? PASSTIME_COLOUR_GREEN : PASSTIME_COLOUR_YELLOW);
    if (adapter->timed) {
        passtime_line_printf(line, "   passes are timed by GPU timestamps%s",
                             adapter->inside_passes ? ", also inside passes" : "");
    } else {
        passtime_line_text(line, "   passes can't be timed by the GPU: ");
        passtime_line_wrapped(line, out, adapter->error, 3);
    }
    passtime_line_colour(line, PASSTIME_COLOUR_NONE);
    passtime_line_end(line, out);
    if (adapter->timed)
        print_steps(adapter, line, out);
    if (adapter->timed && adapter->software) {
        passtime_line_text(line, "   software: the CPU plays the GPU");
        passtime_line_end(line, out);
    }
}

static void print_list(const struct probe_list *list)
{
    struct passtime_report_style style = terminal_style(stdout);
    struct passtime_line line;
    passtime_line_begin(&line, &style);
    for (uint32_t i = 0; i < list->count; i++) {
        if (i > 0)
            putchar('\n');
        print_adapter(&list->adapters[i], i + 1, &line, stdout);
    }
}

static json_t *number_or_null(uint64_t value)
{
    return value > 0 ? json_integer((json_int_t)value) : json_null();
}

static void set(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value ? value : json_null());
}

static json_t *features_json(const struct probe_adapter *adapter)
{
    json_t *array = json_array();
    if (adapter->timestamps)
        json_array_append_new(array, json_string("timestamp-query"));
    if (adapter->inside_passes)
        json_array_append_new(array, json_string("timestamp-query-inside-passes"));
    return array;
}

static json_t *adapter_json(const struct probe_adapter *adapter)
{
    json_t *object = json_object();
    set(object, "api", json_string("webgpu"));
    set(object, "name", json_string(adapter->name));
    set(object, "driver", adapter->driver[0] ? json_string(adapter->driver) : NULL);
    set(object, "kind", json_string(adapter->kind));
    set(object, "software", json_boolean(adapter->software));
    set(object, "backend", json_string(adapter->backend));
    set(object, "features", features_json(adapter));
    set(object, "timed", json_boolean(adapter->timed));
    set(object, "method", json_string(adapter->timed ? "stamps" : "cpu"));
    set(object, "tick_ns", adapter->tick_ns > 0.0 ? json_real(adapter->tick_ns) : NULL);
    set(object, "valid_bits", number_or_null(adapter->valid_bits));
    set(object, "quantum_ns", number_or_null(adapter->quantum_ns));
    set(object, "smallest_ns", number_or_null(adapter->smallest_ns));
    set(object, "samples", json_integer(adapter->samples));
    set(object, "good", json_integer(adapter->good));
    set(object, "error", adapter->error[0] ? json_string(adapter->error) : NULL);
    return object;
}

static void print_json(const struct probe_list *list)
{
    json_t *root = json_object();
    json_t *array = json_array();
    set(root, "schema", json_string("passtime.probe/1"));
    set(root, "tool",
        json_pack("{s:s, s:s}", "name", "passtime", "version", passtime_version_string()));
    for (uint32_t i = 0; i < list->count; i++)
        json_array_append_new(array, adapter_json(&list->adapters[i]));
    set(root, "adapters", array);
    json_dumpf(root, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    putchar('\n');
    json_decref(root);
}

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
        probe_one_adapter(i, &list.adapters[i], (uint32_t)values.timeout_ms);
        timed = timed || list.adapters[i].timed;
    }
    if (values.json)
        print_json(&list);
    else
        print_list(&list);
    return timed ? EXIT_CODE_DONE : EXIT_CODE_NOTHING;
}
