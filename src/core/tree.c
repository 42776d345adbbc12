/* SPDX-License-Identifier: MIT */
/* Finding, making and giving up series. */
#include "core/tree.h"

enum { UNSEEN_FRAMES = 1024, PATH_DEPTH_MAX = 16 };

static uint32_t head_count(uint32_t max)
{
    uint32_t heads = 16;
    while (heads < 2 * max) {
        heads *= 2;
    }
    return heads;
}

size_t passtime_tree_bytes(uint32_t max)
{
    return (size_t)max * sizeof(struct passtime_node) + (size_t)head_count(max) * sizeof(uint32_t);
}

static void clear_figures(struct passtime_node *node)
{
    node->life++;
    node->flags = 0;
    node->attributed_ns = 0;
    for (uint32_t v = 0; v < PASSTIME_VERDICT_COUNT; v++) {
        node->verdicts[v] = 0;
    }
    passtime_series_init(&node->series);
}

void passtime_tree_init(struct passtime_tree *tree, void *memory, uint32_t max,
                        struct passtime_names *names)
{
    tree->nodes = memory;
    tree->heads = (uint32_t *)(void *)(tree->nodes + max);
    tree->max = max;
    tree->head_mask = head_count(max) - 1;
    tree->count = 1;
    tree->free = PASSTIME_NONE;
    tree->names = names;
    for (uint32_t i = 0; i <= tree->head_mask; i++) {
        tree->heads[i] = PASSTIME_NONE;
    }
    for (uint32_t i = 0; i < max; i++) {
        tree->nodes[i].used = false;
        tree->nodes[i].children = 0;
        tree->nodes[i].life = 0;
    }
    struct passtime_node *other = &tree->nodes[PASSTIME_NODE_OTHER];
    other->key =
        (struct passtime_node_key){PASSTIME_NONE, 0, PASSTIME_SERIES_PASS, PASSTIME_GPU_STAMPS};
    other->next = PASSTIME_NONE;
    other->used = true;
    other->last_seq = 0;
    clear_figures(other);
}

static uint32_t hash_key(const struct passtime_node_key *key)
{
    uint32_t h = key->name * 0x9E3779B1u;
    h ^= (key->parent + 1) * 0x85EBCA77u;
    h ^= ((uint32_t)key->kind * 4u + (uint32_t)key->source) * 0xC2B2AE3Du;
    return h ^ (h >> 15);
}

static bool same_key(const struct passtime_node_key *a, const struct passtime_node_key *b)
{
    return a->name == b->name && a->parent == b->parent && a->kind == b->kind &&
           a->source == b->source;
}

uint32_t passtime_tree_find(const struct passtime_tree *tree, const struct passtime_node_key *key)
{
    uint32_t i = tree->heads[hash_key(key) & tree->head_mask];
    while (i != PASSTIME_NONE && !same_key(&tree->nodes[i].key, key)) {
        i = tree->nodes[i].next;
    }
    return i;
}

static void unlink_node(struct passtime_tree *tree, uint32_t index)
{
    struct passtime_node *node = &tree->nodes[index];
    uint32_t *link = &tree->heads[hash_key(&node->key) & tree->head_mask];
    while (*link != index) {
        link = &tree->nodes[*link].next;
    }
    *link = node->next;
}

/* The node unseen for longest that nothing hangs on, or PASSTIME_NONE. */
static uint32_t oldest_idle(const struct passtime_tree *tree, uint64_t seq, uint64_t keep_seq)
{
    uint32_t oldest = PASSTIME_NONE;
    for (uint32_t i = 1; i < tree->count; i++) {
        const struct passtime_node *node = &tree->nodes[i];
        if (node->used && node->children == 0 && node->last_seq + UNSEEN_FRAMES < seq &&
            node->last_seq < keep_seq &&
            (oldest == PASSTIME_NONE || node->last_seq < tree->nodes[oldest].last_seq)) {
            oldest = i;
        }
    }
    return oldest;
}

static void give_up(struct passtime_tree *tree, uint32_t index)
{
    struct passtime_node *node = &tree->nodes[index];
    unlink_node(tree, index);
    passtime_names_release(tree->names, node->key.name);
    if (node->key.parent != PASSTIME_NONE) {
        tree->nodes[node->key.parent].children--;
    }
    node->used = false;
    node->next = tree->free;
    tree->free = index;
}

void passtime_tree_tidy(struct passtime_tree *tree, uint64_t seq, uint64_t keep_seq)
{
    uint32_t oldest = oldest_idle(tree, seq, keep_seq);
    if (oldest != PASSTIME_NONE) {
        give_up(tree, oldest);
    }
}

static uint32_t take_place(struct passtime_tree *tree, uint64_t seq, uint64_t keep_seq)
{
    if (tree->free == PASSTIME_NONE && tree->count < tree->max) {
        return tree->count++;
    }
    if (tree->free == PASSTIME_NONE) {
        passtime_tree_tidy(tree, seq, keep_seq);
    }
    uint32_t place = tree->free;
    if (place != PASSTIME_NONE) {
        tree->free = tree->nodes[place].next;
    }
    return place;
}

uint32_t passtime_tree_add(struct passtime_tree *tree, struct passtime_node_key key, uint64_t seq,
                           uint64_t keep_seq)
{
    key.name = passtime_names_touch(tree->names, key.name, seq);
    uint32_t found = passtime_tree_find(tree, &key);
    if (found != PASSTIME_NONE) {
        return found;
    }
    /* Held before a place is taken, so that giving up another node can't take the parent away. */
    if (key.parent != PASSTIME_NONE) {
        tree->nodes[key.parent].children++;
    }
    uint32_t place = key.name == 0 && key.kind == PASSTIME_SERIES_PASS
                         ? PASSTIME_NONE
                         : take_place(tree, seq, keep_seq);
    if (place == PASSTIME_NONE) {
        if (key.parent != PASSTIME_NONE) {
            tree->nodes[key.parent].children--;
        }
        return PASSTIME_NODE_OTHER;
    }
    passtime_names_hold(tree->names, key.name);
    struct passtime_node *node = &tree->nodes[place];
    uint32_t *head = &tree->heads[hash_key(&key) & tree->head_mask];
    node->key = key;
    node->next = *head;
    node->children = 0;
    node->used = true;
    node->last_seq = seq;
    clear_figures(node);
    *head = place;
    return place;
}

void passtime_tree_reset(struct passtime_tree *tree)
{
    for (uint32_t i = 0; i < tree->count; i++) {
        clear_figures(&tree->nodes[i]);
    }
}

static size_t append(char *out, size_t used, size_t bytes, const char *text)
{
    while (*text != '\0' && used + 1 < bytes) {
        out[used++] = *text++;
    }
    out[used] = '\0';
    return used;
}

void passtime_tree_path(const struct passtime_tree *tree, uint32_t node, char *out, size_t bytes)
{
    uint32_t chain[PATH_DEPTH_MAX];
    uint32_t depth = 0;
    for (uint32_t i = node; i != PASSTIME_NONE && depth < PATH_DEPTH_MAX;
         i = tree->nodes[i].key.parent) {
        chain[depth++] = i;
    }
    size_t used = 0;
    out[0] = '\0';
    while (depth > 0) {
        const char *name = passtime_names_text(tree->names, tree->nodes[chain[--depth]].key.name);
        size_t length = 0;
        while (name[length] != '\0') {
            length++;
        }
        if (used + length + 2 > bytes) {
            return; /* Cut at a name, so that no code point is split. */
        }
        used = append(out, used, bytes, name);
        if (depth > 0) {
            used = append(out, used, bytes, "/");
        }
    }
}
