/* SPDX-License-Identifier: MIT */
/*
 * A page in a browser of our own: started over the debugging pipe, with a script that runs before
 * any of the page's, in the page, its frames and its workers. What that script says comes back by
 * on_payload.
 *
 * One thread drives it all: every function here is called from the thread that called
 * passtime_page_start, and the handlers are called from within passtime_page_step, _flush, _eval,
 * _screenshot and _start on it. A handler may call none of these functions. Texts that a handler
 * is given are valid until it returns. Texts end with NUL and are UTF-8; those of fixed size are
 * cut where they do not fit.
 */
#ifndef PASSTIME_PAGE_PAGE_H
#define PASSTIME_PAGE_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PASSTIME_PAGE_TEXT_BYTES = 512, PASSTIME_PAGE_URL_BYTES = 1024 };

struct passtime_page;

/* How times are asked of the browser. */
enum passtime_page_resolution {
    PASSTIME_PAGE_FINE = 0, /* full resolution, by a flag that users' browsers do not have */
    PASSTIME_PAGE_STOCK = 1 /* as users' browsers measure: quantized */
};

/* All of it is copied; zeros are the defaults. */
struct passtime_page_options {
    const char *target;  /* a URL, a path of an .html file, or of a folder with index.html */
    const char *browser; /* a path or a name on the PATH; NULL: the first Chromium found there */
    const char *const *flags; /* more of the browser's flags, as "--name=value"; they come last */
    uint32_t flag_count;
    const char *profile; /* a folder that is kept; NULL: a fresh one, removed at the end */
    bool headed;         /* with a window */
    bool software;       /* the software adapter; chosen and said where there is no GPU, too */
    enum passtime_page_resolution resolution;
    const char *wait_selector; /* the page is ready once this CSS selector matches; NULL: at once */
    const char *eval;          /* JavaScript, run once the page is ready (a promise is awaited) */
    const char *script;        /* an expression: a function that takes the config; NULL: ours */
    const char *config;        /* more members of the config, as "\"maxPasses\":1024"; or NULL */
    uint32_t load_timeout_ms;  /* the page neither loads nor matches for so long: said, and the run
                                  goes on; 0: 30,000 */
    uint32_t
        command_timeout_ms; /* the browser answers nothing for so long: it is ended; 0: 30,000 */
};

enum passtime_page_realm_kind {
    PASSTIME_PAGE_REALM_PAGE = 0,
    PASSTIME_PAGE_REALM_FRAME = 1,
    PASSTIME_PAGE_REALM_WORKER = 2,
    PASSTIME_PAGE_REALM_SHARED_WORKER = 3,
    PASSTIME_PAGE_REALM_SERVICE_WORKER = 4
};

enum passtime_page_realm_state {
    PASSTIME_PAGE_REALM_NEW = 0,        /* seen; its script has not spoken yet */
    PASSTIME_PAGE_REALM_HOOKED = 1,     /* its script has spoken */
    PASSTIME_PAGE_REALM_NOT_HOOKED = 2, /* the script could not run there: `text` says why */
    PASSTIME_PAGE_REALM_CRASHED = 3     /* its process ended by itself */
};

/* A document or worker: one global object. It stays in place, at the same address, until
 * passtime_page_end. */
struct passtime_page_realm {
    uint32_t id; /* from 1; never used again within a run */
    enum passtime_page_realm_kind kind;
    enum passtime_page_realm_state state;
    bool ended; /* navigated away, closed or crashed */
    bool main;  /* the page itself: after a navigation, the newest of these */
    uint64_t payloads;
    char url[PASSTIME_PAGE_URL_BYTES];
    char text[PASSTIME_PAGE_TEXT_BYTES]; /* why, where there is something to say */
};

enum passtime_page_level {
    PASSTIME_PAGE_LOG = 0, /* log, info, debug, … */
    PASSTIME_PAGE_WARNING = 1,
    PASSTIME_PAGE_ERROR = 2, /* console.error, and what the browser itself reports as an error */
    PASSTIME_PAGE_EXCEPTION = 3, /* uncaught; a rejection that nobody handled */
    PASSTIME_PAGE_DIALOG = 4     /* alert, confirm, prompt, beforeunload: dismissed */
};

struct passtime_page_console {
    enum passtime_page_level level;
    const char *text;
    const char *url; /* where; "" where unknown */
    uint32_t line;   /* from 1; 0: unknown */
};

/* Each may be NULL. */
struct passtime_page_handlers {
    void *user;
    /* The script called its binding with this text, an array of messages that nobody has checked:
     * a page can forge it. `bytes` is without the NUL that follows. */
    void (*on_payload)(void *user, const struct passtime_page_realm *realm, const char *json,
                       size_t bytes);
    /* A realm is new, or its state, its URL or `ended` changed. */
    void (*on_realm)(void *user, const struct passtime_page_realm *realm);
    void (*on_console)(void *user, const struct passtime_page_console *console);
    /* The page's main document is another one now: the first, a reload, a link. */
    void (*on_navigated)(void *user, const char *url);
    /* Something that the user should know, once: the sandbox is off, the software adapter was
     * chosen, the page does not end loading, the GPU process crashed. */
    void (*on_note)(void *user, const char *text);
};

enum passtime_page_state {
    PASSTIME_PAGE_LOADING = 0, /* the page loads, or its selector does not match yet */
    PASSTIME_PAGE_READY = 1,   /* loaded (or given up waiting for that, which is said) */
    PASSTIME_PAGE_ENDED = 2    /* no browser or page is left: `ended_text` says why */
};

/* What is known of the run so far. */
struct passtime_page_info {
    enum passtime_page_state state;
    bool software; /* the flags ask for the software adapter */
    bool sandbox;  /* the browser's sandbox is on */
    enum passtime_page_resolution resolution;
    bool loaded;          /* the load event came; else READY is by timeout */
    bool eval_failed;     /* options.eval threw or did not end; a note says how */
    uint64_t navigations; /* of the page itself, the first not counted */
    uint64_t console_errors;
    uint64_t exceptions;
    uint64_t dialogs;
    uint64_t page_crashes;
    uint64_t gpu_crashes;     /* as far as the browser tells */
    uint64_t bad_messages;    /* from the browser: not understood, or too large, and left out */
    uint64_t realms_left_out; /* beyond the limit of realms a run */
    int32_t browser_process;  /* its number; 0: none */
    char product[128];        /* as "Chrome/156.0.8078.108" */
    char executable[PASSTIME_PAGE_URL_BYTES];
    char url[PASSTIME_PAGE_URL_BYTES]; /* what is navigated to: of a path, the served one */
    char ended_text[PASSTIME_PAGE_TEXT_BYTES];
};

enum passtime_page_result {
    PASSTIME_PAGE_OK = 0,
    PASSTIME_PAGE_WRONG_USE = 1,  /* no such file, not a URL, no such browser file */
    PASSTIME_PAGE_NO_BROWSER = 2, /* none found, or it is not a Chromium or does not start */
    PASSTIME_PAGE_FAILED = 3      /* anything else: memory, temporary files, the page is gone */
};

/* Starts the browser, prepares it and navigates; returns before the page has loaded. On a failure
 * *page is NULL, nothing is left behind, and `error` holds a sentence: what is wrong, and what to
 * do. `handlers` is copied. Takes about a second; never longer than the command timeout, twice. */
enum passtime_page_result passtime_page_start(const struct passtime_page_options *options,
                                              const struct passtime_page_handlers *handlers,
                                              struct passtime_page **page, char *error,
                                              size_t error_bytes);

/* Waits at most so long for something to come, handles all that is there, and says the state.
 * Returns early once something came. Ended stays ended. Where interrupts are held (port/process.h)
 * it returns within 50 ms of one. */
enum passtime_page_state passtime_page_step(struct passtime_page *page, uint32_t timeout_ms);

const struct passtime_page_info *passtime_page_info(const struct passtime_page *page);

/* The realms so far, in the order of their numbers; NULL beyond the last. */
const struct passtime_page_realm *passtime_page_realm_at(const struct passtime_page *page,
                                                         uint32_t index);

/* Has every living realm send what it holds, and waits for it, at most so long. False: some did not
 * answer (a busy loop, a dialog); what came was delivered. */
bool passtime_page_flush(struct passtime_page *page, uint32_t timeout_ms);

/* Runs JavaScript in the page's main document and awaits a promise. Its value, as JSON, is in
 * `value` (cut where it does not fit); on a failure the reason is. */
enum passtime_page_result passtime_page_eval(struct passtime_page *page, const char *expression,
                                             uint32_t timeout_ms, char *value, size_t value_bytes);

/* Writes a picture of the page as a PNG file. WRONG_USE: the file can't be written. */
enum passtime_page_result passtime_page_screenshot(struct passtime_page *page, const char *path,
                                                   uint32_t timeout_ms, char *error,
                                                   size_t error_bytes);

/* Ends the browser and all its processes, and removes the profile. *page is NULL after it. Takes
 * a few seconds at most. NULL and a pointer to NULL are fine. */
void passtime_page_end(struct passtime_page **page);

#endif
