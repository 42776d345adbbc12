/* SPDX-License-Identifier: MIT */
/* OpenGL 3.3 in a window, each pass timed; `gl 300` ends after 300 frames and prints a table.
 * cc gl.c $(pkg-config --cflags --libs passtime glfw3 epoxy) */
#include <stdio.h>
#include <stdlib.h>

#include <epoxy/gl.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <passtime/gl.h>

enum { WIDTH = 480, HEIGHT = 320 };

static const char *const vertex_text =
    "#version 330\nout vec2 at; void main() { at = vec2(gl_VertexID / 2, gl_VertexID % 2) * 2.0;"
    "  gl_Position = vec4(at * 2.0 - 1.0, 0, 1); }";
static const char *const clouds_text =
    "#version 330\nin vec2 at; out vec4 color; uniform float u; void main() {"
    "  vec2 p = at * 3.0; float v = 0.0, a = 0.5; for (int i = 0; i < 6; i++) {"
    "    v += a * sin(p.x + u) * cos(p.y - u); p = mat2(1.6, 1.2, -1.2, 1.6) * p; a *= 0.6; }"
    "  color = vec4(mix(vec3(0.1, 0.25, 0.55), vec3(1.0, 0.9, 0.7), 0.5 + v), 1); }";
static const char *const blur_text =
    "#version 330\nin vec2 at; out vec4 color; uniform float u; uniform sampler2D image;"
    "void main() { color = vec4(0); for (int i = 0; i < 49; i++)"
    "  color += texture(image, clamp(at + u * vec2(i / 7 - 3, i % 7 - 3), 0.01, 0.99)) / 49.0; }";

struct app {
    GLuint clouds, blur, image, target;
};

static GLuint make_program(const char *fragment_text)
{
    const char *texts[] = {vertex_text, fragment_text};
    GLuint program = glCreateProgram();
    for (int i = 0; i < 2; i++) {
        GLuint shader = glCreateShader(i == 0 ? GL_VERTEX_SHADER : GL_FRAGMENT_SHADER);
        glShaderSource(shader, 1, &texts[i], NULL);
        glCompileShader(shader);
        glAttachShader(program, shader);
    }
    glLinkProgram(program);
    return program;
}

static void make_app(struct app *app)
{
    GLuint vertices;
    glGenVertexArrays(1, &vertices);
    glBindVertexArray(vertices);
    app->clouds = make_program(clouds_text);
    app->blur = make_program(blur_text);
    glGenTextures(1, &app->image);
    glBindTexture(GL_TEXTURE_2D, app->image);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, WIDTH, HEIGHT, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glGenFramebuffers(1, &app->target);
    glBindFramebuffer(GL_FRAMEBUFFER, app->target);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, app->image, 0);
}

static void draw(passtime_recorder *rec, const char *name, GLuint program, GLuint target, float u)
{
    passtime_begin(rec, name);
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    glUseProgram(program);
    glUniform1f(glGetUniformLocation(program, "u"), u);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    passtime_end(rec);
}

static void draw_frame(const struct app *app, passtime_recorder *rec, float time)
{
    passtime_begin(rec, "frame"); /* Passes nest. */
    draw(rec, "clouds", app->clouds, app->target, time);
    draw(rec, "blur", app->blur, 0, 0.004f);
    passtime_end(rec);
}

/* The self-check's work: the same draw, so many times. Without a recorder nothing is timed. */
static void draw_parts(void *user, uint32_t parts)
{
    const struct app *app = user;
    while (parts-- > 0) {
        draw(NULL, "", app->clouds, app->target, 0);
    }
}

/* NULL where this context can't time passes: the same code then draws the frames untimed. */
static passtime *make_timer(uint32_t flags)
{
    passtime *t = NULL;
    passtime_gl_desc desc = PASSTIME_GL_DESC_INIT;
    desc.flags = flags;
    desc.get_proc = glfwGetProcAddress;
    passtime_create_gl(&desc, NULL, &t);
    return t;
}

/* Tiled GPUs may need a flush after each stamp for passes to begin and end where they do. */
static passtime_result check(passtime **t, struct app *app)
{
    passtime_gl_info info = {0};
    passtime_result result = passtime_gl_self_check(*t, draw_parts, app);
    passtime_gl_get_info(*t, &info);
    if (result != PASSTIME_UNSUPPORTED || info.boundary != PASSTIME_GL_BOUNDARY_FLUSHED) {
        return result;
    }
    passtime_destroy(t);
    *t = make_timer(PASSTIME_GL_FLUSH_STAMPS);
    return PASSTIME_PENDING;
}

int main(int argc, char **argv)
{
    uint64_t frames = argc > 1 ? strtoull(argv[1], NULL, 10) : UINT64_MAX;
    glfwInit();
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    GLFWwindow *window = glfwCreateWindow(WIDTH, HEIGHT, "Passtime and OpenGL", NULL, NULL);
    if (window == NULL) {
        fprintf(stderr, "gl: no window with OpenGL 3.3; is there a display?\n");
        return 3;
    }
    glfwMakeContextCurrent(window);
    struct app app;
    make_app(&app);
    passtime *t = make_timer(0);
    passtime_result checked = PASSTIME_PENDING;
    for (uint64_t frame = 0; frame < frames && !glfwWindowShouldClose(window); frame++) {
        checked = checked == PASSTIME_PENDING ? check(&t, &app) : checked;
        passtime_recorder *rec = passtime_frame_begin(t, frame);
        draw_frame(&app, rec, (float)glfwGetTime());
        passtime_submitted(rec);
        passtime_frame_end(t, frame);
        glfwSwapBuffers(window);
        glfwPollEvents();
    }
    for (uint32_t i = 0; i < passtime_series_count(t); i++) {
        passtime_series_info s;
        if (passtime_series(t, i, &s) == PASSTIME_OK) {
            printf("%-16s %8.3f ms\n", s.path, s.stats.mean_ns / 1e6);
        }
    }
    printf("boundaries %s\n", checked == PASSTIME_OK ? "verified" : "not verified");
    passtime_destroy(&t);
    glfwTerminate();
    return 0;
}
