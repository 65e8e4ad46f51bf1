#pragma once

/* What the parts of the virtual disk share. Everything here is used under the disk's mutex. */

#include "CVirtualDisk.h"

#include <pthread.h>
#include <sqlite3.h>

#define SECTOR_BYTES 512
/* SQLite's number of WAL locks (SQLITE_SHM_NLOCK). */
#define SHM_LOCKS 8

struct bytes {
    uint8_t *start;
    size_t count, capacity;
};

/* A write or truncation that no sync has covered; a write's bytes stand in the file's `written`. */
struct change {
    bool truncates;
    uint64_t offset;
    size_t count, written_at;
};

struct handle;

/* The memory that the connections to one file share, and its locks. */
struct shared_memory {
    void **regions;
    int region_count, region_bytes, users;
    int shared[SHM_LOCKS];
    struct handle *exclusive[SHM_LOCKS];
};

/* A file. Handles keep it after a power cut, as a dead one beside the file that came out of it. */
struct node {
    char *name;
    uint64_t identity;
    int references;
    bool dead;
    /* Whether the directory names it: as readers see it, and durably. */
    bool linked, durably_linked;
    struct bytes content, durable;
    struct change *changes;
    size_t change_count, change_capacity;
    struct bytes written;
    /* SQLite's file locks: readers, and who is about to write, waits for readers, writes. */
    int readers;
    struct handle *reserved, *pending;
    struct shared_memory memory;
};

/* A creation or deletion that no sync of the directory has covered. */
struct entry_change {
    struct node *node;
    bool creates;
};

/* Which calls of a kind fail; with `takes_power` the first of them is the last that is answered. */
struct failure {
    uint64_t after, count;
    bool takes_power;
};

struct peersync_disk {
    pthread_mutex_t mutex;
    struct peersync_disk *next;
    uint64_t number, random_state, capacity;
    /* The registry's reference and one for each open handle. */
    int references;
    /* Without power the disk answers nothing until it is decided what survived. */
    bool honours_sync, is_off;
    struct node **nodes;
    size_t node_count, node_capacity;
    struct entry_change *entries;
    size_t entry_count, entry_capacity;
    struct failure failures[PEERSYNC_DISK_CALLS];
    uint64_t calls[PEERSYNC_DISK_CALLS];
};

/* What SQLite calls a file. */
struct handle {
    sqlite3_file base;
    struct peersync_disk *disk;
    struct node *node;
    int lock;
    bool deletes_on_close, maps_memory, reads_only, syncs_directory;
    /* Bits of the WAL locks that are held. */
    unsigned shared_mask, exclusive_mask;
};

/* memory.c */
void *sure_realloc(void *old, size_t bytes);
char *sure_copy(const char *text);
uint64_t next_random(uint64_t *state);
bool chance(uint64_t *state, unsigned percent);
void bytes_resize(struct bytes *bytes, size_t count);
void bytes_put(struct bytes *bytes, uint64_t offset, const void *from, size_t count);
void bytes_assign(struct bytes *bytes, const struct bytes *other);
void bytes_free(struct bytes *bytes);

/* node.c */
struct node *node_new(const char *name, uint64_t identity);
void node_release(struct node *node);
void node_write(struct node *node, uint64_t offset, const void *from, size_t count);
void node_truncate(struct node *node, uint64_t size);
void node_sync(struct node *node);
void node_forget_unsynced(struct node *node);
void node_lose_power(struct node *node, uint64_t *random, unsigned percent);

/* disk.c */
bool disk_fails(struct peersync_disk *disk, enum peersync_disk_call call);
struct node *disk_find(struct peersync_disk *disk, const char *name);
struct node *disk_create(struct peersync_disk *disk, const char *name);
void disk_add(struct peersync_disk *disk, struct node *node);
void disk_unlink(struct peersync_disk *disk, struct node *node);
void disk_drop_all(struct peersync_disk *disk);
void disk_sync_directory(struct peersync_disk *disk);
uint64_t disk_used(const struct peersync_disk *disk);
uint64_t disk_room(const struct peersync_disk *disk);
/* The locked disk that a path lies on, and the name there; NULL for a path of another VFS. */
struct peersync_disk *disk_lock_at(const char *path, const char **name);
void disk_unlock(struct peersync_disk *disk);
void disk_release(struct peersync_disk *disk);

/* locks.c */
int virtual_lock(sqlite3_file *file, int level);
int virtual_unlock(sqlite3_file *file, int level);
int virtual_check_reserved(sqlite3_file *file, int *is_reserved);
int virtual_shm_map(
    sqlite3_file *file, int index, int region_bytes, int extends, void volatile **region);
int virtual_shm_lock(sqlite3_file *file, int first, int count, int flags);
void virtual_shm_barrier(sqlite3_file *file);
int virtual_shm_unmap(sqlite3_file *file, int deletes);
void handle_drop_locks(struct handle *handle);

/* vfs.c */
#define VIRTUAL_ROOT "/peersync-virtual/"
void vfs_register(void);
