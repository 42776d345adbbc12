/* SPDX-License-Identifier: MIT */
/* EGL devices and contexts without a window. */
#include "cli/egl.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <epoxy/egl.h>
#include <epoxy/gl.h>

enum { DEVICES_MAX = 16, ERRORS_TAKEN_MAX = 64 };

struct gl_place {
    EGLDeviceEXT device; /* EGL_NO_DEVICE_EXT: the surfaceless platform */
    EGLDisplay display;  /* EGL_NO_DISPLAY until it is first used */
    char name[64];
    bool software;
};

struct gl_system {
    uint32_t count;
    struct gl_place places[DEVICES_MAX];
};

struct gl_window {
    EGLDisplay display;
    EGLContext context;
    EGLSurface surface; /* EGL_NO_SURFACE where contexts need none */
};

const char *gl_api_name(enum gl_api api)
{
    return api == GL_API_ES ? "gles" : "gl";
}

gl_function gl_loader(const char *name)
{
    return eglGetProcAddress(name);
}

void *gl_current(void *user)
{
    (void)user;
    return eglGetCurrentContext();
}

static bool has_extension(const char *list, const char *name)
{
    return list && epoxy_extension_in_string(list, name);
}

/* What the device says about itself without being opened. */
static void describe_device(struct gl_place *place)
{
    const char *extensions = eglQueryDeviceStringEXT(place->device, EGL_EXTENSIONS);
    const char *file = NULL;
    if (has_extension(extensions, "EGL_EXT_device_drm"))
        file = eglQueryDeviceStringEXT(place->device, EGL_DRM_DEVICE_FILE_EXT);
    place->software = has_extension(extensions, "EGL_MESA_device_software");
    snprintf(place->name, sizeof place->name, "%s",
             file              ? file
             : place->software ? "software"
                               : "EGL device");
}

static void add_devices(struct gl_system *system, const EGLDeviceEXT *devices, EGLint count,
                        bool software)
{
    for (EGLint i = 0; i < count && system->count < DEVICES_MAX; i++) {
        struct gl_place place = {.device = devices[i], .display = EGL_NO_DISPLAY};
        describe_device(&place);
        if (place.software == software)
            system->places[system->count++] = place;
    }
}

static void list_places(struct gl_system *system)
{
    const char *client = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    EGLDeviceEXT devices[DEVICES_MAX];
    EGLint count = 0;
    bool lists = has_extension(client, "EGL_EXT_device_base") ||
                 has_extension(client, "EGL_EXT_device_enumeration");
    if (lists && has_extension(client, "EGL_EXT_platform_device") &&
        eglQueryDevicesEXT(DEVICES_MAX, devices, &count)) {
        add_devices(system, devices, count, false);
        add_devices(system, devices, count, true);
    }
    if (system->count == 0 && has_extension(client, "EGL_MESA_platform_surfaceless"))
        system->places[system->count++] =
            (struct gl_place){.device = EGL_NO_DEVICE_EXT, .name = "surfaceless"};
}

struct gl_system *gl_system_open(char *error, size_t error_bytes)
{
    struct gl_system *system = calloc(1, sizeof *system);
    if (!system) {
        snprintf(error, error_bytes, "out of memory while listing the EGL devices");
        return NULL;
    }
    bool there = epoxy_has_egl();
    if (there)
        list_places(system);
    if (system->count > 0)
        return system;
    snprintf(error, error_bytes,
             "no EGL device found: %s; install a driver (Debian: apt install libegl1 libgles2 "
             "libgl1-mesa-dri, which also renders without a GPU)",
             there ? "EGL is here and no OpenGL driver answers" : "the library libEGL is missing");
    free(system);
    return NULL;
}

void gl_system_close(struct gl_system *system)
{
    if (!system)
        return;
    for (uint32_t i = 0; i < system->count; i++) {
        if (system->places[i].display != EGL_NO_DISPLAY)
            eglTerminate(system->places[i].display);
    }
    free(system);
}

uint32_t gl_system_count(const struct gl_system *system)
{
    return system->count;
}

const char *gl_system_name(const struct gl_system *system, uint32_t index)
{
    return system->places[index].name;
}

bool gl_system_is_software(const struct gl_system *system, uint32_t index)
{
    return system->places[index].software;
}

static bool open_display(struct gl_place *place, char *error, size_t error_bytes)
{
    if (place->display != EGL_NO_DISPLAY)
        return true;
    EGLDisplay display =
        place->device == EGL_NO_DEVICE_EXT
            ? eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, NULL, NULL)
            : eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, place->device, NULL);
    if (display != EGL_NO_DISPLAY && eglInitialize(display, NULL, NULL)) {
        place->display = display;
        return true;
    }
    snprintf(error, error_bytes, "the EGL device \"%s\" can't be opened (EGL error 0x%04x)",
             place->name, (unsigned)eglGetError());
    return false;
}

static EGLConfig choose_config(EGLDisplay display, enum gl_api api)
{
    const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                             api == GL_API_ES ? EGL_OPENGL_ES2_BIT : EGL_OPENGL_BIT, EGL_NONE};
    EGLConfig config = EGL_NO_CONFIG_KHR;
    EGLint count = 0;
    if (!eglChooseConfig(display, wanted, &config, 1, &count) || count == 0)
        return EGL_NO_CONFIG_KHR;
    return config;
}

/* The newest context that the driver gives, of the versions that are wanted. */
static EGLContext create_context(EGLDisplay display, EGLConfig config, const struct gl_want *want)
{
    static const uint32_t desktop[] = {46, 45, 44, 43, 42, 41, 40, 33, 0};
    static const uint32_t es[] = {32, 31, 30, 20, 0};
    for (const uint32_t *at = want->api == GL_API_ES ? es : desktop; *at > 0; at++) {
        const EGLint attributes[] = {
            EGL_CONTEXT_MAJOR_VERSION_KHR,
            (EGLint)*at / 10,
            EGL_CONTEXT_MINOR_VERSION_KHR,
            (EGLint)*at % 10,
            want->api == GL_API_ES ? EGL_NONE : EGL_CONTEXT_OPENGL_PROFILE_MASK_KHR,
            EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT_KHR,
            EGL_NONE,
        };
        if (want->version_most > 0 && *at > want->version_most)
            continue;
        EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, attributes);
        if (context != EGL_NO_CONTEXT)
            return context;
    }
    return EGL_NO_CONTEXT;
}

static bool make_current(struct gl_window *window, EGLConfig config)
{
    const EGLint tiny[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
    if (!epoxy_has_egl_extension(window->display, "EGL_KHR_surfaceless_context"))
        window->surface = eglCreatePbufferSurface(window->display, config, tiny);
    return eglMakeCurrent(window->display, window->surface, window->surface, window->context);
}

static void close_window(struct gl_window *window)
{
    eglMakeCurrent(window->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (window->surface != EGL_NO_SURFACE)
        eglDestroySurface(window->display, window->surface);
    if (window->context != EGL_NO_CONTEXT)
        eglDestroyContext(window->display, window->context);
    free(window);
}

static struct gl_window *open_window(struct gl_place *place, const struct gl_want *want,
                                     char *error, size_t error_bytes)
{
    if (!open_display(place, error, error_bytes))
        return NULL;
    struct gl_window *window = calloc(1, sizeof *window);
    if (!window) {
        snprintf(error, error_bytes, "out of memory while opening a GL context");
        return NULL;
    }
    *window = (struct gl_window){place->display, EGL_NO_CONTEXT, EGL_NO_SURFACE};
    EGLConfig config = choose_config(place->display, want->api);
    if (eglBindAPI(want->api == GL_API_ES ? EGL_OPENGL_ES_API : EGL_OPENGL_API))
        window->context = create_context(place->display, config, want);
    if (window->context != EGL_NO_CONTEXT && make_current(window, config))
        return window;
    snprintf(error, error_bytes, "the EGL device \"%s\" gives no %s context (EGL error 0x%04x)",
             place->name, want->api == GL_API_ES ? "OpenGL ES" : "OpenGL 3.3 core",
             (unsigned)eglGetError());
    close_window(window);
    return NULL;
}

static void copy_string(char *to, size_t to_bytes, GLenum name)
{
    const GLubyte *text = glGetString(name);
    snprintf(to, to_bytes, "%s", text ? (const char *)text : "");
    for (; *to; to++) {
        if (iscntrl((unsigned char)*to))
            *to = ' ';
    }
}

static bool contains(const char *text, const char *part)
{
    size_t length = strlen(part);
    for (; strlen(text) >= length; text++) {
        size_t i = 0;
        while (i < length && tolower((unsigned char)text[i]) == tolower((unsigned char)part[i]))
            i++;
        if (i == length)
            return true;
    }
    return false;
}

static uint32_t limit(GLenum name)
{
    GLint value = 0;
    glGetIntegerv(name, &value);
    return value > 0 ? (uint32_t)value : 0;
}

/* The compute way needs storage blocks in fragment shaders too, which GLES does not promise. */
static void find_abilities(struct gl *gl)
{
    bool es = gl->api == GL_API_ES;
    gl->size_most = limit(GL_MAX_TEXTURE_SIZE);
    gl->compute =
        gl->version >= (es ? 31u : 43u) && limit(GL_MAX_FRAGMENT_SHADER_STORAGE_BLOCKS) > 0;
    gl->float_blend = !es || (gl->version >= 30 && epoxy_has_gl_extension("GL_EXT_float_blend") &&
                              epoxy_has_gl_extension("GL_EXT_color_buffer_float"));
    if (!gl->compute)
        return;
    GLint groups = 0;
    GLint64 bytes = 0;
    glGetIntegeri_v(GL_MAX_COMPUTE_WORK_GROUP_COUNT, 0, &groups);
    glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &bytes);
    gl->groups_most = groups > 0 ? (uint32_t)groups : 0;
    gl->block_most_bytes = bytes > 0 ? (uint64_t)bytes : 0;
}

static void describe(struct gl *gl, const struct gl_place *place)
{
    static const char *const software[] = {"llvmpipe", "softpipe", "swrast", "swiftshader"};
    copy_string(gl->name, sizeof gl->name, GL_RENDERER);
    copy_string(gl->driver, sizeof gl->driver, GL_VERSION);
    snprintf(gl->device, sizeof gl->device, "%s", place->name);
    gl->software = place->software;
    for (size_t i = 0; i < sizeof software / sizeof software[0]; i++)
        gl->software = gl->software || contains(gl->name, software[i]);
}

struct gl *gl_open(struct gl_system *system, uint32_t index, const struct gl_want *want,
                   char *error, size_t error_bytes)
{
    struct gl *gl = calloc(1, sizeof *gl);
    if (!gl) {
        snprintf(error, error_bytes, "out of memory while opening a GL context");
        return NULL;
    }
    gl->window = open_window(&system->places[index], want, error, error_bytes);
    if (!gl->window) {
        free(gl);
        return NULL;
    }
    gl->api = want->api;
    gl->version = (uint32_t)epoxy_gl_version();
    if (want->version_most > 0 && gl->version > want->version_most)
        gl->version = want->version_most;
    describe(gl, &system->places[index]);
    find_abilities(gl);
    gl_check(gl, "opening the context");
    return gl;
}

static bool matches(const struct gl *gl, const char *text)
{
    return contains(gl->name, text) || contains(gl->driver, text) || contains(gl->device, text);
}

struct gl *gl_open_matching(struct gl_system *system, const struct gl_want *want, const char *text,
                            bool *exists, char *error, size_t error_bytes)
{
    char others[512] = "";
    *exists = false;
    for (uint32_t i = 0; i < system->count; i++) {
        struct gl *gl = gl_open(system, i, want, error, error_bytes);
        if (gl && matches(gl, text ? text : ""))
            return gl;
        if (!gl)
            continue;
        size_t length = strlen(others);
        snprintf(others + length, sizeof others - length, "%s \"%s\" (%s)", *exists ? "," : "",
                 gl->name, gl->device);
        *exists = true;
        gl_close(gl);
    }
    if (*exists)
        snprintf(error, error_bytes, "no EGL device matches \"%s\"; there is%s", text, others);
    return NULL;
}

void gl_close(struct gl *gl)
{
    if (!gl)
        return;
    glFinish();
    close_window(gl->window);
    free(gl);
}

void gl_check(struct gl *gl, const char *what)
{
    /* A lost context may answer with errors for ever. */
    for (uint32_t i = 0; i < ERRORS_TAKEN_MAX; i++) {
        GLenum code = glGetError();
        if (code == GL_NO_ERROR)
            return;
        if (gl->error_count++ == 0)
            snprintf(gl->first_error, sizeof gl->first_error, "GL error 0x%04x after %s",
                     (unsigned)code, what);
        gl->lost = gl->lost || code == GL_CONTEXT_LOST;
    }
}
