/* SPDX-License-Identifier: MIT */
/*
 * A browser that is none: it speaks the debugging pipe on descriptors 3 and 4 as its flag
 * --fake=MODE says, well or badly. What it does badly comes at a fixed place, so that a test knows
 * what to expect.
 */
#define _POSIX_C_SOURCE 200809L

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

enum { BUFFER_BYTES = 1 << 20 };

struct fake {
    const char *mode;
    char binding[128];
    long navigations;
};

static bool is(const struct fake *fake, const char *mode)
{
    return strcmp(fake->mode, mode) == 0;
}

static void put_bytes(const char *bytes, size_t count)
{
    while (count > 0) {
        const ssize_t done = write(4, bytes, count);
        if (done <= 0)
            exit(0);
        bytes += done;
        count -= (size_t)done;
    }
}

static void put_text(const char *text)
{
    put_bytes(text, strlen(text) + 1);
}

static void put(json_t *message)
{
    char *text = json_dumps(message, JSON_COMPACT);
    if (!text)
        exit(9);
    put_text(text);
    free(text);
    json_decref(message);
}

static void event(const char *method, json_t *params)
{
    put(json_pack("{s:s,s:s,s:o}", "method", method, "sessionId", "S1", "params", params));
}

static void payload(const struct fake *fake, const char *text)
{
    event("Runtime.bindingCalled", json_pack("{s:s,s:s,s:i}", "name", fake->binding, "payload",
                                             text, "executionContextId", 1));
}

static void context(int number, const char *frame)
{
    event("Runtime.executionContextCreated",
          json_pack("{s:{s:i,s:s,s:{s:b,s:s}}}", "context", "id", number, "origin",
                    "http://fake.test", "auxData", "isDefault", 1, "frameId", frame));
}

static void document(const char *url)
{
    event("Page.frameNavigated", json_pack("{s:{s:s,s:s}}", "frame", "id", "T1", "url", url));
    context(1, "T1");
}

/* Children in sessions of their own that ignore what asks them to end; their numbers go to a file.
 */
static void leave_children(void)
{
    const char *path = getenv("FAKE_CHILDREN");
    FILE *file = path ? fopen(path, "w") : NULL;
    for (int i = 0; i < 3 && file; i++) {
        const pid_t child = fork();
        if (child == 0) {
            (void)setsid();
            (void)signal(SIGTERM, SIG_IGN);
            (void)signal(SIGHUP, SIG_IGN);
            /* The parent in between ends, so that this one is nobody's child. */
            if (fork() > 0)
                _exit(0);
            fprintf(file, "%ld\n", (long)getpid());
            (void)fflush(file);
            for (;;)
                (void)pause();
        }
    }
    if (file)
        (void)fclose(file);
    (void)sleep(1);
}

static void navigated(struct fake *fake, const char *url)
{
    static const char *const many = "abcdefghijklmnopqrstuvwxyz";
    fake->navigations++;
    if (is(fake, "nocommit"))
        return;
    document(url);
    if (is(fake, "unhooked"))
        return;
    payload(fake, "[{\"k\":\"hello\"}]");
    if (is(fake, "die"))
        (void)raise(SIGKILL);
    if (is(fake, "closed")) {
        (void)close(4);
        for (;;)
            (void)pause();
    }
    if (is(fake, "crash"))
        event("Inspector.targetCrashed", json_object());
    if (is(fake, "detach"))
        put(json_pack("{s:s,s:{s:s}}", "method", "Target.detachedFromTarget", "params", "sessionId",
                      "S1"));
    if (is(fake, "dialog"))
        event("Page.javascriptDialogOpening",
              json_pack("{s:s,s:s,s:s}", "type", "confirm", "message", "Sure?", "url", url));
    if (is(fake, "surrogate"))
        put_text(
            "{\"method\":\"Runtime.consoleAPICalled\",\"sessionId\":\"S1\",\"params\":{\"type\":"
            "\"error\",\"args\":[{\"type\":\"string\",\"value\":\"a\\ud800b\\u0000c\"}]}}");
    if (is(fake, "contexts")) {
        for (int i = 0; i < 6000; i++)
            context(i + 2, many + i % 26);
    }
    if (is(fake, "reload")) {
        event("Runtime.executionContextsCleared", json_object());
        document(url);
        payload(fake, "[]");
    }
    if (is(fake, "gpu"))
        fprintf(stderr, "[1:ERROR:gpu_process_host.cc(1)] GPU process exited unexpectedly: "
                        "exit_code=9\n");
    if (!is(fake, "noload") && !is(fake, "dialog"))
        event("Page.loadEventFired", json_pack("{s:f}", "timestamp", 1.0));
}

static void attach(const struct fake *fake)
{
    json_t *params =
        json_pack("{s:s,s:b,s:{s:s,s:s,s:s}}", "sessionId", "S1", "waitingForDebugger", 0,
                  "targetInfo", "targetId", "T1", "type", "page", "url", "about:blank");
    if (is(fake, "ids"))
        put_text("{\"method\":\"Target.attachedToTarget\",\"params\":{\"sessionId\":17}}");
    put(json_pack("{s:s,s:o}", "method", "Target.attachedToTarget", "params", params));
}

static json_t *result_of(const struct fake *fake, const char *method, const json_t *params)
{
    const char *expression = json_string_value(json_object_get(params, "expression"));
    if (strcmp(method, "Browser.getVersion") == 0)
        return json_pack("{s:s}", "product", "Fake/1.0");
    if (strcmp(method, "Page.navigate") == 0 && is(fake, "refused"))
        return json_pack("{s:s,s:s}", "frameId", "T1", "errorText", "net::ERR_CONNECTION_REFUSED");
    if (strcmp(method, "Page.captureScreenshot") == 0)
        return json_pack("{s:s}", "data", is(fake, "nopicture") ? "!" : "UE5HIQo=");
    if (expression && strstr(expression, "throw"))
        return json_pack("{s:{},s:{s:s,s:{s:s}}}", "result", "exceptionDetails", "text", "Uncaught",
                         "exception", "description", "Error: thrown");
    if (expression && strstr(expression, "querySelector"))
        return json_pack("{s:{s:b}}", "result", "value", !is(fake, "noselector"));
    if (expression)
        return json_pack("{s:{s:i}}", "result", "value", is(fake, "missing") ? 404 : 42);
    return json_object();
}

/* Whole messages whose sense is wrong; the right answer follows each. */
static void bad_answers(void)
{
    put(json_pack("{s:I,s:{}}", "id", (json_int_t)1 << 60, "result"));
    put(json_pack("{s:I,s:{}}", "id", (json_int_t)-1, "result"));
    put(json_pack("{s:s,s:{}}", "id", "seven", "result"));
    put(json_pack("{s:s,s:s,s:n}", "method", "Runtime.bindingCalled", "sessionId", "S9", "params"));
    put(json_pack("{s:s,s:n}", "method", "Target.detachedFromTarget", "params"));
    put(json_pack("{s:i}", "method", 3));
    put_text("[]");
    put_text("true");
    put_text("{\"id\":");
}

static void answer(struct fake *fake, const json_t *message)
{
    const char *method = json_string_value(json_object_get(message, "method"));
    const char *session = json_string_value(json_object_get(message, "sessionId"));
    const json_t *params = json_object_get(message, "params");
    const json_int_t id = json_integer_value(json_object_get(message, "id"));
    if (!method)
        exit(8);
    if (is(fake, "mute") || (is(fake, "stall") && fake->navigations > 0))
        return;
    if (strcmp(method, "Browser.close") == 0) {
        if (is(fake, "stubborn"))
            return;
        exit(0);
    }
    if (is(fake, "ids"))
        bad_answers();
    if (strcmp(method, "Runtime.addBinding") == 0)
        (void)snprintf(fake->binding, sizeof fake->binding, "%s",
                       json_string_value(json_object_get(params, "name")));
    const char *expression = json_string_value(json_object_get(params, "expression"));
    if (expression && strstr(expression, "Symbol.for") && !is(fake, "unhooked"))
        payload(fake, "[{\"k\":\"flushed\"}]");
    json_t *reply =
        is(fake, "refuse") && strcmp(method, "Page.addScriptToEvaluateOnNewDocument") == 0
            ? json_pack("{s:I,s:{s:s}}", "id", id, "error", "message", "not here")
            : json_pack("{s:I,s:o}", "id", id, "result", result_of(fake, method, params));
    if (session)
        (void)json_object_set_new(reply, "sessionId", json_string(session));
    put(reply);
    if (strcmp(method, "Target.setAutoAttach") == 0 && !session)
        attach(fake);
    if (strcmp(method, "Page.navigate") == 0 && !is(fake, "refused"))
        navigated(fake, json_string_value(json_object_get(params, "url")));
    if (strcmp(method, "Page.handleJavaScriptDialog") == 0)
        event("Page.loadEventFired", json_object());
}

static void speak_badly(const struct fake *fake)
{
    if (is(fake, "exit")) {
        fprintf(stderr, "starting\nerror while loading shared libraries: libnothing.so\n");
        exit(7);
    }
    if (is(fake, "garbage")) {
        for (unsigned i = 0; i < 200000; i++) {
            const char byte = (char)(i * 2654435761u >> 24);
            put_bytes(&byte, 1);
        }
        put_bytes("", 1);
    }
    if (is(fake, "half"))
        put_bytes("{\"id\":1,\"result\":{\"prod", 23);
    if (is(fake, "huge")) {
        char *bytes = malloc(BUFFER_BYTES);
        if (!bytes)
            exit(9);
        memset(bytes, 'x', BUFFER_BYTES);
        for (int i = 0; i < 70; i++)
            put_bytes(bytes, BUFFER_BYTES);
        put_bytes("", 1);
        free(bytes);
    }
    if (is(fake, "stubborn")) {
        (void)signal(SIGTERM, SIG_IGN);
        leave_children();
    }
    if (is(fake, "deaf") || is(fake, "half")) {
        for (;;)
            (void)pause();
    }
}

int main(int argc, char **argv)
{
    struct fake fake = {.mode = ""};
    char *buffer = malloc(BUFFER_BYTES);
    size_t used = 0;
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--fake=", 7) == 0)
            fake.mode = argv[i] + 7;
    }
    speak_badly(&fake);
    for (;;) {
        const ssize_t got = buffer ? read(3, buffer + used, BUFFER_BYTES - used) : 0;
        if (got <= 0)
            return is(&fake, "stubborn") ? pause() : 0;
        used += (size_t)got;
        char *end;
        while ((end = memchr(buffer, 0, used)) != NULL) {
            json_t *message = json_loads(buffer, 0, NULL);
            if (!message)
                return 8;
            answer(&fake, message);
            json_decref(message);
            used -= (size_t)(end + 1 - buffer);
            memmove(buffer, end + 1, used);
        }
    }
}
