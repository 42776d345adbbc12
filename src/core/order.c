/* SPDX-License-Identifier: MIT */
/* A merge sort from the bottom up: no recursion, and at most 17 rounds for the most passes allowed.
 */
#include "core/order.h"

/* Merges from[0 … middle - 1] and from[middle … end - 1]. */
static void merge(const passtime_sample *samples, passtime_key_fn key, const uint32_t *from,
                  uint32_t middle, uint32_t end, uint32_t *to)
{
    uint32_t left = 0;
    uint32_t right = middle;
    while (left < middle && right < end) {
        bool keep = key(&samples[from[left]]) <= key(&samples[from[right]]);
        *to++ = keep ? from[left++] : from[right++];
    }
    while (left < middle)
        *to++ = from[left++];
    while (right < end)
        *to++ = from[right++];
}

void passtime_order_sort(const passtime_sample *samples, uint32_t **order, uint32_t **spare,
                         uint32_t count, passtime_key_fn key)
{
    for (uint32_t width = 1; width < count; width *= 2) {
        for (uint32_t at = 0; at < count;) {
            uint32_t rest = count - at;
            uint32_t end = rest / 2 < width ? rest : 2 * width;
            uint32_t middle = end < width ? end : width;
            merge(samples, key, *order + at, middle, end, *spare + at);
            at += end;
        }
        uint32_t *sorted = *spare;
        *spare = *order;
        *order = sorted;
    }
}
