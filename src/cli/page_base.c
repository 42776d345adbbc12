/* SPDX-License-Identifier: MIT */
/* Earlier runs: their documents, and whether they were measured as this one was. */
#include "cli/page_compare.h"

#include <string.h>

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

bool page_is_base_file(const char *text)
{
    size_t bytes = strlen(text);
    return bytes > 5 && strcmp(text + bytes - 5, ".json") == 0;
}

int page_bases_read(const struct page_job *job, json_t *bases)
{
    const struct option_list *list = &job->values.compare;
    for (uint32_t i = 0; i < list->count; i++) {
        json_error_t error;
        if (!page_is_base_file(list->values[i]))
            continue;
        json_t *document = json_load_file(list->values[i], 0, &error);
        if (!document)
            return cli_fail(&job->cli, EXIT_CODE_USAGE, "can't read the earlier run %s%s%.0d: %s",
                            list->values[i], error.line > 0 ? ", line " : "",
                            error.line > 0 ? error.line : 0, error.text);
        json_array_append_new(bases, document);
        if (strcmp(text_of(document, "schema"), "passtime.report/1") != 0 ||
            !json_is_object(json_object_get(document, "browser")))
            return cli_fail(&job->cli, EXIT_CODE_USAGE,
                            "%s is no report of this command; write one by: passtime page URL "
                            "--json >base.json",
                            list->values[i]);
        json_object_set_new(document, "file", json_string(list->values[i]));
    }
    return EXIT_CODE_DONE;
}

json_t *page_runs_of(const json_t *documents)
{
    json_t *runs = json_array();
    for (size_t i = 0; i < json_array_size(documents); i++) {
        json_t *document = json_array_get(documents, i);
        json_t *list = json_object_get(document, "runs");
        if (json_array_size(list) > 0)
            json_array_extend(runs, list);
        else
            json_array_append(runs, document);
    }
    return runs;
}

static const json_t *context_of(const json_t *run, const char *id)
{
    const json_t *contexts = json_object_get(run, "contexts");
    for (size_t i = 0; i < json_array_size(contexts); i++) {
        const json_t *context = json_array_get(contexts, i);
        if (strcmp(text_of(context, "id"), id) == 0)
            return context;
    }
    return NULL;
}

/* Steps of a microsecond and more are what the browser rounds to; finer ones are the GPU's. */
static double step_of(const json_t *context)
{
    const json_t *clock = json_object_get(context, "clock");
    double ns = json_number_value(json_object_get(clock, "quantum_ns"));
    return ns >= 1000.0 ? ns : 0.0;
}

static int differ(const struct page_job *job, const char *file, const char *what, const char *base,
                  const char *now)
{
    return cli_fail(&job->cli, EXIT_CODE_USAGE,
                    "%s can't be compared with this run: its %s is '%s', here it is '%s'; make a "
                    "new base here",
                    file, what, base[0] ? base : "not known", now[0] ? now : "not known");
}

static int check_context(const struct page_job *job, const char *file, const json_t *base,
                         const json_t *now)
{
    static const char *const keys[] = {"api", "method"};
    static const char *const adapter_keys[] = {"name", "driver", "kind"};
    static const char *const adapter_words[] = {"adapter", "driver", "kind of adapter"};
    const json_t *base_adapter = json_object_get(base, "adapter");
    const json_t *adapter = json_object_get(now, "adapter");
    for (size_t i = 0; i < 2; i++) {
        if (strcmp(text_of(base, keys[i]), text_of(now, keys[i])) != 0)
            return differ(job, file, keys[i], text_of(base, keys[i]), text_of(now, keys[i]));
    }
    for (size_t i = 0; i < 3; i++) {
        const char *before = text_of(base_adapter, adapter_keys[i]);
        const char *after = text_of(adapter, adapter_keys[i]);
        if (strcmp(before, after) != 0)
            return differ(job, file, adapter_words[i], before, after);
    }
    if (json_is_true(json_object_get(base_adapter, "software")) !=
        json_is_true(json_object_get(adapter, "software")))
        return differ(job, file, "kind of adapter",
                      json_is_true(json_object_get(base_adapter, "software")) ? "software" : "GPU",
                      json_is_true(json_object_get(adapter, "software")) ? "software" : "GPU");
    double before = step_of(base), after = step_of(now);
    if (before > 1.5 * after || after > 1.5 * before) {
        char texts[2][32];
        snprintf(texts[0], sizeof texts[0], "%.0f ns", before);
        snprintf(texts[1], sizeof texts[1], "%.0f ns", after);
        return differ(job, file, "step of times", texts[0], texts[1]);
    }
    return EXIT_CODE_DONE;
}

/* A context is of a base where any of its runs has it. */
static int check_base(const struct page_job *job, const json_t *document, const json_t *now,
                      bool *any)
{
    const char *file = text_of(document, "file");
    const char *before = text_of(json_object_get(document, "browser"), "resolution");
    const char *after = text_of(json_object_get(now, "browser"), "resolution");
    if (strcmp(before, after) != 0)
        return differ(job, file, "resolution", before, after);
    const json_t *contexts = json_object_get(now, "contexts");
    for (size_t i = 0; i < json_array_size(contexts); i++) {
        const json_t *context = json_array_get(contexts, i);
        const json_t *base = context_of(document, text_of(context, "id"));
        if (!base)
            continue;
        *any = true;
        int exit_code = check_context(job, file, base, context);
        if (exit_code != EXIT_CODE_DONE)
            return exit_code;
    }
    return EXIT_CODE_DONE;
}

int page_bases_check(const struct page_job *job, const json_t *bases, const json_t *runs)
{
    bool any = false;
    for (size_t i = 0; i < json_array_size(bases); i++) {
        for (size_t r = 0; r < json_array_size(runs); r++) {
            int exit_code =
                check_base(job, json_array_get(bases, i), json_array_get(runs, r), &any);
            if (exit_code != EXIT_CODE_DONE)
                return exit_code;
        }
    }
    if (any)
        return EXIT_CODE_DONE;
    return cli_fail(&job->cli, EXIT_CODE_USAGE,
                    "nothing can be compared: no device or GL context of the earlier runs is in "
                    "this page; are they runs of the same page?");
}
