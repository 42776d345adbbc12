/* SPDX-License-Identifier: MIT */
/* What the page driver reads from outside, as bytes: messages of the browser, requests to the file
 * server. */
#include "page/cdp.h"
#include "page/http.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct gathered {
    char text[512];
    unsigned count;
};

static void gather(void *user, char *text, size_t length)
{
    struct gathered *gathered = user;
    assert_int_equal(strlen(text), length);
    strncat(gathered->text, text, sizeof gathered->text - strlen(gathered->text) - 2);
    strcat(gathered->text, "|");
    gathered->count++;
}

static void test_messages_in_any_pieces(void **state)
{
    static const char bytes[] = "one\0two\0\0three\0rest";
    (void)state;
    for (size_t piece = 1; piece < sizeof bytes; piece++) {
        struct passtime_frames frames = {.limit = 64};
        struct gathered gathered = {.count = 0};
        for (size_t at = 0; at < sizeof bytes - 1; at += piece) {
            const size_t left = sizeof bytes - 1 - at;
            passtime_frames_take(&frames, bytes + at, left < piece ? left : piece, gather,
                                 &gathered);
        }
        assert_string_equal(gathered.text, "one|two|three|");
        assert_int_equal(frames.used, 4);
        assert_int_equal(frames.left_out, 0);
        passtime_frames_finish(&frames);
    }
}

static void test_a_long_message_is_left_out(void **state)
{
    struct passtime_frames frames = {.limit = 8};
    struct gathered gathered = {.count = 0};
    (void)state;
    for (int i = 0; i < 100; i++)
        passtime_frames_take(&frames, "xyz", 3, gather, &gathered);
    passtime_frames_take(&frames, "\0short\0", 7, gather, &gathered);
    passtime_frames_take(&frames, "12345678\0", 9, gather, &gathered);
    passtime_frames_take(&frames, "123456789\0", 10, gather, &gathered);
    assert_string_equal(gathered.text, "short|12345678|");
    assert_int_equal(frames.left_out, 2);
    assert_true(frames.capacity <= 4096);
    passtime_frames_finish(&frames);
}

static void test_halves_of_pairs(void **state)
{
    static const char *const cases[][2] = {
        {"\\ud83d\\ude00", "\\ud83d\\ude00"},
        {"\\ud83d", "\\ufffd"},
        {"\\uDE00x", "\\ufffdx"},
        {"\\ud83d\\ud83d\\ude00", "\\ufffd\\ud83d\\ude00"},
        {"\\\\ud83d", "\\\\ud83d"},
        {"\\\\\\ud83d", "\\\\\\ufffd"},
        {"\\ud83", "\\ud83"},
        {"\\u", "\\u"},
        {"\\", "\\"},
        {"\\ud83d\\u0041", "\\ufffd\\u0041"},
        {"\\ud83d\\ud", "\\ufffd\\ud"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        /* Memory of just that size, so that a read beyond it is seen. */
        const size_t length = strlen(cases[i][0]);
        char *text = malloc(length);
        assert_non_null(text);
        memcpy(text, cases[i][0], length);
        passtime_frames_mend(text, length);
        assert_memory_equal(text, cases[i][1], length);
        free(text);
    }
}

struct told {
    unsigned replies;
    unsigned failures;
    unsigned late;
    unsigned events;
    uint64_t tag;
    char error[64];
    char session[CDP_ID_BYTES];
};

static void on_reply(void *user, const struct cdp_reply *reply)
{
    struct told *told = user;
    told->replies++;
    told->failures += reply->result == NULL;
    told->late += reply->timed_out;
    told->tag = reply->tag;
    /* Either a result or a reason, never both. */
    assert_true((reply->result == NULL) == (reply->error != NULL));
    (void)snprintf(told->error, sizeof told->error, "%s", reply->error ? reply->error : "");
}

static void on_event(void *user, const char *session, const char *method, const json_t *params)
{
    struct told *told = user;
    told->events++;
    assert_non_null(method);
    (void)params;
    (void)snprintf(told->session, sizeof told->session, "%s", session);
}

static void give(struct passtime_cdp *cdp, const char *text)
{
    passtime_cdp_take(cdp, text, strlen(text) + 1);
}

static void ask(struct passtime_cdp *cdp, const char *session, uint64_t tag, uint64_t deadline_ns)
{
    const struct cdp_command command = {.session = session,
                                        .method = "Some.command",
                                        .params = json_pack("{s:s}", "text", "\"x\""),
                                        .on_reply = on_reply,
                                        .tag = tag,
                                        .deadline_ns = deadline_ns};
    passtime_cdp_send(cdp, &command);
}

static void test_replies_find_their_way(void **state)
{
    struct told told = {.replies = 0};
    struct passtime_cdp cdp;
    size_t count;
    (void)state;
    passtime_cdp_init(&cdp, &told, on_event);
    ask(&cdp, "A", 11, 100);
    ask(&cdp, NULL, 12, 200);
    ask(&cdp, "B", 13, 300);
    ask(&cdp, "B", 14, 400);
    assert_string_equal(passtime_cdp_waiting(&cdp, &count),
                        "{\"id\":1,\"method\":\"Some.command\",\"params\":{\"text\":\"\\\"x\\\"\"},"
                        "\"sessionId\":\"A\"}");
    passtime_cdp_written(&cdp, count);
    assert_null(passtime_cdp_waiting(&cdp, &count));
    give(&cdp, "{\"id\":2,\"result\":{}}");
    assert_int_equal(told.tag, 12);
    give(&cdp, "{\"id\":2,\"result\":{}}");
    assert_int_equal(told.replies, 1);
    give(&cdp, "{\"id\":1,\"result\":{},\"sessionId\":\"B\"}");
    assert_string_equal(told.error, "an answer that makes no sense");
    give(&cdp, "{\"id\":3,\"sessionId\":\"B\",\"error\":{\"message\":\"no\"}}");
    assert_string_equal(told.error, "no");
    passtime_cdp_expire(&cdp, 399);
    assert_int_equal(told.replies, 3);
    passtime_cdp_expire(&cdp, 400);
    assert_int_equal(told.late, 1);
    ask(&cdp, "C", 15, 1000);
    ask(&cdp, "D", 16, 1000);
    passtime_cdp_drop(&cdp, "C", "gone");
    assert_int_equal(told.tag, 15);
    passtime_cdp_drop(&cdp, NULL, "over");
    assert_int_equal(told.tag, 16);
    assert_int_equal(told.replies, 6);
    assert_int_equal(cdp.bad_messages, 0);
    passtime_cdp_finish(&cdp);
}

static void test_messages_without_sense(void **state)
{
    static const char *const bad[] = {"[]",
                                      "1",
                                      "{",
                                      "null",
                                      "{\"id\":\"1\"}",
                                      "{\"method\":1}",
                                      "\xff\xfe",
                                      "{}{}",
                                      "{\"id\":1.5}",
                                      "{\"params\":{}}"};
    struct told told = {.replies = 0};
    struct passtime_cdp cdp;
    (void)state;
    passtime_cdp_init(&cdp, &told, on_event);
    ask(&cdp, NULL, 1, 100);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        give(&cdp, bad[i]);
        assert_int_equal(cdp.bad_messages, i + 1);
    }
    assert_int_equal(told.replies + told.events, 0);
    give(&cdp, "{\"method\":\"A.b\",\"sessionId\":\"S\"}");
    assert_int_equal(told.events, 1);
    assert_string_equal(told.session, "S");
    give(&cdp, "{\"id\":1,\"result\":3}");
    assert_int_equal(told.failures, 1);
    passtime_cdp_finish(&cdp);
}

static enum http_verdict read_target(const char *target, struct http_request *request)
{
    char text[4096];
    (void)snprintf(text, sizeof text, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:80\r\n\r\n", target);
    return passtime_http_read(text, strlen(text), 80, request);
}

static void test_paths(void **state)
{
    static const struct {
        const char *target;
        enum http_verdict verdict;
        const char *path;
        bool folder;
    } cases[] = {
        {"/", HTTP_OK, "", true},
        {"/a.html", HTTP_OK, "a.html", false},
        {"/a/b/", HTTP_OK, "a/b", true},
        {"//a///b", HTTP_OK, "a/b", false},
        {"/a?x=/../..", HTTP_OK, "a", false},
        {"/a%20b%C3%A9", HTTP_OK, "a b\xc3\xa9", false},
        {"/..", HTTP_HIDDEN, NULL, false},
        {"/a/../../etc/passwd", HTTP_HIDDEN, NULL, false},
        {"/%2e%2e/x", HTTP_HIDDEN, NULL, false},
        {"/.git/config", HTTP_HIDDEN, NULL, false},
        {"/a/%2Egit", HTTP_HIDDEN, NULL, false},
        {"/a%2f..%2f..", HTTP_BAD, NULL, false},
        {"/..%5c", HTTP_BAD, NULL, false},
        {"/a%5c..", HTTP_BAD, NULL, false},
        {"/a%00b", HTTP_BAD, NULL, false},
        {"/a%0d%0aX:y", HTTP_BAD, NULL, false},
        {"/%", HTTP_BAD, NULL, false},
        {"/%4", HTTP_BAD, NULL, false},
        {"/%zz", HTTP_BAD, NULL, false},
        {"a", HTTP_BAD, NULL, false},
        {"http://127.0.0.1:80/a", HTTP_BAD, NULL, false},
        {"*", HTTP_BAD, NULL, false},
    };
    struct http_request request;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const enum http_verdict verdict = read_target(cases[i].target, &request);
        if (verdict != cases[i].verdict)
            fail_msg("%s: verdict %d", cases[i].target, (int)verdict);
        if (verdict != HTTP_OK)
            continue;
        assert_string_equal(request.path, cases[i].path);
        assert_int_equal(request.folder, cases[i].folder);
    }
    char longest[4000] = "/";
    memset(longest + 1, 'a', sizeof longest - 2);
    assert_int_equal(read_target(longest, &request), HTTP_BAD);
}

static void test_requests(void **state)
{
    static const struct {
        const char *text;
        enum http_verdict verdict;
    } cases[] = {
        {"", HTTP_INCOMPLETE},
        {"GET / HTTP/1.1\r\nHost: 127.0.0.1:80\r\n", HTTP_INCOMPLETE},
        {"GET / HTTP/1.1\r\nHost: 127.0.0.1:80\r\n\r\n", HTTP_OK},
        {"GET / HTTP/1.1\r\nX: y\r\nhOsT:localhost:80 \r\n\r\n", HTTP_OK},
        {"HEAD / HTTP/1.0\r\nHost: 127.0.0.1:80\r\n\r\n", HTTP_OK},
        {"GET / HTTP/1.1\r\nHost: evil.example:80\r\n\r\n", HTTP_NOT_OURS},
        {"GET / HTTP/1.1\r\nHost: 127.0.0.1:81\r\n\r\n", HTTP_NOT_OURS},
        {"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", HTTP_NOT_OURS},
        {"GET / HTTP/1.1\r\n\r\n", HTTP_NOT_OURS},
        {"GET / HTTP/1.1\r\nHost: 127.0.0.1:80\r\nHost: x\r\n\r\n", HTTP_NOT_OURS},
        {"POST / HTTP/1.1\r\nHost: 127.0.0.1:80\r\n\r\n", HTTP_NOT_ALLOWED},
        {"GET /\r\n\r\n", HTTP_BAD},
        {"GET / HTTP/2.0\r\nHost: 127.0.0.1:80\r\n\r\n", HTTP_BAD},
        {"GET / x HTTP/1.1\r\nHost: 127.0.0.1:80\r\n\r\n", HTTP_BAD},
        {"\r\n\r\n", HTTP_BAD},
    };
    struct http_request request;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const enum http_verdict verdict =
            passtime_http_read(cases[i].text, strlen(cases[i].text), 80, &request);
        if (verdict != cases[i].verdict)
            fail_msg("request %zu: verdict %d", i, (int)verdict);
    }
    char *large = malloc(HTTP_REQUEST_BYTES_MAX);
    assert_non_null(large);
    memset(large, 'a', HTTP_REQUEST_BYTES_MAX);
    assert_int_equal(passtime_http_read(large, HTTP_REQUEST_BYTES_MAX, 80, &request),
                     HTTP_TOO_LARGE);
    assert_int_equal(passtime_http_read(large, HTTP_REQUEST_BYTES_MAX - 1, 80, &request),
                     HTTP_INCOMPLETE);
    large[5] = '\0';
    assert_int_equal(passtime_http_read(large, 100, 80, &request), HTTP_BAD);
    free(large);
}

static void test_types(void **state)
{
    (void)state;
    assert_string_equal(passtime_http_type("a/b.HTML"), "text/html; charset=utf-8");
    assert_string_equal(passtime_http_type("x.mjs"), "text/javascript; charset=utf-8");
    assert_string_equal(passtime_http_type("x.wasm"), "application/wasm");
    assert_string_equal(passtime_http_type("x.tar.json"), "application/json");
    assert_string_equal(passtime_http_type("x.css/readme"), "application/octet-stream");
    assert_string_equal(passtime_http_type("x."), "application/octet-stream");
    assert_string_equal(passtime_http_type(""), "application/octet-stream");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_messages_in_any_pieces),
        cmocka_unit_test(test_a_long_message_is_left_out),
        cmocka_unit_test(test_halves_of_pairs),
        cmocka_unit_test(test_replies_find_their_way),
        cmocka_unit_test(test_messages_without_sense),
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_requests),
        cmocka_unit_test(test_types),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
