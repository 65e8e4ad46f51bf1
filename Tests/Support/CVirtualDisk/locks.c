/* SQLite's file locks and the shared memory of WAL mode, for connections of one process. */

#include "disk.h"

#include <stdlib.h>
#include <string.h>

/* The states of https://sqlite.org/lockingv3.html, kept per file and not by the kernel. */
int virtual_lock(sqlite3_file *file, int level) {
    struct handle *handle = (struct handle *)file;
    struct node *node = handle->node;
    int answer = SQLITE_OK;
    pthread_mutex_lock(&handle->disk->mutex);
    // The kernel gives no write lock to a descriptor that only reads.
    if (node->dead || (handle->reads_only && level > SQLITE_LOCK_SHARED)) {
        answer = SQLITE_IOERR_LOCK;
    } else if (handle->lock >= level) {
        answer = SQLITE_OK;
    } else if (level == SQLITE_LOCK_SHARED) {
        // A reader must not start while a writer waits for readers to finish.
        if (node->pending != NULL) {
            answer = SQLITE_BUSY;
        } else {
            node->readers += 1;
            handle->lock = SQLITE_LOCK_SHARED;
        }
    } else if (
        (node->reserved != NULL && node->reserved != handle)
        || (node->pending != NULL && node->pending != handle)) {
        answer = SQLITE_BUSY;
    } else if (level == SQLITE_LOCK_RESERVED) {
        node->reserved = handle;
        handle->lock = SQLITE_LOCK_RESERVED;
    } else {
        node->pending = handle;
        bool is_alone = node->readers == 1;
        handle->lock = is_alone ? SQLITE_LOCK_EXCLUSIVE : SQLITE_LOCK_PENDING;
        answer = is_alone ? SQLITE_OK : SQLITE_BUSY;
    }
    pthread_mutex_unlock(&handle->disk->mutex);
    return answer;
}

/* SQLite only ever goes back to a shared lock or to none. */
static void drop_to(struct handle *handle, int level) {
    struct node *node = handle->node;
    if (handle->lock <= level) {
        return;
    }
    if (node->reserved == handle) {
        node->reserved = NULL;
    }
    if (node->pending == handle) {
        node->pending = NULL;
    }
    if (level == SQLITE_LOCK_NONE) {
        node->readers -= 1;
    }
    handle->lock = level;
}

/* Succeeds on a dead file too: SQLite must be able to close it. */
int virtual_unlock(sqlite3_file *file, int level) {
    struct handle *handle = (struct handle *)file;
    pthread_mutex_lock(&handle->disk->mutex);
    drop_to(handle, level);
    pthread_mutex_unlock(&handle->disk->mutex);
    return SQLITE_OK;
}

/* Tells whether a hot journal belongs to somebody who is still at work. */
int virtual_check_reserved(sqlite3_file *file, int *is_reserved) {
    struct handle *handle = (struct handle *)file;
    pthread_mutex_lock(&handle->disk->mutex);
    bool is_dead = handle->node->dead;
    *is_reserved = handle->node->reserved != NULL || handle->node->pending != NULL;
    pthread_mutex_unlock(&handle->disk->mutex);
    return is_dead ? SQLITE_IOERR_CHECKRESERVEDLOCK : SQLITE_OK;
}

/* Pieces are never moved: connections keep pointers to them. */
static int extend(struct handle *handle, int index, int region_bytes) {
    struct shared_memory *memory = &handle->node->memory;
    struct peersync_disk *disk = handle->disk;
    while (memory->region_count <= index) {
        // Real shared memory is a file, which does not fit on a full disk.
        if (disk_used(disk) + (uint64_t)region_bytes > disk->capacity) {
            return SQLITE_IOERR_SHMSIZE;
        }
        memory->regions = sure_realloc(
            memory->regions, (size_t)(memory->region_count + 1) * sizeof *memory->regions);
        void *region = sure_realloc(NULL, (size_t)region_bytes);
        memset(region, 0, (size_t)region_bytes);
        memory->regions[memory->region_count] = region;
        memory->region_count += 1;
        memory->region_bytes = region_bytes;
    }
    return SQLITE_OK;
}

/* A piece that nobody has made yet is none, unless the caller wants it made. */
int virtual_shm_map(
    sqlite3_file *file, int index, int region_bytes, int extends, void volatile **region) {
    struct handle *handle = (struct handle *)file;
    struct shared_memory *memory = &handle->node->memory;
    int answer = SQLITE_OK;
    *region = NULL;
    pthread_mutex_lock(&handle->disk->mutex);
    if (handle->node->dead) {
        answer = SQLITE_IOERR_SHMMAP;
    } else if (disk_fails(handle->disk, PEERSYNC_DISK_MAP)) {
        answer = SQLITE_IOERR_SHMMAP;
    } else {
        if (!handle->maps_memory) {
            handle->maps_memory = true;
            memory->users += 1;
        }
        if (extends) {
            answer = extend(handle, index, region_bytes);
        }
        if (answer == SQLITE_OK && index < memory->region_count) {
            *region = memory->regions[index];
        }
    }
    pthread_mutex_unlock(&handle->disk->mutex);
    return answer;
}

/* Gives WAL locks back; locks that are not held stay as they are. */
static void shm_release(struct handle *handle, int first, int count) {
    struct shared_memory *memory = &handle->node->memory;
    for (int index = first; index < first + count; index += 1) {
        unsigned bit = 1u << index;
        if (handle->shared_mask & bit) {
            memory->shared[index] -= 1;
        }
        if (handle->exclusive_mask & bit) {
            memory->exclusive[index] = NULL;
        }
        handle->shared_mask &= ~bit;
        handle->exclusive_mask &= ~bit;
    }
}

/* All of the locks or none, as the unix VFS takes them. */
static int shm_acquire(struct handle *handle, int first, int count, bool is_exclusive) {
    struct shared_memory *memory = &handle->node->memory;
    for (int index = first; index < first + count; index += 1) {
        bool holds_shared = handle->shared_mask & 1u << index;
        struct handle *owner = memory->exclusive[index];
        if ((owner != NULL && owner != handle)
            || (is_exclusive && memory->shared[index] > (holds_shared ? 1 : 0))) {
            return SQLITE_BUSY;
        }
    }
    for (int index = first; index < first + count; index += 1) {
        unsigned bit = 1u << index;
        if (is_exclusive) {
            memory->exclusive[index] = handle;
            handle->exclusive_mask |= bit;
        } else if (!(handle->shared_mask & bit)) {
            memory->shared[index] += 1;
            handle->shared_mask |= bit;
        }
    }
    return SQLITE_OK;
}

/* Never waits: SQLite has its own busy timeout around it. */
int virtual_shm_lock(sqlite3_file *file, int first, int count, int flags) {
    struct handle *handle = (struct handle *)file;
    int answer = SQLITE_OK;
    pthread_mutex_lock(&handle->disk->mutex);
    if (flags & SQLITE_SHM_UNLOCK) {
        shm_release(handle, first, count);
    } else if (handle->node->dead) {
        answer = SQLITE_IOERR_SHMLOCK;
    } else {
        answer = shm_acquire(handle, first, count, flags & SQLITE_SHM_EXCLUSIVE);
    }
    pthread_mutex_unlock(&handle->disk->mutex);
    return answer;
}

/* What a thread wrote to the memory before stands there for the others after; the unix VFS takes
   its mutex here for the same reason. */
void virtual_shm_barrier(sqlite3_file *file) {
    struct handle *handle = (struct handle *)file;
    __sync_synchronize();
    pthread_mutex_lock(&handle->disk->mutex);
    pthread_mutex_unlock(&handle->disk->mutex);
}

/* The last user's going is the end of the memory, so that the next one builds it from the WAL. */
static void leave_memory(struct handle *handle) {
    struct shared_memory *memory = &handle->node->memory;
    if (!handle->maps_memory) {
        return;
    }
    shm_release(handle, 0, SHM_LOCKS);
    handle->maps_memory = false;
    memory->users -= 1;
    if (memory->users > 0) {
        return;
    }
    for (int index = 0; index < memory->region_count; index += 1) {
        free(memory->regions[index]);
    }
    free(memory->regions);
    *memory = (struct shared_memory){0};
}

/* There is no file to delete, so it does not matter what `deletes` says. */
int virtual_shm_unmap(sqlite3_file *file, int deletes) {
    struct handle *handle = (struct handle *)file;
    (void)deletes;
    pthread_mutex_lock(&handle->disk->mutex);
    leave_memory(handle);
    pthread_mutex_unlock(&handle->disk->mutex);
    return SQLITE_OK;
}

/* For closing: a handle that goes must not block the others; called with the mutex held. */
void handle_drop_locks(struct handle *handle) {
    leave_memory(handle);
    drop_to(handle, SQLITE_LOCK_NONE);
}
