/* SPDX-License-Identifier: MIT */
/* What the probe learnt, for people and as JSON. */
#include "cli/probe.h"

#include <jansson.h>
#include <string.h>

#include "cli/terminal.h"

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

static const char *boundary_text(const struct probe_adapter *adapter)
{
    switch (adapter->gl.boundary) {
    case PASSTIME_GL_BOUNDARY_TRUE:
        return "boundaries are true, also without a flush";
    case PASSTIME_GL_BOUNDARY_FLUSHED:
        return "boundaries are true only with a flush after each stamp, as on tiled GPUs "
               "(demo --flush)";
    case PASSTIME_GL_BOUNDARY_FALSE:
        return "boundaries were not found true, even with a flush after each stamp (is this "
               "machine busy?)";
    default:
        return "boundaries are not checked";
    }
}

static void print_gl(const struct probe_adapter *adapter, struct passtime_line *line, FILE *out)
{
    passtime_line_printf(line, "   timestamp %u bits", adapter->gl.timestamp_bits);
    dot(line);
    passtime_line_printf(line, "elapsed %u bits", adapter->gl.elapsed_bits);
    dot(line);
    passtime_line_text(line, adapter->gl.has_disjoint ? "tells a disturbed clock (GPU_DISJOINT)"
                                                      : "does not tell a disturbed clock");
    passtime_line_end(line, out);
    passtime_line_text(line, "   ");
    passtime_line_wrapped(line, out, boundary_text(adapter), 3);
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
    passtime_line_text(line, adapter->api);
    if (strcmp(adapter->backend, adapter->kind) != 0) {
        dot(line);
        passtime_line_text(line, adapter->backend);
    }
    if (adapter->driver[0]) {
        dot(line);
        passtime_line_text(line, adapter->driver);
    }
    passtime_line_end(line, out);
    passtime_line_colour(line, adapter->timed ? PASSTIME_COLOUR_GREEN : PASSTIME_COLOUR_YELLOW);
    if (adapter->timed) {
        passtime_line_printf(line, "   passes are timed by GPU %s%s",
                             adapter->source == PASSTIME_GPU_ELAPSED ? "elapsed queries"
                                                                     : "timestamps",
                             adapter->inside_passes ? ", also inside passes" : "");
    } else {
        passtime_line_text(line, "   passes can't be timed by the GPU: ");
        passtime_line_wrapped(line, out, adapter->error, 3);
    }
    passtime_line_colour(line, PASSTIME_COLOUR_NONE);
    passtime_line_end(line, out);
    if (adapter->timed)
        print_steps(adapter, line, out);
    if (adapter->has_gl)
        print_gl(adapter, line, out);
    if (adapter->timed && adapter->software) {
        passtime_line_text(line, "   software: the CPU plays the GPU");
        passtime_line_end(line, out);
    }
    if (adapter->check_wanted)
        check_print(adapter, line, out);
}

void probe_print_table(const struct probe_list *list)
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
    if (adapter->timestamps && !adapter->has_gl)
        json_array_append_new(array, json_string("timestamp-query"));
    if (adapter->inside_passes)
        json_array_append_new(array, json_string("timestamp-query-inside-passes"));
    return array;
}

static json_t *self_check_json(const passtime_gl_info *info)
{
    static const char *const results[] = {NULL, "true", "true_when_flushed", "false"};
    json_t *object = json_object();
    json_t *times = json_array();
    const char *result =
        info->boundary <= PASSTIME_GL_BOUNDARY_FALSE ? results[info->boundary] : NULL;
    set(object, "boundaries", result ? json_string(result) : NULL);
    for (size_t i = 0; i < sizeof info->self_check_ns / sizeof info->self_check_ns[0]; i++)
        json_array_append_new(times, number_or_null(info->self_check_ns[i]));
    set(object, "ns", times);
    return object;
}

/* What only GL has. */
static json_t *gl_json(const passtime_gl_info *info)
{
    json_t *object = json_object();
    set(object, "version", json_sprintf("%u.%u", info->major, info->minor));
    set(object, "timestamp_bits", json_integer(info->timestamp_bits));
    set(object, "elapsed_bits", json_integer(info->elapsed_bits));
    set(object, "result_bits", json_integer(info->result_bits));
    set(object, "has_disjoint", json_boolean(info->has_disjoint));
    set(object, "self_check", self_check_json(info));
    return object;
}

/* The one to choose. */
static const char *method(const struct probe_adapter *adapter)
{
    if (!adapter->timed)
        return "cpu";
    return adapter->source == PASSTIME_GPU_ELAPSED ? "elapsed" : "stamps";
}

static json_t *adapter_json(const struct probe_adapter *adapter)
{
    json_t *object = json_object();
    set(object, "api", json_string(adapter->api));
    set(object, "name", json_string(adapter->name));
    set(object, "driver", adapter->driver[0] ? json_string(adapter->driver) : NULL);
    set(object, "kind", json_string(adapter->kind));
    set(object, "software", json_boolean(adapter->software));
    set(object, "backend", json_string(adapter->backend));
    set(object, "features", features_json(adapter));
    set(object, "timed", json_boolean(adapter->timed));
    set(object, "method", json_string(method(adapter)));
    set(object, "tick_ns", adapter->tick_ns > 0.0 ? json_real(adapter->tick_ns) : NULL);
    set(object, "valid_bits", number_or_null(adapter->valid_bits));
    set(object, "quantum_ns", number_or_null(adapter->quantum_ns));
    set(object, "smallest_ns", number_or_null(adapter->smallest_ns));
    set(object, "samples", json_integer(adapter->samples));
    set(object, "good", json_integer(adapter->good));
    set(object, "gl", adapter->has_gl ? gl_json(&adapter->gl) : NULL);
    if (adapter->check_wanted)
        set(object, "check", check_json(adapter));
    set(object, "error", adapter->error[0] ? json_string(adapter->error) : NULL);
    return object;
}

void probe_print_json(const struct probe_list *list)
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
