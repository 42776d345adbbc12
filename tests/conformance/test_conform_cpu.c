/* SPDX-License-Identifier: MIT */
/* The CPU backend, with a clock that moves only where the test says so, and completions
 * told late. */
#include "conformance/conformance.h"

#include <passtime/cpu.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { KEPT = 32 };

struct cpu_driver {
    struct conformance_driver base;
    _Atomic uint64_t now_ns;
    _Atomic uint64_t numbers[KEPT]; /* frames whose completion is to be told */
    atomic_uint begun;
    char encoder;
};

static uint64_t clock_of(void *user)
{
    struct cpu_driver *c = user;
    return atomic_load(&c->now_ns);
}

static void cpu_open(struct conformance_driver *d, passtime_desc *desc)
{
    desc->clock = clock_of;
    desc->clock_user = d;
    assert_int_equal(passtime_create_cpu(desc, &d->t), PASSTIME_OK);
    passtime_cpu_wait_for_completion(d->t, true);
}

static void cpu_close(struct conformance_driver *d)
{
    passtime_destroy(&d->t);
}

static void cpu_finish(struct conformance_driver *d)
{
    (void)d;
}

static passtime_recorder *cpu_begin(struct conformance_driver *d, uint64_t number)
{
    struct cpu_driver *c = (struct cpu_driver *)d;
    atomic_fetch_add(&c->now_ns, 1000);
    atomic_store(&c->numbers[atomic_fetch_add(&c->begun, 1) % KEPT], number);
    return passtime_frame_begin(d->t, number);
}

static void *cpu_encode(struct conformance_driver *d, uint64_t number)
{
    (void)number;
    return &((struct cpu_driver *)d)->encoder;
}

static void cpu_pass(struct conformance_driver *d, passtime_recorder *rec, void *encoder,
                     struct conformance_name name, uint32_t length)
{
    struct cpu_driver *c = (struct cpu_driver *)d;
    (void)encoder;
    if (name.text == NULL) {
        passtime_begin_id(rec, name.id);
    } else if (name.bytes != 0) {
        passtime_begin_n(rec, name.text, name.bytes);
    } else {
        passtime_begin(rec, name.text);
    }
    atomic_fetch_add(&c->now_ns, length);
    passtime_end(rec);
    atomic_fetch_add(&c->now_ns, 7);
}

static void cpu_pass_begin(struct conformance_driver *d, passtime_recorder *rec, void *encoder,
                           const char *name)
{
    (void)d;
    (void)encoder;
    passtime_begin(rec, name);
}

static void cpu_pass_end(struct conformance_driver *d, passtime_recorder *rec, void *encoder)
{
    (void)d;
    (void)encoder;
    passtime_end(rec);
}

static void cpu_submit(struct conformance_driver *d, void *encoder)
{
    (void)d;
    (void)encoder;
}

static void cpu_pump(struct conformance_driver *d)
{
    struct cpu_driver *c = (struct cpu_driver *)d;
    for (uint32_t i = 0; i < KEPT; i++) {
        passtime_cpu_completed(d->t, atomic_load(&c->numbers[i]));
    }
    passtime_collect(d->t);
}

static uint64_t cpu_duration(const struct conformance_driver *d, uint32_t length)
{
    (void)d;
    return length;
}

int main(void)
{
    static struct cpu_driver c = {.base = {.api = "cpu",
                                           .source = PASSTIME_CPU_RECORD,
                                           .exact = true,
                                           .holds = true,
                                           .nests = true,
                                           .slowness = 1,
                                           .open = cpu_open,
                                           .close = cpu_close,
                                           .finish = cpu_finish,
                                           .begin = cpu_begin,
                                           .encode = cpu_encode,
                                           .pass = cpu_pass,
                                           .pass_begin = cpu_pass_begin,
                                           .pass_end = cpu_pass_end,
                                           .submit = cpu_submit,
                                           .drop = cpu_submit,
                                           .pump = cpu_pump,
                                           .duration_ns = cpu_duration},
                                  .now_ns = 1000000000};
    return conformance_run(&c.base);
}
