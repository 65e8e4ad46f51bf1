/* What a test sets and reads, and what the program does with files without SQLite. */

#include "disk.h"

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
    int64_t found = -1;
    struct node *node = disk_find(disk, name);
    if (!disk_fails(disk, PEERSYNC_DISK_READ) && node != NULL) {
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

uint64_t peersync_disk_file_identity(peersync_disk *disk, const char *name) {
    pthread_mutex_lock(&disk->mutex);
    struct node *node = disk_find(disk, name);
    uint64_t identity = node == NULL ? 0 : node->identity;
    pthread_mutex_unlock(&disk->mutex);
    return identity;
}
