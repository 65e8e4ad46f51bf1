/* What a test sets and reads, and what the program does with files without SQLite. */

#include "disk.h"

#include <stdlib.h>
#include <string.h>

void peersync_disk_set_honours_sync(peersync_disk *disk, bool honours) {
    pthread_mutex_lock(&disk->mutex);
    disk->honours_sync = honours;
    pthread_mutex_unlock(&disk->mutex);
}

void peersync_disk_set_capacity(peersync_disk *disk, uint64_t bytes) {
    pthread_mutex_lock(&disk->mutex);
    disk->capacity = bytes;
    pthread_mutex_unlock(&disk->mutex);
}

uint64_t peersync_disk_used(peersync_disk *disk) {
    pthread_mutex_lock(&disk->mutex);
    uint64_t used = disk_used(disk);
    pthread_mutex_unlock(&disk->mutex);
    return used;
}

uint64_t peersync_disk_room(peersync_disk *disk) {
    pthread_mutex_lock(&disk->mutex);
    uint64_t room = disk_room(disk);
    pthread_mutex_unlock(&disk->mutex);
    return room;
}

void peersync_disk_set_failure(
    peersync_disk *disk, enum peersync_disk_call call, uint64_t after, uint64_t count) {
    pthread_mutex_lock(&disk->mutex);
    disk->failures[call] = (struct failure){after, count, false};
    pthread_mutex_unlock(&disk->mutex);
}

void peersync_disk_set_power_loss(
    peersync_disk *disk, enum peersync_disk_call call, uint64_t after) {
    pthread_mutex_lock(&disk->mutex);
    disk->failures[call] = (struct failure){after, 1, true};
    pthread_mutex_unlock(&disk->mutex);
}

uint64_t peersync_disk_calls(peersync_disk *disk, enum peersync_disk_call call) {
    pthread_mutex_lock(&disk->mutex);
    uint64_t calls = disk->calls[call];
    pthread_mutex_unlock(&disk->mutex);
    return calls;
}

int64_t peersync_disk_prepare_file(peersync_disk *disk, const char *name) {
    pthread_mutex_lock(&disk->mutex);
    int64_t size = -1;
    if (!disk_fails(disk, PEERSYNC_DISK_OPEN)) {
        struct node *node = disk_find(disk, name);
        if (node == NULL) {
            node = disk_create(disk, name);
        }
        size = (int64_t)node->content.count;
    }
    pthread_mutex_unlock(&disk->mutex);
    return size;
}

int64_t peersync_disk_read_file(
    peersync_disk *disk, const char *name, uint64_t offset, uint8_t *bytes, size_t count) {
    pthread_mutex_lock(&disk->mutex);
    struct node *node = disk_find(disk, name);
    int64_t found = -1;
    if (disk_fails(disk, PEERSYNC_DISK_READ)) {
        found = -2;
    } else if (node != NULL) {
        size_t left = node->content.count > offset ? node->content.count - (size_t)offset : 0;
        size_t copied = left < count ? left : count;
        if (copied > 0) {
            memcpy(bytes, node->content.start + offset, copied);
        }
        found = (int64_t)copied;
    }
    pthread_mutex_unlock(&disk->mutex);
    return found;
}

static struct node *found_or_made(struct peersync_disk *disk, const char *name) {
    struct node *node = disk_find(disk, name);
    return node == NULL ? disk_create(disk, name) : node;
}

bool peersync_disk_write_file(
    peersync_disk *disk, const char *name, uint64_t offset, const uint8_t *bytes, size_t count) {
    pthread_mutex_lock(&disk->mutex);
    bool done = false;
    if (!disk_fails(disk, PEERSYNC_DISK_ASIDE)) {
        struct node *node = found_or_made(disk, name);
        uint64_t size = node->content.count, end = offset + count;
        if (end <= size || end - size <= disk_room(disk)) {
            node_write(node, offset, bytes, count);
            done = true;
        }
    }
    pthread_mutex_unlock(&disk->mutex);
    return done;
}

bool peersync_disk_replace_file(
    peersync_disk *disk, const char *name, const uint8_t *bytes, size_t count) {
    pthread_mutex_lock(&disk->mutex);
    bool done = !disk_fails(disk, PEERSYNC_DISK_ASIDE) && count <= disk_room(disk);
    if (done) {
        struct node *node = found_or_made(disk, name);
        node_truncate(node, 0);
        node_write(node, 0, bytes, count);
        if (disk->honours_sync) {
            node_sync(node);
            node->durably_linked = true;
        }
    }
    pthread_mutex_unlock(&disk->mutex);
    return done;
}

bool peersync_disk_sync_file(peersync_disk *disk, const char *name) {
    pthread_mutex_lock(&disk->mutex);
    struct node *node = disk_find(disk, name);
    bool done = !disk_fails(disk, PEERSYNC_DISK_SYNC);
    if (!done && node != NULL && !disk->is_off) {
        node_forget_unsynced(node);
    }
    if (done && disk->honours_sync) {
        if (node != NULL) {
            node_sync(node);
        }
        disk_sync_directory(disk);
    }
    pthread_mutex_unlock(&disk->mutex);
    return done;
}

bool peersync_disk_rename_file(peersync_disk *disk, const char *from, const char *to) {
    pthread_mutex_lock(&disk->mutex);
    struct node *node = disk_find(disk, from);
    bool done = node != NULL && !disk_fails(disk, PEERSYNC_DISK_SYNC);
    if (done) {
        struct node *other = disk_find(disk, to);
        if (other != NULL) {
            disk_unlink(disk, other);
        }
        free(node->name);
        node->name = sure_copy(to);
        if (disk->honours_sync) {
            disk_sync_directory(disk);
        }
    }
    pthread_mutex_unlock(&disk->mutex);
    return done;
}

void peersync_disk_remove_file(peersync_disk *disk, const char *name) {
    pthread_mutex_lock(&disk->mutex);
    struct node *node = disk_find(disk, name);
    if (node != NULL && !disk_fails(disk, PEERSYNC_DISK_DELETE)) {
        disk_unlink(disk, node);
    }
    pthread_mutex_unlock(&disk->mutex);
}

uint64_t peersync_disk_file_size(peersync_disk *disk, const char *name) {
    pthread_mutex_lock(&disk->mutex);
    struct node *node = disk_find(disk, name);
    uint64_t size = node == NULL ? 0 : node->content.count;
    pthread_mutex_unlock(&disk->mutex);
    return size;
}

uint64_t peersync_disk_file_identity(peersync_disk *disk, const char *name) {
    pthread_mutex_lock(&disk->mutex);
    struct node *node = disk_find(disk, name);
    uint64_t identity = node == NULL ? 0 : node->identity;
    pthread_mutex_unlock(&disk->mutex);
    return identity;
}
