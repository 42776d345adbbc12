/* SPDX-License-Identifier: MIT */
/*
 * The tree of series: one for each name, at each place among scopes and passes, for each source.
 * Fixed memory: a name that finds no place counts under "(other)"; one unseen for long gives up its
 * place.
 */
#ifndef PASSTIME_CORE_TREE_H
#define PASSTIME_CORE_TREE_H

#include "core/names.h"
#include "core/series.h"

/* What a series is told apart by. */
struct passtime_node_key {
    uint32_t parent; /* node of the enclosing pass or scope, or PASSTIME_NONE */
    passtime_id name;
    passtime_series_kind kind;
    passtime_source source;
};

struct passtime_node {
    struct passtime_node_key key;
    uint32_t next;     /* in its hash chain, or PASSTIME_NONE */
    uint32_t children; /* nodes below it: it stays while there are any */
    bool used;
    uint32_t life; /* counts how often its figures began anew */
    uint32_t flags;
    uint64_t last_seq; /* frame sequence number that it was last seen in */
    uint64_t attributed_ns;
    uint64_t verdicts[PASSTIME_VERDICT_COUNT];
    struct passtime_series series;
};

enum { PASSTIME_NODE_OTHER = 0 };

/* Field by field: a key that was just put together is not yet to be had in one piece. */
static inline bool passtime_node_is(const struct passtime_node *node,
                                    const struct passtime_node_key *key)
{
    return node->key.name == key->name && node->key.parent == key->parent && node->used &&
           node->key.kind == key->kind && node->key.source == key->source;
}

struct passtime_tree {
    struct passtime_node *nodes; /* [0] is "(other)" */
    uint32_t *heads;             /* hash chains */
    uint32_t max;                /* nodes there is room for, "(other)" included */
    uint32_t head_mask;
    uint32_t count; /* places ever used */
    uint32_t free;  /* places given up, linked by next; PASSTIME_NONE: none */
    struct passtime_names *names;
};

/* Bytes of the two arrays for `max` nodes; init lays them out in `memory`. */
size_t passtime_tree_bytes(uint32_t max);
void passtime_tree_init(struct passtime_tree *tree, void *memory, uint32_t max,
                        struct passtime_names *names);

/* The node of `key`, made where it is new, or PASSTIME_NODE_OTHER. Nodes last seen in or after
 * `keep_seq` are never given up. Call with the names' lock held where `key` may be new. */
uint32_t passtime_tree_find(const struct passtime_tree *tree, const struct passtime_node_key *key);
uint32_t passtime_tree_add(struct passtime_tree *tree, struct passtime_node_key key, uint64_t seq,
                           uint64_t keep_seq);
/* Gives up the node unseen for longest, if it is unseen for long, so that its name can go too. */
void passtime_tree_tidy(struct passtime_tree *tree, uint64_t seq, uint64_t keep_seq);
/* Forgets all figures and keeps the nodes. */
void passtime_tree_reset(struct passtime_tree *tree);
/* Writes the path from the root, joined by '/', cut at a name. */
void passtime_tree_path(const struct passtime_tree *tree, uint32_t node, char *out, size_t bytes);

#endif
