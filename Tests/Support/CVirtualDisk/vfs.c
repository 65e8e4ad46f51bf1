/* The functions SQLite calls: those of a file, and those of the file system (sqlite.org/vfs.html). */

#include "disk.h"

#include <string.h>

/* The VFS that was the default before; paths outside the virtual root are its business. */
static sqlite3_vfs *real_vfs;

/* A dead or failing file answers nothing else; called with the mutex held. */
static bool is_out_of_order(struct handle *handle, enum peersync_disk_call call) {
    return handle->node->dead || disk_fails(handle->disk, call);
}

/* A short read is zeros behind the end, and an error that SQLite expects. */
static int virtual_read(sqlite3_file *file, void *to, int count, sqlite3_int64 offset) {
    struct handle *handle = (struct handle *)file;
    const struct bytes *content = &handle->node->content;
    int answer = SQLITE_OK;
    pthread_mutex_lock(&handle->disk->mutex);
    if (is_out_of_order(handle, PEERSYNC_DISK_READ)) {
        answer = SQLITE_IOERR_READ;
    } else {
        size_t wanted = (size_t)count, start = (size_t)offset, found = 0;
        if (start < content->count) {
            found = content->count - start < wanted ? content->count - start : wanted;
            memcpy(to, content->start + start, found);
        }
        if (found < wanted) {
            memset((uint8_t *)to + found, 0, wanted - found);
            answer = SQLITE_IOERR_SHORT_READ;
        }
    }
    pthread_mutex_unlock(&handle->disk->mutex);
    return answer;
}

/* How much of a write has room, overwriting always has; called with the mutex held. */
static size_t room(struct handle *handle, size_t offset, size_t count) {
    size_t size = handle->node->content.count;
    size_t end = offset + count;
    if (end <= size || handle->disk->capacity == UINT64_MAX) {
        return count;
    }
    uint64_t left = disk_room(handle->disk);
    uint64_t last = size + left < end ? size + left : end;
    return last > offset ? (size_t)last - offset : 0;
}

/* A write that fails or finds the disk full may have been done in part, as write(2) may. */
static int virtual_write(sqlite3_file *file, const void *from, int count, sqlite3_int64 offset) {
    struct handle *handle = (struct handle *)file;
    int answer = SQLITE_OK;
    pthread_mutex_lock(&handle->disk->mutex);
    if (handle->node->dead) {
        answer = SQLITE_IOERR_WRITE;
    } else {
        size_t written = room(handle, (size_t)offset, (size_t)count);
        if (written < (size_t)count) {
            answer = SQLITE_FULL;
        }
        if (disk_fails(handle->disk, PEERSYNC_DISK_WRITE)) {
            answer = SQLITE_IOERR_WRITE;
            written /= handle->disk->is_off ? 1 : 2;
        }
        if (written > 0) {
            node_write(handle->node, (uint64_t)offset, from, written);
        }
    }
    pthread_mutex_unlock(&handle->disk->mutex);
    return answer;
}

/* Also makes a file longer where SQLite asks for it, which a full disk can refuse. */
static int virtual_truncate(sqlite3_file *file, sqlite3_int64 size) {
    struct handle *handle = (struct handle *)file;
    int answer = SQLITE_OK;
    pthread_mutex_lock(&handle->disk->mutex);
    size_t now = handle->node->content.count;
    if (is_out_of_order(handle, PEERSYNC_DISK_TRUNCATE)) {
        answer = SQLITE_IOERR_TRUNCATE;
    } else if ((size_t)size > now && room(handle, now, (size_t)size - now) < (size_t)size - now) {
        answer = SQLITE_FULL;
    } else {
        node_truncate(handle->node, (uint64_t)size);
    }
    pthread_mutex_unlock(&handle->disk->mutex);
    return answer;
}

/* The unix VFS syncs the directory with the first sync of a journal or WAL that it created. */
static int virtual_sync(sqlite3_file *file, int flags) {
    struct handle *handle = (struct handle *)file;
    int answer = SQLITE_OK;
    (void)flags;
    pthread_mutex_lock(&handle->disk->mutex);
    if (handle->node->dead) {
        answer = SQLITE_IOERR_FSYNC;
    } else if (disk_fails(handle->disk, PEERSYNC_DISK_SYNC)) {
        // At a power cut, the disk may have been writing.
        if (!handle->disk->is_off) {
            node_forget_unsynced(handle->node);
        }
        answer = SQLITE_IOERR_FSYNC;
    } else if (handle->disk->honours_sync) {
        node_sync(handle->node);
        if (handle->syncs_directory) {
            disk_sync_directory(handle->disk);
            handle->syncs_directory = false;
        }
    }
    pthread_mutex_unlock(&handle->disk->mutex);
    return answer;
}

/* The size that readers see. */
static int virtual_file_size(sqlite3_file *file, sqlite3_int64 *size) {
    struct handle *handle = (struct handle *)file;
    pthread_mutex_lock(&handle->disk->mutex);
    bool is_dead = handle->node->dead;
    *size = (sqlite3_int64)handle->node->content.count;
    pthread_mutex_unlock(&handle->disk->mutex);
    return is_dead ? SQLITE_IOERR_FSTAT : SQLITE_OK;
}

/* No control operation is needed: SQLite takes "not found" for "does not matter here". */
static int virtual_file_control(sqlite3_file *file, int operation, void *argument) {
    (void)file, (void)operation, (void)argument;
    return SQLITE_NOTFOUND;
}

/* What the unix VFS says, so that SQLite writes what it would write in reality. */
static int virtual_sector_size(sqlite3_file *file) {
    (void)file;
    return 4096;
}

/* As the unix VFS: a power cut damages no byte outside the write that it tears. */
static int virtual_characteristics(sqlite3_file *file) {
    (void)file;
    return SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}

/* Gives back what the handle holds; works on a dead file, too. */
static int virtual_close(sqlite3_file *file) {
    struct handle *handle = (struct handle *)file;
    pthread_mutex_lock(&handle->disk->mutex);
    handle_drop_locks(handle);
    if (handle->deletes_on_close && handle->node->linked && !handle->node->dead) {
        disk_unlink(handle->disk, handle->node);
    }
    node_release(handle->node);
    file->pMethods = NULL;
    disk_release(handle->disk);
    return SQLITE_OK;
}

/* Version 2: shared memory, no memory-mapped pages, which a power cut could not tear. */
static const sqlite3_io_methods file_methods = {
    .iVersion = 2,
    .xClose = virtual_close,
    .xRead = virtual_read,
    .xWrite = virtual_write,
    .xTruncate = virtual_truncate,
    .xSync = virtual_sync,
    .xFileSize = virtual_file_size,
    .xLock = virtual_lock,
    .xUnlock = virtual_unlock,
    .xCheckReservedLock = virtual_check_reserved,
    .xFileControl = virtual_file_control,
    .xSectorSize = virtual_sector_size,
    .xDeviceCharacteristics = virtual_characteristics,
    .xShmMap = virtual_shm_map,
    .xShmLock = virtual_shm_lock,
    .xShmBarrier = virtual_shm_barrier,
    .xShmUnmap = virtual_shm_unmap,
};

/* Whether a path is ours, also when its disk is gone: such a path must not reach the real VFS. */
static bool is_virtual(const char *path) {
    return path != NULL && strncmp(path, VIRTUAL_ROOT, sizeof VIRTUAL_ROOT - 1) == 0;
}

/* Fills the handle of a virtual file; called with the disk's mutex held. */
static int open_node(
    struct peersync_disk *disk, const char *name, struct handle *handle, int flags) {
    struct node *node = disk_find(disk, name);
    bool may_create = flags & SQLITE_OPEN_CREATE, must_create = flags & SQLITE_OPEN_EXCLUSIVE;
    if (disk_fails(disk, PEERSYNC_DISK_OPEN) || (node == NULL && !may_create)
        || (node != NULL && may_create && must_create)) {
        return SQLITE_CANTOPEN;
    }
    int journals = SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL | SQLITE_OPEN_WAL;
    *handle = (struct handle){
        .base.pMethods = &file_methods,
        .disk = disk,
        .reads_only = flags & SQLITE_OPEN_READONLY,
        .deletes_on_close = flags & SQLITE_OPEN_DELETEONCLOSE,
        .syncs_directory = may_create && (flags & journals) != 0,
    };
    handle->node = node == NULL ? disk_create(disk, name) : node;
    handle->node->references += 1;
    disk->references += 1;
    return SQLITE_OK;
}

/* The real VFS gets itself as argument: it keeps its lock methods in its own structure. */
static int virtual_open(
    sqlite3_vfs *vfs, sqlite3_filename path, sqlite3_file *file, int flags, int *given) {
    (void)vfs;
    if (!is_virtual(path)) {
        return real_vfs->xOpen(real_vfs, path, file, flags, given);
    }
    const char *name = NULL;
    file->pMethods = NULL;
    struct peersync_disk *disk = disk_lock_at(path, &name);
    if (disk == NULL) {
        return SQLITE_CANTOPEN;
    }
    int answer = open_node(disk, name, (struct handle *)file, flags);
    disk_unlock(disk);
    if (answer == SQLITE_OK && given != NULL) {
        *given = flags;
    }
    return answer;
}

/* A file that is not there is an answer of its own, which SQLite takes for success. */
static int virtual_delete(sqlite3_vfs *vfs, const char *path, int syncs_directory) {
    (void)vfs;
    if (!is_virtual(path)) {
        return real_vfs->xDelete(real_vfs, path, syncs_directory);
    }
    const char *name = NULL;
    struct peersync_disk *disk = disk_lock_at(path, &name);
    if (disk == NULL) {
        return SQLITE_IOERR_DELETE;
    }
    int answer = SQLITE_OK;
    struct node *node = disk_find(disk, name);
    if (disk_fails(disk, PEERSYNC_DISK_DELETE)) {
        answer = SQLITE_IOERR_DELETE;
    } else if (node == NULL) {
        answer = SQLITE_IOERR_DELETE_NOENT;
    } else {
        disk_unlink(disk, node);
        if (syncs_directory && disk->honours_sync) {
            disk_sync_directory(disk);
        }
    }
    disk_unlock(disk);
    return answer;
}

/* As the unix VFS: an empty file does not count as there. */
static int virtual_access(sqlite3_vfs *vfs, const char *path, int flags, int *is_there) {
    (void)vfs;
    if (!is_virtual(path)) {
        return real_vfs->xAccess(real_vfs, path, flags, is_there);
    }
    const char *name = NULL;
    struct peersync_disk *disk = disk_lock_at(path, &name);
    *is_there = 0;
    if (disk != NULL) {
        const struct node *node = disk_find(disk, name);
        *is_there = node != NULL && (flags != SQLITE_ACCESS_EXISTS || node->content.count > 0);
        disk_unlock(disk);
    }
    return SQLITE_OK;
}

/* Virtual paths are full already; the real VFS would look for links in them. */
static int virtual_full_path(sqlite3_vfs *vfs, const char *path, int room, char *full) {
    (void)vfs;
    if (!is_virtual(path)) {
        return real_vfs->xFullPathname(real_vfs, path, room, full);
    }
    if (strlen(path) >= (size_t)room) {
        return SQLITE_CANTOPEN;
    }
    strcpy(full, path);
    return SQLITE_OK;
}

/* The same bytes in every process: SQLite seeds its own generator with them, which makes the salts
   of a WAL and nothing that a store shows. */
static int virtual_randomness(sqlite3_vfs *vfs, int count, char *to) {
    uint64_t state = 0;
    (void)vfs;
    for (int index = 0; index < count; index += 1) {
        to[index] = (char)next_random(&state);
    }
    return count;
}

/* Only two threads that contend for one store wait, and they wait really. */
static int virtual_sleep(sqlite3_vfs *vfs, int microseconds) {
    (void)vfs;
    return real_vfs->xSleep(real_vfs, microseconds);
}

/* A moment that never moves: no run may depend on the clock of the machine. Julian day, ms. */
static int virtual_time(sqlite3_vfs *vfs, sqlite3_int64 *milliseconds) {
    (void)vfs;
    *milliseconds = 212700000000000;
    return SQLITE_OK;
}

/* The older form of the same, in days. */
static int virtual_day(sqlite3_vfs *vfs, double *day) {
    sqlite3_int64 milliseconds = 0;
    virtual_time(vfs, &milliseconds);
    *day = (double)milliseconds / 86400000;
    return SQLITE_OK;
}

/* Nothing below has an error number of its own. */
static int virtual_last_error(sqlite3_vfs *vfs, int count, char *text) {
    (void)vfs;
    return real_vfs->xGetLastError(real_vfs, count, text);
}

/* Libraries and system calls are the real VFS's: it alone has some. It is asked by way of copies
   of its own pointers, whose first argument it does not look at. */
void vfs_register(void) {
    static sqlite3_vfs vfs;
    // Without this every allocation of every connection waits for one mutex; it is refused, and
    // does not matter, once SQLite has started.
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    sqlite3_initialize();
    real_vfs = sqlite3_vfs_find(NULL);
    vfs = *real_vfs;
    vfs.pNext = NULL;
    vfs.zName = "peersync-virtual";
    if (vfs.szOsFile < (int)sizeof(struct handle)) {
        vfs.szOsFile = (int)sizeof(struct handle);
    }
    vfs.xOpen = virtual_open;
    vfs.xDelete = virtual_delete;
    vfs.xAccess = virtual_access;
    vfs.xFullPathname = virtual_full_path;
    vfs.xRandomness = virtual_randomness;
    vfs.xSleep = virtual_sleep;
    vfs.xCurrentTime = virtual_day;
    vfs.xCurrentTimeInt64 = virtual_time;
    vfs.xGetLastError = virtual_last_error;
    sqlite3_vfs_register(&vfs, 1);
}
