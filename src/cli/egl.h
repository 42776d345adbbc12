/* SPDX-License-Identifier: MIT */
/*
 * OpenGL and OpenGL ES without a window, through EGL: the machine's EGL devices, and contexts on
 * them. GL's own functions come through libepoxy, which loads them when they are first called.
 *
 * One thread only: gl_open makes its context current and it stays so until gl_close; one at a time.
 * Every failing call writes one line to `error`: what is wrong, where, what to do.
 */
#ifndef PASSTIME_CLI_EGL_H
#define PASSTIME_CLI_EGL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum gl_api { GL_API_DESKTOP, GL_API_ES };

/* "gl" or "gles", as on the command line and in reports. */
const char *gl_api_name(enum gl_api api);

/* The machine's EGL devices, those known to be software last. */
struct gl_system;

/* NULL with a text in `error` where EGL is missing or has no device. */
struct gl_system *gl_system_open(char *error, size_t error_bytes);

/* Ends the list and its displays. Close every context of it first. NULL does nothing. */
void gl_system_close(struct gl_system *system);

uint32_t gl_system_count(const struct gl_system *system);

/* "/dev/dri/card0", "software" and the like: what is known of a device before it is opened. Lives
 * as long as the system. `index` is below the count. */
const char *gl_system_name(const struct gl_system *system, uint32_t index);
/* Whether it is known by then to run on the CPU. */
bool gl_system_is_software(const struct gl_system *system, uint32_t index);

/* What to open. */
struct gl_want {
    enum gl_api api;
    uint32_t version_most; /* 10 * major + minor: use nothing of what came later; 0: any version */
};

/* A context, current on this thread. Fields are read-only to callers. */
struct gl {
    enum gl_api api;
    uint32_t version;          /* 10 * major + minor, at most what was wanted */
    char name[128];            /* of the renderer */
    char driver[128];          /* the version, as the driver tells it */
    char device[64];           /* "/dev/dri/card0", or where the context is from: "surfaceless" */
    bool software;             /* runs on the CPU */
    bool compute;              /* compute shaders, and their results in fragment shaders */
    bool float_blend;          /* draws can be added up in targets of 32-bit floats */
    uint32_t size_most;        /* pixels a side, of targets */
    uint32_t groups_most;      /* workgroups along one side of a dispatch; 0 without compute */
    uint64_t block_most_bytes; /* of one storage block; 0 without compute */
    uint32_t error_count;      /* errors that gl_check found */
    char first_error[128];     /* the first of them; empty while error_count is 0 */
    bool lost;                 /* the context is lost, as gl_check found */
    struct gl_window *window;  /* what EGL keeps of it */
};

/* Opens a context on device `index`, the newest version that there is within what is wanted: from
 * GL 3.3 core or GLES 2. The system must outlive it. */
struct gl *gl_open(struct gl_system *system, uint32_t index, const struct gl_want *want,
                   char *error, size_t error_bytes);

/*
 * Opens a context on the first device whose renderer, driver or device name contains `text` (ASCII
 * case aside; NULL or "" takes the first that works). On failure *exists says whether some other
 * device would give a context, and the text in `error` names those.
 */
struct gl *gl_open_matching(struct gl_system *system, const struct gl_want *want, const char *text,
                            bool *exists, char *error, size_t error_bytes);

/* Waits for the context's work, then ends it. NULL does nothing. */
void gl_close(struct gl *gl);

/* Takes the errors that GL holds and counts them. `what` says after which work. May wait for a
 * driver's own thread: not for every call of a frame. */
void gl_check(struct gl *gl, const char *what);

typedef void (*gl_function)(void);

/* The address of a GL function, or NULL. */
gl_function gl_loader(const char *name);

/* What EGL knows as the context that is current on this thread; NULL: none. `user` is not used. */
void *gl_current(void *user);

#endif
