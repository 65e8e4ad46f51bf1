/* All files of a disk, and the registry of disks. */

#include "disk.h"

#include <stdlib.h>
#include <string.h>

static pthread_mutex_t registry_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t registration = PTHREAD_ONCE_INIT;
static struct peersync_disk *registry;
static uint64_t last_number;

/* Counts a call and says whether it is one that was asked to fail. */
bool disk_fails(struct peersync_disk *disk, enum peersync_disk_call call) {
    struct failure *failure = &disk->failures[call];
    disk->calls[call] += 1;
    if (disk->is_off) {
        return true;
    }
    if (failure->count == 0) {
        return false;
    }
    if (failure->after > 0) {
        failure->after -= 1;
        return false;
    }
    failure->count -= failure->count == UINT64_MAX ? 0 : 1;
    if (failure->takes_power) {
        disk->is_off = true;
        for (size_t index = 0; index < disk->node_count; index += 1) {
            disk->nodes[index]->dead = true;
        }
    }
    return true;
}

/* The file that readers find under a name. */
struct node *disk_find(struct peersync_disk *disk, const char *name) {
    for (size_t index = 0; index < disk->node_count; index += 1) {
        struct node *node = disk->nodes[index];
        if (node->linked && strcmp(node->name, name) == 0) {
            return node;
        }
    }
    return NULL;
}

/* The disk keeps a reference until the file is durably deleted. */
void disk_add(struct peersync_disk *disk, struct node *node) {
    if (disk->node_count == disk->node_capacity) {
        disk->node_capacity = disk->node_capacity * 2 + 4;
        disk->nodes = sure_realloc(disk->nodes, disk->node_capacity * sizeof *disk->nodes);
    }
    disk->nodes[disk->node_count] = node;
    disk->node_count += 1;
}

/* Directory changes are kept in order: file systems with a journal keep them so, too. */
static void remember_entry(struct peersync_disk *disk, struct node *node, bool creates) {
    if (disk->entry_count == disk->entry_capacity) {
        disk->entry_capacity = disk->entry_capacity * 2 + 4;
        disk->entries =
            sure_realloc(disk->entries, disk->entry_capacity * sizeof *disk->entries);
    }
    disk->entries[disk->entry_count] = (struct entry_change){node, creates};
    disk->entry_count += 1;
}

/* The new file is gone after a power cut unless its directory was synced. */
struct node *disk_create(struct peersync_disk *disk, const char *name) {
    struct node *node = node_new(name, next_random(&disk->random_state) | 1);
    node->linked = true;
    disk_add(disk, node);
    remember_entry(disk, node, true);
    return node;
}

/* The file is there again after a power cut unless its directory was synced. */
void disk_unlink(struct peersync_disk *disk, struct node *node) {
    node->linked = false;
    remember_entry(disk, node, false);
}

/* One sync of a directory covers all of its entries. */
void disk_sync_directory(struct peersync_disk *disk) {
    size_t kept = 0;
    disk->entry_count = 0;
    for (size_t index = 0; index < disk->node_count; index += 1) {
        struct node *node = disk->nodes[index];
        node->durably_linked = node->linked;
        if (node->linked) {
            disk->nodes[kept] = node;
            kept += 1;
        } else {
            node_release(node);
        }
    }
    disk->node_count = kept;
}

/* Shared memory counts, because it is a file of the same disk in reality. */
uint64_t disk_used(const struct peersync_disk *disk) {
    uint64_t used = 0;
    for (size_t index = 0; index < disk->node_count; index += 1) {
        const struct node *node = disk->nodes[index];
        if (node->linked) {
            used += node->content.count;
            used += (uint64_t)node->memory.region_count * (uint64_t)node->memory.region_bytes;
        }
    }
    return used;
}

/* How many further bytes the files may have. */
uint64_t disk_room(const struct peersync_disk *disk) {
    uint64_t used = disk_used(disk);
    return disk->capacity > used ? disk->capacity - used : 0;
}

/* Paths are resolved at every call, as a file system does: the disk may be gone meanwhile. */
struct peersync_disk *disk_lock_at(const char *path, const char **name) {
    size_t root = sizeof VIRTUAL_ROOT - 1;
    if (path == NULL || strncmp(path, VIRTUAL_ROOT, root) != 0) {
        return NULL;
    }
    char *rest = NULL;
    uint64_t number = strtoull(path + root, &rest, 10);
    if (*rest != '/') {
        return NULL;
    }
    *name = rest + 1;
    pthread_mutex_lock(&registry_mutex);
    struct peersync_disk *disk = registry;
    while (disk != NULL && disk->number != number) {
        disk = disk->next;
    }
    if (disk != NULL) {
        pthread_mutex_lock(&disk->mutex);
    }
    pthread_mutex_unlock(&registry_mutex);
    return disk;
}

/* Ends what began with looking up a path. */
void disk_unlock(struct peersync_disk *disk) {
    pthread_mutex_unlock(&disk->mutex);
}

/* A handle may be closed after the test gave its disk up; called with the mutex held. */
void disk_release(struct peersync_disk *disk) {
    disk->references -= 1;
    bool is_last = disk->references == 0;
    pthread_mutex_unlock(&disk->mutex);
    if (is_last) {
        pthread_mutex_destroy(&disk->mutex);
        free(disk->nodes);
        free(disk->entries);
        free(disk);
    }
}

peersync_disk *peersync_disk_new(uint64_t seed) {
    pthread_once(&registration, vfs_register);
    struct peersync_disk *disk = sure_realloc(NULL, sizeof *disk);
    *disk = (struct peersync_disk){
        .random_state = seed, .capacity = UINT64_MAX, .references = 1, .honours_sync = true};
    pthread_mutex_init(&disk->mutex, NULL);
    pthread_mutex_lock(&registry_mutex);
    last_number += 1;
    disk->number = last_number;
    disk->next = registry;
    registry = disk;
    pthread_mutex_unlock(&registry_mutex);
    return disk;
}

/* Takes every file away; what handles still hold of them answers with errors. */
void disk_drop_all(struct peersync_disk *disk) {
    for (size_t index = 0; index < disk->node_count; index += 1) {
        disk->nodes[index]->dead = true;
        node_release(disk->nodes[index]);
    }
    disk->node_count = 0;
    disk->entry_count = 0;
}

void peersync_disk_free(peersync_disk *disk) {
    pthread_mutex_lock(&registry_mutex);
    struct peersync_disk **link = &registry;
    while (*link != disk) {
        link = &(*link)->next;
    }
    *link = disk->next;
    pthread_mutex_lock(&disk->mutex);
    pthread_mutex_unlock(&registry_mutex);
    disk_drop_all(disk);
    disk_release(disk);
}

uint64_t peersync_disk_number(const peersync_disk *disk) {
    return disk->number;
}
