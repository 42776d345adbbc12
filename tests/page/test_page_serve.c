/* SPDX-License-Identifier: MIT */
/* The file server of the page driver, asked over the loopback address. */
#define _POSIX_C_SOURCE 200809L
#define _XOPEN_SOURCE   700

#include "page/serve.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { LARGE_BYTES = 3000000, ANSWER_BYTES = 4000000, ROUNDS_MAX = 100000 };

/* A folder of files, and one beside it that is not to be reached. */
struct site {
    char base[64];
    char root[96];
    struct passtime_serve *serve;
    uint16_t port;
    char *answer;
};

static void put_file(const char *folder, const char *name, const char *text, size_t bytes)
{
    char path[256];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
}

static void put_folder(const char *folder, const char *name)
{
    char path[256];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(mkdir(path, 0700), 0);
}

static int set_up(void **state)
{
    struct site *site = calloc(1, sizeof *site);
    char *large = malloc(LARGE_BYTES);
    char link_path[128];
    assert_non_null(site);
    assert_non_null(large);
    site->answer = malloc(ANSWER_BYTES);
    assert_non_null(site->answer);
    for (size_t i = 0; i < LARGE_BYTES; i++)
        large[i] = (char)(i * 31 % 251);
    (void)snprintf(site->base, sizeof site->base, "/tmp/passtime_site_XXXXXX");
    assert_non_null(mkdtemp(site->base));
    (void)snprintf(site->root, sizeof site->root, "%s/root", site->base);
    put_folder(site->base, "root");
    put_folder(site->base, "beside");
    put_folder(site->root, "sub");
    put_folder(site->root, ".git");
    put_folder(site->root, "bare");
    put_file(site->base, "beside/secret.txt", "secret", 6);
    put_file(site->root, "index.html", "<p>index", 8);
    put_file(site->root, "sub/index.html", "<p>sub", 6);
    put_file(site->root, "sub/only.js", "1", 1);
    put_file(site->root, "a b.mjs", "export {}", 9);
    put_file(site->root, "empty.css", "", 0);
    put_file(site->root, "large.wasm", large, LARGE_BYTES);
    put_file(site->root, ".git/config", "hidden", 6);
    (void)snprintf(link_path, sizeof link_path, "%s/out", site->root);
    assert_int_equal(symlink("../beside", link_path), 0);
    (void)snprintf(link_path, sizeof link_path, "%s/out.txt", site->root);
    assert_int_equal(symlink("../beside/secret.txt", link_path), 0);
    (void)snprintf(link_path, sizeof link_path, "%s/in.js", site->root);
    assert_int_equal(symlink("sub/only.js", link_path), 0);
    free(large);
    site->serve = passtime_serve_start(site->root, "", &site->port);
    assert_non_null(site->serve);
    *state = site;
    return 0;
}

static int tear_down(void **state)
{
    static const char *const names[] = {
        "root/index.html", "root/sub/index.html", "root/sub/only.js", "root/a b.mjs",
        "root/empty.css",  "root/large.wasm",     "root/.git/config", "root/out",
        "root/out.txt",    "root/in.js",          "beside/secret.txt"};
    static const char *const folders[] = {"root/sub", "root/.git", "root/bare", "root", "beside"};
    struct site *site = *state;
    char path[256];
    passtime_serve_stop(&site->serve);
    assert_null(site->serve);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", site->base, names[i]);
        assert_int_equal(unlink(path), 0);
    }
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", site->base, folders[i]);
        assert_int_equal(rmdir(path), 0);
    }
    assert_int_equal(rmdir(site->base), 0);
    free(site->answer);
    free(site);
    return 0;
}

static int open_connection(const struct site *site)
{
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_port = htons(site->port),
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int connection = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(connection >= 0);
    assert_int_equal(connect(connection, (const struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(fcntl(connection, F_SETFL, O_NONBLOCK), 0);
    return connection;
}

/* Steps the server as the driver does. */
static void step(struct site *site)
{
    struct passtime_poll items[SERVE_CONNECTIONS_MAX + 1];
    const uint32_t count = passtime_serve_wants(site->serve, items);
    assert_true(count <= SERVE_CONNECTIONS_MAX + 1);
    (void)passtime_poll(items, count, 10);
    passtime_serve_step(site->serve);
}

/* Reads until the answer is whole or the connection closed. Returns its bytes. */
static size_t read_answer(struct site *site, int connection, bool until_closed)
{
    size_t used = 0;
    for (int i = 0; i < ROUNDS_MAX; i++) {
        step(site);
        const ptrdiff_t got =
            passtime_read(connection, site->answer + used, ANSWER_BYTES - 1 - used);
        if (got < 0)
            break;
        used += (size_t)got;
        site->answer[used] = '\0';
        const char *length = strstr(site->answer, "Content-Length: ");
        const char *body = strstr(site->answer, "\r\n\r\n");
        if (!until_closed && length && body &&
            used >= (size_t)(body + 4 - site->answer) + strtoul(length + 16, NULL, 10))
            break;
    }
    return used;
}

static const char *ask(struct site *site, const char *method, const char *path)
{
    char request[512];
    const int connection = open_connection(site);
    const int length = snprintf(request, sizeof request,
                                "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nConnection: close\r\n\r\n",
                                method, path, (unsigned)site->port);
    assert_int_equal(write(connection, request, (size_t)length), length);
    (void)read_answer(site, connection, strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0);
    (void)close(connection);
    return site->answer;
}

static bool answers(const char *answer, const char *status, const char *words)
{
    return strncmp(answer, status, strlen(status)) == 0 && strstr(answer, words) != NULL;
}

static void test_files(void **state)
{
    struct site *site = *state;
    assert_true(answers(ask(site, "GET", "/"), "HTTP/1.1 200 OK\r\n", "\r\n\r\n<p>index"));
    assert_true(
        answers(site->answer, "HTTP/1.1 200", "Content-Type: text/html; charset=utf-8\r\n"));
    assert_true(answers(ask(site, "GET", "/index.html?a=b"), "HTTP/1.1 200", "<p>index"));
    assert_true(answers(ask(site, "GET", "/a%20b.mjs"), "HTTP/1.1 200", "text/javascript"));
    assert_true(answers(ask(site, "GET", "/in.js"), "HTTP/1.1 200", "\r\n\r\n1"));
    assert_true(answers(ask(site, "GET", "/empty.css"), "HTTP/1.1 200", "Content-Length: 0\r\n"));
    assert_true(answers(ask(site, "GET", "/sub/"), "HTTP/1.1 200", "<p>sub"));
    assert_true(answers(ask(site, "GET", "/sub"), "HTTP/1.1 301", "Location: /sub/\r\n"));
    assert_true(answers(ask(site, "GET", "/favicon.ico"), "HTTP/1.1 204", ""));
}

static void test_large_file(void **state)
{
    struct site *site = *state;
    char request[128];
    const int connection = open_connection(site);
    (void)snprintf(request, sizeof request,
                   "GET /large.wasm HTTP/1.1\r\nHost: localhost:%u\r\n\r\n", (unsigned)site->port);
    /* Twice on one connection, the second before the first is read. */
    for (int i = 0; i < 2; i++)
        assert_int_equal(write(connection, request, strlen(request)), strlen(request));
    const size_t used = read_answer(site, connection, false);
    const char *body = strstr(site->answer, "\r\n\r\n");
    assert_non_null(body);
    body += 4;
    assert_true(used >= (size_t)(body - site->answer) + LARGE_BYTES);
    for (size_t i = 0; i < LARGE_BYTES; i++)
        assert_int_equal((unsigned char)body[i], i * 31 % 251);
    (void)close(connection);
    /* A client that goes in the middle is no harm. */
    step(site);
    assert_true(answers(ask(site, "GET", "/"), "HTTP/1.1 200", "<p>index"));
}

static void test_head(void **state)
{
    struct site *site = *state;
    const char *answer = ask(site, "HEAD", "/large.wasm");
    assert_true(answers(answer, "HTTP/1.1 200", "Content-Length: 3000000\r\n"));
    assert_string_equal(strstr(answer, "\r\n\r\n"), "\r\n\r\n");
}

static void test_nothing_outside(void **state)
{
    static const char *const paths[] = {"/out.txt",
                                        "/out/secret.txt",
                                        "/out/",
                                        "/../beside/secret.txt",
                                        "/%2e%2e/beside/secret.txt",
                                        "/sub/../../beside/secret.txt",
                                        "/.git/config",
                                        "/none",
                                        "/bare/",
                                        "/index.html/",
                                        "/index.html/x"};
    struct site *site = *state;
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        const char *answer = ask(site, "GET", paths[i]);
        if (!answers(answer, "HTTP/1.1 404", "") || strstr(answer, "secret") ||
            strstr(answer, "hidden"))
            fail_msg("%s: %s", paths[i], answer);
    }
    assert_true(answers(ask(site, "GET", "/x%2f..%2f..%2fbeside"), "HTTP/1.1 400", ""));
    assert_true(answers(ask(site, "POST", "/"), "HTTP/1.1 405", ""));
}

static void test_another_host(void **state)
{
    static const char request[] = "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n";
    struct site *site = *state;
    const int connection = open_connection(site);
    assert_int_equal(write(connection, request, strlen(request)), strlen(request));
    (void)read_answer(site, connection, true);
    (void)close(connection);
    assert_true(answers(site->answer, "HTTP/1.1 421", ""));
}

static void test_many_connections(void **state)
{
    struct site *site = *state;
    int connections[SERVE_CONNECTIONS_MAX + 8];
    const size_t count = sizeof connections / sizeof connections[0];
    for (size_t i = 0; i < count; i++)
        connections[i] = open_connection(site);
    for (int i = 0; i < 10; i++)
        step(site);
    for (size_t i = 0; i < count; i++)
        (void)close(connections[i]);
    assert_true(answers(ask(site, "GET", "/"), "HTTP/1.1 200", "<p>index"));
}

static void test_places(void **state)
{
    struct site *site = *state;
    struct passtime_serve_place place;
    char error[512] = "";
    char path[256];
    char here[PATH_MAX];
    assert_non_null(getcwd(here, sizeof here));
    assert_true(passtime_serve_place(site->root, &place, error, sizeof error));
    assert_string_equal(place.root, site->root);
    assert_string_equal(place.url_path, "/");
    (void)snprintf(path, sizeof path, "%s/sub/index.html", site->root);
    assert_true(passtime_serve_place(path, &place, error, sizeof error));
    assert_string_equal(place.url_path, "/index.html");
    /* The current folder, where it holds the page; then what the page's own folder holds, too. */
    assert_int_equal(chdir(site->root), 0);
    assert_true(passtime_serve_place("sub/index.html", &place, error, sizeof error));
    assert_string_equal(place.root, site->root);
    assert_string_equal(place.url_path, "/sub/index.html");
    assert_int_equal(chdir(here), 0);
    passtime_serve_stop(&site->serve);
    site->serve = passtime_serve_start(place.root, place.second, &site->port);
    assert_non_null(site->serve);
    assert_true(answers(ask(site, "GET", "/only.js"), "HTTP/1.1 200", "\r\n\r\n1"));
    assert_true(answers(ask(site, "GET", "/sub/only.js"), "HTTP/1.1 200", "\r\n\r\n1"));
    assert_true(answers(ask(site, "GET", "/out.txt"), "HTTP/1.1 404", ""));
    static const char *const wrong[] = {"bare", "in.js", "none"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", site->root, wrong[i]);
        assert_false(passtime_serve_place(path, &place, error, sizeof error));
        assert_non_null(strstr(error, wrong[i]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_large_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_head, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_nothing_outside, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_another_host, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_many_connections, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_places, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
