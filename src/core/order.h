/* SPDX-License-Identifier: MIT */
/* Samples sorted by way of an array of their indices. */
#ifndef PASSTIME_CORE_ORDER_H
#define PASSTIME_CORE_ORDER_H

#include <passtime/passtime.h>

#include <stdint.h>

typedef uint64_t (*passtime_key_fn)(const passtime_sample *sample);

/* Sorts order[0 … count - 1] by key, stably: what has equal keys stays as it is. *spare holds as
 * many; the two arrays may change places. */
void passtime_order_sort(const passtime_sample *samples, uint32_t **order, uint32_t **spare,
                         uint32_t count, passtime_key_fn key);

#endif
