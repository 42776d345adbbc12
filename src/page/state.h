/* SPDX-License-Identifier: MIT */
/* What a run of the page driver consists of, for the files of this folder. */
#ifndef PASSTIME_PAGE_STATE_H
#define PASSTIME_PAGE_STATE_H

#include "page/cdp.h"
#include "page/page.h"
#include "page/serve.h"
#include "port/process.h"

enum {
    PAGE_REALMS_MAX = 4096,
    PAGE_SESSIONS_MAX = 512, /* at a time */
    PAGE_DOCUMENTS = 16,
    PAGE_OUTPUT_BYTES = 4096 /* of what the browser wrote last */
};

/* The browser's targets: what has a debugging session of its own. */
enum page_target {
    PAGE_TARGET_PAGE = 0,
    PAGE_TARGET_FRAME = 1, /* of another site, in a process of its own */
    PAGE_TARGET_WORKER = 2,
    PAGE_TARGET_SHARED_WORKER = 3,
    PAGE_TARGET_SERVICE_WORKER = 4,
    PAGE_TARGET_OTHER = 5 /* worklets, … : let run, not hooked */
};

struct page_session {
    char id[CDP_ID_BYTES];
    char target[CDP_ID_BYTES];
    char url[PASSTIME_PAGE_URL_BYTES];
    enum page_target kind;
    uint32_t number; /* from 1, in the order of attaching */
    bool main;
    bool listening; /* contexts that appear are realms: not so before the main page navigates */
    bool hooked;    /* a worker's script has been run */
    struct passtime_page_realm *realm; /* a worker's */
};

/* A realm, and how the browser names it. */
struct page_realm {
    struct passtime_page_realm shown;
    char session[CDP_ID_BYTES];
    int64_t context; /* the execution context within the session */
    uint64_t seen_ns;
};

/* A document that is on its way: the browser tells of it before its realm. */
struct page_document {
    char frame[CDP_ID_BYTES];
    char url[PASSTIME_PAGE_URL_BYTES];
};

/* What a step of ours waits for. */
struct page_wait {
    uint64_t tag;
    bool done;
    bool failed;
    bool timed_out;
    json_t *result;
    char error[PASSTIME_PAGE_TEXT_BYTES];
};

struct passtime_page {
    struct passtime_page_handlers handlers;
    struct passtime_page_info info;
    struct passtime_process *process;
    struct passtime_serve *serve;
    struct passtime_cdp cdp;
    struct page_session *sessions[PAGE_SESSIONS_MAX];
    uint64_t bad_events; /* understood, but without sense */
    uint32_t session_count;
    uint32_t session_total;
    struct page_realm *realms[PAGE_REALMS_MAX];
    uint32_t realm_count;
    uint32_t realm_total;
    struct page_document documents[PAGE_DOCUMENTS]; /* the latest, in turn */
    uint32_t document_next;
    char binding[48];
    char *script; /* what runs in each realm, its config but for the realm's own members */
    char *config;
    char *wait_selector;
    char *eval;
    uint64_t command_timeout_ns;
    uint64_t load_deadline_ns;
    uint64_t next_look_ns; /* at the selector, and at what else is looked at now and then */
    uint64_t next_beat_ns; /* asks the browser whether it is there */
    uint64_t flushes;      /* asked for so far */
    uint64_t waits;
    uint32_t flushes_open;
    bool flush_failed;
    bool looking;    /* a look at the selector is on its way */
    bool navigating; /* the first navigation has been asked for */
    bool navigated;  /* its document is there */
    bool load_fired;
    bool eval_sent;
    bool eval_done;
    bool matched; /* the selector did */
    bool noted_slow;
    struct page_wait *wait;
    bool answered; /* the browser has, once */
    bool pipe_closed;
    bool output_closed;
    uint64_t closed_ns; /* when the pipe was */
    uint64_t heard_ns;  /* when the browser last said something */
    uint32_t output_used;
    uint32_t output_seen; /* whole lines that have been looked at */
    char output[PAGE_OUTPUT_BYTES + 1];
};

/* sessions.c: targets come and go. */
void passtime_page_attached(struct passtime_page *page, const json_t *params);
void passtime_page_detached(struct passtime_page *page, const json_t *params);
void passtime_page_paused(struct passtime_page *page, struct page_session *session);
struct page_session *passtime_page_session(struct passtime_page *page, const char *id);
struct page_session *passtime_page_main(struct passtime_page *page);
/* Attaches to the children of a session ("": the browser) as they start. */
void passtime_page_auto_attach(struct passtime_page *page, const char *session,
                               cdp_on_reply on_reply, uint64_t tag);
void passtime_page_sessions_free(struct passtime_page *page);

/* realms.c: documents and workers. */
void passtime_page_context_created(struct passtime_page *page, struct page_session *session,
                                   const json_t *params);
/* context: its number, or -1 for all of the session's. */
void passtime_page_context_gone(struct passtime_page *page, const char *session, int64_t context,
                                bool crashed);
void passtime_page_binding_called(struct passtime_page *page, struct page_session *session,
                                  const json_t *params);
struct page_realm *passtime_page_realm_add(struct passtime_page *page,
                                           const struct page_session *session, int64_t context,
                                           enum passtime_page_realm_kind kind, const char *url);
void passtime_page_realm_state(struct passtime_page *page, struct passtime_page_realm *realm,
                               enum passtime_page_realm_state state, const char *text);
/* The URL of a frame's document, which the browser tells before the document's realm. */
void passtime_page_frame_url(struct passtime_page *page, const char *frame, const char *url);
/* Realms whose script has been silent for so long are not hooked. */
void passtime_page_realms_look(struct passtime_page *page, uint64_t silent_ns);
void passtime_page_realms_free(struct passtime_page *page);

/* events.c: what the browser tells. */
void passtime_page_event(void *user, const char *session, const char *method, const json_t *params);

/* browser.c: which one, and how. */
bool passtime_page_find_browser(const struct passtime_page_options *options, char *path,
                                size_t path_bytes, char *error, size_t error_bytes);
enum passtime_page_result passtime_page_start_browser(struct passtime_page *page,
                                                      const struct passtime_page_options *options,
                                                      char *error, size_t error_bytes);
/* The last line of what the browser wrote that looks like a reason, or "". */
const char *passtime_page_output_reason(struct passtime_page *page, char *text, size_t bytes);

/* script.c: what runs in each realm. */
bool passtime_page_script_prepare(struct passtime_page *page,
                                  const struct passtime_page_options *options);
/* For a session's realms; to be freed. NULL: no memory. */
char *passtime_page_script_for(const struct passtime_page *page,
                               const struct page_session *session);

/* page.c */
void passtime_page_say(struct passtime_page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Ends the run with a reason, the first of which stays. */
void passtime_page_over(struct passtime_page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void passtime_page_send(struct passtime_page *page, const char *session, const char *method,
                        json_t *params, cdp_on_reply on_reply, uint64_t tag);
/* The same with a time limit of its own. */
void passtime_page_send_within(struct passtime_page *page, const char *session, const char *method,
                               json_t *params, cdp_on_reply on_reply, uint64_t tag,
                               uint64_t limit_ns);
/* Cuts a text where it does not fit, at a character's boundary. */
void passtime_page_copy_text(char *out, size_t out_bytes, const char *text);

/* pump.c: moves bytes and handles what comes, waiting at most so long. True: the browser said
 * something. */
bool passtime_page_pump(struct passtime_page *page, uint32_t timeout_ms);

/* ready.c: from navigating to ready. */
void passtime_page_navigate(struct passtime_page *page);
void passtime_page_look(struct passtime_page *page, uint64_t now_ns);

#endif
