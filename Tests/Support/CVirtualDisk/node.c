/* One file: what readers see, what is durable, and the changes between the two. */

#include "disk.h"

#include <stdlib.h>
#include <string.h>

/* A new file is empty and named by no directory; its first reference is the caller's. */
struct node *node_new(const char *name, uint64_t identity) {
    struct node *node = sure_realloc(NULL, sizeof *node);
    *node = (struct node){.name = sure_copy(name), .identity = identity, .references = 1};
    return node;
}

/* The last handle of a deleted file frees it, as the last descriptor of one does. */
void node_release(struct node *node) {
    node->references -= 1;
    if (node->references > 0) {
        return;
    }
    for (int index = 0; index < node->memory.region_count; index += 1) {
        free(node->memory.regions[index]);
    }
    free(node->memory.regions);
    bytes_free(&node->content);
    bytes_free(&node->durable);
    bytes_free(&node->written);
    free(node->changes);
    free(node->name);
    free(node);
}

/* Kept in order: of two unsynced writes to one sector the earlier may be the one that survives. */
static void remember(struct node *node, struct change change) {
    if (node->change_count == node->change_capacity) {
        node->change_capacity = node->change_capacity * 2 + 16;
        node->changes =
            sure_realloc(node->changes, node->change_capacity * sizeof *node->changes);
    }
    node->changes[node->change_count] = change;
    node->change_count += 1;
}

/* Readers see a write at once; what was written is kept aside until a sync. */
void node_write(struct node *node, uint64_t offset, const void *from, size_t count) {
    bytes_put(&node->content, offset, from, count);
    struct change change = {
        .offset = offset, .count = count, .written_at = node->written.count};
    bytes_put(&node->written, node->written.count, from, count);
    remember(node, change);
}

/* Changes the size only; what is cut off may be there again after a power cut. */
void node_truncate(struct node *node, uint64_t size) {
    bytes_resize(&node->content, size);
    remember(node, (struct change){.truncates = true, .offset = size});
}

/* Every change becomes durable, in the order in which they were made. */
void node_sync(struct node *node) {
    for (size_t index = 0; index < node->change_count; index += 1) {
        const struct change *change = &node->changes[index];
        if (change->truncates) {
            bytes_resize(&node->durable, change->offset);
        } else {
            bytes_put(
                &node->durable, change->offset, node->written.start + change->written_at,
                change->count);
        }
    }
    node_forget_unsynced(node);
}

/* After a failed sync Linux takes the pages for clean: readers see them, no later sync writes them
   (fsync(2), and "fsyncgate" of 2018). */
void node_forget_unsynced(struct node *node) {
    node->change_count = 0;
    node->written.count = 0;
}

/* A write survives whole, not at all, or torn: a disk writes whole sectors, in any order. */
static void survive(
    struct node *node, const struct change *change, uint64_t *random, unsigned percent) {
    const uint8_t *from = node->written.start + change->written_at;
    bool is_torn = chance(random, 50);
    bool survives = chance(random, percent);
    size_t done = 0;
    while (done < change->count) {
        size_t in_sector = (change->offset + done) % SECTOR_BYTES;
        size_t piece = SECTOR_BYTES - in_sector;
        if (piece > change->count - done) {
            piece = change->count - done;
        }
        if (is_torn ? chance(random, percent) : survives) {
            bytes_put(&node->durable, change->offset + done, from + done, piece);
        }
        done += piece;
    }
    // A file system may have kept the new size without the bytes, which are zeros then.
    uint64_t end = change->offset + change->count;
    if (chance(random, percent / 4) && end > node->durable.count) {
        bytes_resize(&node->durable, end);
    }
}

/* Makes the durable content what is found after the power came back. */
void node_lose_power(struct node *node, uint64_t *random, unsigned percent) {
    for (size_t index = 0; index < node->change_count; index += 1) {
        const struct change *change = &node->changes[index];
        if (!change->truncates) {
            survive(node, change, random, percent);
        } else if (chance(random, percent)) {
            bytes_resize(&node->durable, change->offset);
        }
    }
    node_forget_unsynced(node);
}
