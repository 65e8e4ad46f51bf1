/* How a run on a disk ends: by power cut or by the end of the process. */

#include "disk.h"

/* Replaces a file by one that no handle knows: handles of before keep the dead one. */
static struct node *revived(struct node *node) {
    struct node *fresh = node_new(node->name, node->identity);
    fresh->linked = node->linked;
    fresh->durably_linked = node->durably_linked;
    bytes_assign(&fresh->content, &node->content);
    bytes_assign(&fresh->durable, &node->durable);
    node->dead = true;
    return fresh;
}

void peersync_disk_cut_power(peersync_disk *disk, uint64_t seed) {
    pthread_mutex_lock(&disk->mutex);
    uint64_t random = seed;
    // Cuts that keep all or nothing find other mistakes than those that keep half.
    unsigned percent = (unsigned)(next_random(&random) % 5) * 25;
    size_t entries = next_random(&random) % (disk->entry_count + 1);
    for (size_t index = 0; index < entries; index += 1) {
        disk->entries[index].node->durably_linked = disk->entries[index].creates;
    }
    disk->entry_count = 0;
    disk->is_off = false;
    size_t kept = 0;
    for (size_t index = 0; index < disk->node_count; index += 1) {
        struct node *node = disk->nodes[index];
        node->dead = true;
        if (node->durably_linked) {
            node_lose_power(node, &random, percent);
            node->linked = true;
            bytes_assign(&node->content, &node->durable);
            disk->nodes[kept] = revived(node);
            kept += 1;
        }
        node_release(node);
    }
    disk->node_count = kept;
    pthread_mutex_unlock(&disk->mutex);
}

/* The changes move on to the file's successor, which a later sync or power cut decides about. */
static void move_changes(struct node *from, struct node *to) {
    to->changes = from->changes;
    to->change_count = from->change_count;
    to->change_capacity = from->change_capacity;
    to->written = from->written;
    from->changes = NULL;
    from->change_count = 0;
    from->change_capacity = 0;
    from->written = (struct bytes){0};
}

void peersync_disk_end_process(peersync_disk *disk) {
    pthread_mutex_lock(&disk->mutex);
    disk->is_off = false;
    for (size_t index = 0; index < disk->node_count; index += 1) {
        struct node *node = disk->nodes[index];
        struct node *fresh = revived(node);
        move_changes(node, fresh);
        for (size_t entry = 0; entry < disk->entry_count; entry += 1) {
            if (disk->entries[entry].node == node) {
                disk->entries[entry].node = fresh;
            }
        }
        disk->nodes[index] = fresh;
        node_release(node);
    }
    pthread_mutex_unlock(&disk->mutex);
}
