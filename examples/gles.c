/* SPDX-License-Identifier: MIT */
/* OpenGL ES 2.0 in a window, each pass timed; `gles 300` ends after 300 frames and prints a table.
 * cc gles.c $(pkg-config --cflags --libs passtime glfw3 epoxy) */
#include <stdio.h>
#include <stdlib.h>

#include <epoxy/gl.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <passtime/gl.h>

enum { SIDE = 512 }; /* pixels of window and image */
static const char *const vertex_text =
    "attribute vec2 corner; varying vec2 at; void main() { at = corner;"
    "  gl_Position = vec4(at * 2.0 - 1.0, 0.0, 1.0); }";
static const char *const fractal_text =
    "precision highp float; varying vec2 at; uniform float u; void main() {"
    "  vec2 c = 0.79 * vec2(cos(2.6 + 0.1 * u), sin(2.6 + 0.1 * u)), z = 3.0 * at - 1.5;"
    "  float n = 0.0; for (int i = 0; i < 64; i++, n += dot(z, z) < 4.0 ? 1.0 : 0.0)"
    "    z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c; gl_FragColor = vec4(n / 64.0); }";
static const char *const light_text =
    "precision highp float; varying vec2 at; uniform float u; uniform sampler2D image;"
    "void main() { float h = texture2D(image, at).r, x = texture2D(image, at + u).r - h;"
    "  gl_FragColor = vec4(mix(vec3(0.1, 0.1, 0.3), vec3(1.0, 0.7, 0.2), h) + 2.0 * x, 1.0); }";

struct app {
    GLuint fractal, light, image, target;
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
    glBindAttribLocation(program, 0, "corner");
    glLinkProgram(program);
    return program;
}

static void make_app(struct app *app)
{
    static const float corners[] = {0, 0, 2, 0, 0, 2};
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(0);
    app->fractal = make_program(fractal_text);
    app->light = make_program(light_text);
    glGenTextures(1, &app->image);
    glBindTexture(GL_TEXTURE_2D, app->image);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, SIDE, SIDE, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
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
    draw(rec, "fractal", app->fractal, app->target, time);
    draw(rec, "light", app->light, 0, 0.004f);
    passtime_end(rec);
}

/* The self-check's work: the same draw, so many times. Without a recorder nothing is timed. */
static void draw_parts(void *user, uint32_t parts)
{
    const struct app *app = user;
    while (parts-- > 0) {
        draw(NULL, "", app->fractal, app->target, 0);
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
    glfwWindowHint(GLFW_CLIENT_API, GLFW_OPENGL_ES_API);
    glfwWindowHint(GLFW_CONTEXT_CREATION_API, GLFW_EGL_CONTEXT_API);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 2);
    GLFWwindow *window = glfwCreateWindow(SIDE, SIDE, "Passtime and OpenGL ES", NULL, NULL);
    if (window == NULL) {
        fprintf(stderr, "gles: no window with OpenGL ES 2.0; is there a display?\n");
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
