/* SPDX-License-Identifier: MIT */
#include "backend/gl_api.h"

#include <string.h>

/* Loads by name, and keeps the first name that the loader does not know. */
struct loader {
    const passtime_gl_desc *desc;
    const char *missing;
};

static passtime_gl_proc ask(const struct loader *loader, const char *name)
{
    const passtime_gl_desc *d = loader->desc;
    return d->get_proc_user != NULL ? d->get_proc_user(d->user, name) : d->get_proc(name);
}

static passtime_gl_proc need(struct loader *loader, const char *name)
{
    passtime_gl_proc proc = ask(loader, name);
    if (proc == NULL && loader->missing == NULL) {
        loader->missing = name;
    }
    return proc;
}

static bool refuse(char reason[PASSTIME_GL_REASON_BYTES], const char *text, const char *detail)
{
    size_t text_bytes = strlen(text);
    size_t detail_bytes = strlen(detail);
    size_t room = PASSTIME_GL_REASON_BYTES - 2 - text_bytes;
    detail_bytes = detail_bytes < room ? detail_bytes : room;
    memcpy(reason, text, text_bytes);
    memcpy(reason + text_bytes, detail, detail_bytes);
    memcpy(reason + text_bytes + detail_bytes, ".", 2);
    return false;
}

static uint32_t read_number(const char **text)
{
    uint32_t n = 0;
    while (**text >= '0' && **text <= '9' && n < 1000) {
        n = 10 * n + (uint32_t)(*(*text)++ - '0');
    }
    return n;
}

/* "4.6 (Core Profile) Mesa 22.3" or "OpenGL ES 3.2 …"; ES 1 says "OpenGL ES-CM 1.1", which reads as
 * 0.0. */
static void read_version(struct passtime_gl_api *api, const char *text)
{
    static const char es[] = "OpenGL ES";
    api->es = strncmp(text, es, sizeof(es) - 1) == 0;
    text += api->es ? sizeof(es) - 1 : 0;
    text += *text == ' ' ? 1 : 0;
    api->major = read_number(&text);
    text += *text == '.' ? 1 : 0;
    api->minor = read_number(&text);
}

static bool has_word(const char *words, const char *word)
{
    size_t bytes = strlen(word);
    for (const char *at = words; at != NULL && (at = strstr(at, word)) != NULL; at += bytes) {
        bool begins = at == words || at[-1] == ' ';
        if (begins && (at[bytes] == '\0' || at[bytes] == ' ')) {
            return true;
        }
    }
    return false;
}

static bool check_version(struct passtime_gl_api *api, char reason[PASSTIME_GL_REASON_BYTES])
{
    const char *version = (const char *)api->get_string(PASSTIME_GL_VERSION);
    if (version == NULL) {
        return refuse(reason, "No GL context is current", "");
    }
    read_version(api, version);
    if (api->es ? api->major < 2 : api->major * 10 + api->minor < 33) {
        return refuse(reason, "Timing needs GL 3.3 or GLES 2.0; this is ", version);
    }
    const char *extensions = api->es ? (const char *)api->get_string(PASSTIME_GL_EXTENSIONS) : NULL;
    if (api->es && !has_word(extensions, "GL_EXT_disjoint_timer_query")) {
        return refuse(reason, "No GL_EXT_disjoint_timer_query in ", version);
    }
    api->has_disjoint = api->es;
    return true;
}

/* What GLES has by extension carries a suffix. */
static void load_queries(struct loader *l, struct passtime_gl_api *api)
{
    bool es = api->es;
    api->gen_queries = (void(PASSTIME_SYSTEM_CALL *)(int, unsigned *))need(l, es ? "glGenQueriesEXT"
                                                                                 : "glGenQueries");
    api->delete_queries = (void(PASSTIME_SYSTEM_CALL *)(int, const unsigned *))need(
        l, es ? "glDeleteQueriesEXT" : "glDeleteQueries");
    api->is_query =
        (unsigned char(PASSTIME_SYSTEM_CALL *)(unsigned))need(l, es ? "glIsQueryEXT" : "glIsQuery");
    api->begin_query = (void(PASSTIME_SYSTEM_CALL *)(unsigned, unsigned))need(
        l, es ? "glBeginQueryEXT" : "glBeginQuery");
    api->end_query =
        (void(PASSTIME_SYSTEM_CALL *)(unsigned))need(l, es ? "glEndQueryEXT" : "glEndQuery");
    api->get_query = (void(PASSTIME_SYSTEM_CALL *)(unsigned, unsigned, int *))need(
        l, es ? "glGetQueryivEXT" : "glGetQueryiv");
    api->get_result = (void(PASSTIME_SYSTEM_CALL *)(unsigned, unsigned, unsigned *))need(
        l, es ? "glGetQueryObjectuivEXT" : "glGetQueryObjectuiv");
    api->query_counter = (void(PASSTIME_SYSTEM_CALL *)(unsigned, unsigned))ask(
        l, es ? "glQueryCounterEXT" : "glQueryCounter");
    api->get_result64 = (void(PASSTIME_SYSTEM_CALL *)(unsigned, unsigned, uint64_t *))ask(
        l, es ? "glGetQueryObjectui64vEXT" : "glGetQueryObjectui64v");
}

bool passtime_gl_api_load(struct passtime_gl_api *api, const passtime_gl_desc *desc,
                          char reason[PASSTIME_GL_REASON_BYTES])
{
    static const char lacks[] = "The loader has no ";
    struct loader loader = {desc, NULL};
    *api = (struct passtime_gl_api){0};
    api->get_string =
        (const unsigned char *(PASSTIME_SYSTEM_CALL *)(unsigned))need(&loader, "glGetString");
    api->get_integer =
        (void(PASSTIME_SYSTEM_CALL *)(unsigned, int *))need(&loader, "glGetIntegerv");
    api->flush = (void(PASSTIME_SYSTEM_CALL *)(void))need(&loader, "glFlush");
    if (loader.missing != NULL) {
        return refuse(reason, lacks, loader.missing);
    }
    if (!check_version(api, reason)) {
        return false;
    }
    load_queries(&loader, api);
    return loader.missing == NULL || refuse(reason, lacks, loader.missing);
}

uint32_t passtime_gl_api_bits(const struct passtime_gl_api *api, unsigned target)
{
    int bits = 0;
    api->get_query(target, PASSTIME_GL_QUERY_COUNTER_BITS, &bits);
    return bits < 0 ? 0 : bits > 64 ? 64 : (uint32_t)bits;
}
