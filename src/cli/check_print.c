/* SPDX-License-Identifier: MIT */
/* What the check found, for people and as JSON. */
#include <jansson.h>
#include <string.h>

#include "cli/probe.h"
#include "cli/terminal.h"

/* WebGPU's kinds; a GL context knows draws alone. */
static const char *kind_name(const struct check_outcome *check, uint32_t kind)
{
    if (check->kind_count < 2)
        return "draws";
    return kind == CHECK_FIRST ? "compute" : "render";
}

static const char *other_name(const struct check_outcome *check, uint32_t kind)
{
    return kind_name(check, check->kind_count < 2 ? kind : 1 - kind);
}

static void text_line(struct passtime_line *line, FILE *out, const char *text)
{
    passtime_line_text(line, "   ");
    passtime_line_wrapped(line, out, text, 3);
    passtime_line_end(line, out);
}

static void print_kind(const struct check_outcome *check, uint32_t kind, struct passtime_line *line,
                       FILE *out)
{
    const passtime_check_kind_verdict *verdict = &check->verdict.kinds[kind];
    char text[256];
    if (!verdict->has_rank) {
        snprintf(text, sizeof text, "%s: too little came back to tell", kind_name(check, kind));
        text_line(line, out, text);
        return;
    }
    snprintf(text, sizeof text,
             "%s: work of 1 to 16 parts, rank correlation %.2f; %.4g us a part, within %.2g %% of "
             "a line; two runs within %.2g %%",
             kind_name(check, kind), verdict->rank, verdict->slope_ns / 1e3,
             100.0 * verdict->linear_error, 100.0 * verdict->repeat_error);
    text_line(line, out, text);
    if (verdict->covers == PASSTIME_CHECK_FAILS) {
        snprintf(text, sizeof text,
                 "%s: the stamps cover %.2g of the time that the work adds by the CPU's clock: "
                 "the boundary is NOT true",
                 kind_name(check, kind), verdict->cover_ratio);
        text_line(line, out, text);
    }
    /* Of stamps that leave the work out, the ratio says nothing. */
    if (!verdict->has_order || verdict->covers == PASSTIME_CHECK_FAILS)
        return;
    static const char *const boundaries[] = {"can't be told while the runs disagree", "is true",
                                             "is NOT true"};
    snprintf(text, sizeof text, "%s after %s: %.3g times its time alone: the boundary %s",
             kind_name(check, kind), other_name(check, kind), verdict->order_ratio,
             boundaries[verdict->boundary]);
    text_line(line, out, text);
}

static const char *reason_text(passtime_check_reason reason)
{
    switch (reason) {
    case PASSTIME_CHECK_PROVED:
        return "they rise with the work, in proportion, and agree from run to run";
    case PASSTIME_CHECK_NO_FEATURE:
        return "the device offers no timer queries";
    case PASSTIME_CHECK_NO_STAMPS:
        return "the stamps of small passes are missing or run backward";
    case PASSTIME_CHECK_NOT_RISING:
        return "the GPU's times do not rise with the work";
    case PASSTIME_CHECK_NOT_LINEAR:
        return "they rise with the work, but not in proportion: compare passes with care";
    case PASSTIME_CHECK_NOT_REPEATABLE:
        return "they rise with the work, but two runs disagree: the machine is busy or its clocks "
               "change. Let it rest and check again; until the runs agree, believe no difference "
               "that is smaller than theirs (above)";
    case PASSTIME_CHECK_BOUNDARY_UNTRUE:
        return "but some passes are stamped early or late, so that time is missing or counts to "
               "the wrong pass (above)";
    default:
        return "too little came back, for the machine is busy or the device too slow. Let it rest "
               "and check again";
    }
}

static const char *method_text(passtime_check_method method)
{
    static const char *const texts[] = {
        "measure nothing here",
        "use GPU stamps",
        "use elapsed queries",
        "use the CPU's clock around submit, for whole frames",
        "use counters in the shaders, which tell how much was done and not how long it took",
        "it could not be told what to use"};
    return (uint32_t)method < 6 ? texts[method] : texts[0];
}

static bool is_webgpu(const struct probe_adapter *adapter)
{
    return strcmp(adapter->api, "webgpu") == 0;
}

/* Where the GPU's time can't be had, what to count instead of it and how; NULL: it can be had, or
 * that was not told. */
static const char *counters_text(const struct probe_adapter *adapter)
{
    const passtime_check_verdict *verdict = &adapter->check.verdict;
    if (verdict->can_measure || verdict->method == PASSTIME_CHECK_NOT_TOLD)
        return NULL;
    return is_webgpu(adapter)
               ? "shader counters work here: give passtime_webgpu_desc.counters their names, put "
                 "passtime_webgpu_counters_wgsl() before the shader and call passtime_count() in "
                 "it; what each pass counted comes back beside its CPU times"
               : "Passtime's shader counters are for WebGPU: count there, on the same GPU";
}

/* Single times are then whole steps of the clock. */
static bool is_coarse(const struct check_outcome *check)
{
    return check->input.quantum_ns > CHECK_COARSE_NS;
}

static void print_cost(const struct check_outcome *check, struct passtime_line *line, FILE *out)
{
    const passtime_check_cost *cost = &check->pair_cost;
    char text[256];
    if (cost->known && cost->low_ns > 0.0) {
        snprintf(text, sizeof text,
                 "a pair of stamps costs %.3g us of GPU time (95 %%: %.3g to %.3g us)",
                 cost->ns / 1e3, cost->low_ns / 1e3, cost->high_ns / 1e3);
        text_line(line, out, text);
    } else if (cost->known) {
        snprintf(text, sizeof text,
                 "a pair of stamps costs less GPU time than can be told here: %.3g us at most "
                 "(95 %%)",
                 cost->high_ns > 0.0 ? cost->high_ns / 1e3 : 0.0);
        text_line(line, out, text);
    }
    if (check->has_cpu) {
        snprintf(text, sizeof text,
                 "CPU time: %.3g us a pass, %.3g us a frame, %.3g us to collect a frame",
                 check->cpu_pass_ns / 1e3, check->cpu_frame_ns / 1e3, check->cpu_collect_ns / 1e3);
        text_line(line, out, text);
    }
    if (check->verdict.has_finest) {
        snprintf(text, sizeof text, "finest pass worth timing: %.3g us%s",
                 check->verdict.finest_ns / 1e3,
                 is_coarse(check) ? ", by the mean of a thousand frames and its error" : "");
        text_line(line, out, text);
    }
}

void check_print(const struct probe_adapter *adapter, struct passtime_line *line, FILE *out)
{
    const struct check_outcome *check = &adapter->check;
    char text[768];
    if (!check->run) {
        text_line(line, out, "check: it did not come to its end");
        return;
    }
    for (uint32_t kind = 0; kind < check->kind_count; kind++)
        print_kind(check, kind, line, out);
    print_cost(check, line, out);
    bool proved = check->verdict.reason == PASSTIME_CHECK_PROVED;
    passtime_line_colour(line, proved ? PASSTIME_COLOUR_GREEN : PASSTIME_COLOUR_YELLOW);
    bool flushed = adapter->has_gl && adapter->gl.boundary == PASSTIME_GL_BOUNDARY_FLUSHED;
    bool mark = check->verdict.reason == PASSTIME_CHECK_BOUNDARY_UNTRUE && is_webgpu(adapter);
    snprintf(text, sizeof text, "verdict: %s%s: %s%s", method_text(check->verdict.method),
             flushed && check->verdict.can_measure ? ", with a flush after each" : "",
             reason_text(check->verdict.reason),
             mark ? "; mark samples by PASSTIME_WEBGPU_BOUNDARY_UNVERIFIED" : "");
    if (check->verdict.can_measure && is_coarse(check)) {
        size_t length = strlen(text);
        snprintf(text + length, sizeof text - length,
                 ". Stamps come in steps of %llu ns: trust means over many frames and their "
                 "errors, not single values",
                 (unsigned long long)check->input.quantum_ns);
    }
    text_line(line, out, text);
    passtime_line_colour(line, PASSTIME_COLOUR_NONE);
    if (counters_text(adapter) != NULL)
        text_line(line, out, counters_text(adapter));
}

static json_t *number_or_null(bool known, double value)
{
    return known ? json_real(value) : json_null();
}

static json_t *result_json(passtime_check_result result)
{
    return result == PASSTIME_CHECK_UNKNOWN ? json_null()
                                            : json_boolean(result == PASSTIME_CHECK_HOLDS);
}

static json_t *steps_json(const passtime_check_kind *kind)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < kind->step_count; i++) {
        const passtime_check_step *step = &kind->steps[i];
        json_array_append_new(
            array, json_pack("{s:i, s:[o,o], s:[o,o]}", "parts", (int)step->parts, "gpu_ns",
                             number_or_null(step->count[0] > 0, step->gpu_ns[0]),
                             number_or_null(step->count[1] > 0, step->gpu_ns[1]), "cpu_submit_ns",
                             number_or_null(step->cpu_ns[0] > 0.0, step->cpu_ns[0]),
                             number_or_null(step->cpu_ns[1] > 0.0, step->cpu_ns[1])));
    }
    return array;
}

static json_t *kind_json(const struct check_outcome *check, uint32_t index)
{
    const passtime_check_kind *kind = &check->input.kinds[index];
    const passtime_check_kind_verdict *verdict = &check->verdict.kinds[index];
    json_t *object = json_object();
    bool order = kind->order_count > 0;
    json_object_set_new(object, "kind", json_string(kind_name(check, index)));
    json_object_set_new(object, "steps", steps_json(kind));
    json_object_set_new(object, "rank_correlation",
                        number_or_null(verdict->has_rank, verdict->rank));
    json_object_set_new(object, "ns_a_part", number_or_null(verdict->has_slope, verdict->slope_ns));
    json_object_set_new(object, "linear_error",
                        number_or_null(verdict->has_slope, verdict->linear_error));
    json_object_set_new(object, "repeat_error",
                        number_or_null(verdict->has_repeat, verdict->repeat_error));
    json_object_set_new(object, "cover_ratio",
                        number_or_null(verdict->has_cover, verdict->cover_ratio));
    json_object_set_new(object, "covers", result_json(verdict->covers));
    json_object_set_new(object, "rises", result_json(verdict->rises));
    json_object_set_new(object, "linear", result_json(verdict->linear));
    json_object_set_new(object, "repeats", result_json(verdict->repeats));
    json_object_set_new(object, "boundary_true", result_json(verdict->boundary));
    json_object_set_new(object, "after", json_string(other_name(check, index)));
    json_object_set_new(object, "alone_ns", number_or_null(order, kind->alone_ns));
    json_object_set_new(object, "after_ns", number_or_null(order, kind->after_other_ns));
    return object;
}

static json_t *cost_json(const struct check_outcome *check)
{
    const passtime_check_cost *cost = &check->pair_cost;
    json_t *object = json_object();
    json_object_set_new(object, "gpu_pair_ns", number_or_null(cost->known, cost->ns));
    json_object_set_new(object, "gpu_pair_low_ns", number_or_null(cost->known, cost->low_ns));
    json_object_set_new(object, "gpu_pair_high_ns", number_or_null(cost->known, cost->high_ns));
    json_object_set_new(object, "cpu_pass_ns", number_or_null(check->has_cpu, check->cpu_pass_ns));
    json_object_set_new(object, "cpu_frame_ns",
                        number_or_null(check->has_cpu, check->cpu_frame_ns));
    json_object_set_new(object, "cpu_collect_ns",
                        number_or_null(check->has_cpu, check->cpu_collect_ns));
    return object;
}

json_t *check_json(const struct probe_adapter *adapter)
{
    const struct check_outcome *check = &adapter->check;
    const passtime_check_verdict *verdict = &check->verdict;
    if (!check->run)
        return json_null();
    json_t *object = json_object();
    json_t *kinds = json_array();
    for (uint32_t kind = 0; kind < check->kind_count; kind++)
        json_array_append_new(kinds, kind_json(check, kind));
    json_object_set_new(object, "can_measure", json_boolean(verdict->can_measure));
    json_object_set_new(object, "method", json_string(passtime_check_method_name(verdict->method)));
    json_object_set_new(object, "reason", json_string(passtime_check_reason_name(verdict->reason)));
    json_object_set_new(object, "instead",
                        counters_text(adapter) != NULL ? json_string(counters_text(adapter))
                                                       : json_null());
    json_object_set_new(object, "stamps", result_json(verdict->stamps));
    json_object_set_new(object, "finest_ns",
                        number_or_null(verdict->has_finest, verdict->finest_ns));
    json_object_set_new(object, "kinds", kinds);
    json_object_set_new(object, "cost", cost_json(check));
    return object;
}
