#pragma once

/* What SQLite offers and Swift cannot call. */

#include <sqlite3.h>
#include <stddef.h>

/* When to write the WAL back into the database file, and the first error of doing so. */
struct peersync_checkpoints {
    /* Pages in the WAL after a commit. */
    int after_pages;
    /* An extended result code of SQLite. */
    int error;
};

/* SQLite's own automatic checkpoint tells nobody when it fails. Here the error is kept; the commit
   before it is durable all the same. That others read, or that there is no room in the file, only
   means that the WAL grows on. */
static inline int peersync_checkpoint(void *context, sqlite3 *db, const char *name, int pages) {
    struct peersync_checkpoints *checkpoints = (struct peersync_checkpoints *)context;
    if (pages < checkpoints->after_pages || checkpoints->error != SQLITE_OK) {
        return SQLITE_OK;
    }
    int answer = sqlite3_wal_checkpoint_v2(db, name, SQLITE_CHECKPOINT_PASSIVE, 0, 0);
    int primary = answer & 0xFF;
    if (primary != SQLITE_BUSY && primary != SQLITE_LOCKED && primary != SQLITE_FULL) {
        checkpoints->error = answer;
    }
    return SQLITE_OK;
}

/* Lets a connection write back as `checkpoints` says, which has to outlive it, and not when it is
   closed: nobody would learn of an error. */
static inline void peersync_checkpoint_by(
    sqlite3 *db, struct peersync_checkpoints *checkpoints) {
    sqlite3_wal_hook(db, peersync_checkpoint, checkpoints);
    sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (void *)0);
}

/* Writes the WAL over itself, byte for byte, and syncs it; needs no room. For a connection that has
   read once and is the only one. Returns a result code of SQLite. */
static inline int peersync_write_wal_again(sqlite3 *db) {
    sqlite3_file *wal = NULL;
    int answer = sqlite3_file_control(db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &wal);
    if (answer != SQLITE_OK || wal == NULL || wal->pMethods == NULL) {
        return answer;
    }
    sqlite3_int64 size = 0;
    answer = wal->pMethods->xFileSize(wal, &size);
    char bytes[16384];
    for (sqlite3_int64 offset = 0; answer == SQLITE_OK && offset < size;) {
        sqlite3_int64 left = size - offset;
        int count = left < (sqlite3_int64)sizeof bytes ? (int)left : (int)sizeof bytes;
        answer = wal->pMethods->xRead(wal, bytes, count, offset);
        if (answer == SQLITE_OK) {
            answer = wal->pMethods->xWrite(wal, bytes, count, offset);
        }
        offset += count;
    }
    return answer == SQLITE_OK ? wal->pMethods->xSync(wal, SQLITE_SYNC_NORMAL) : answer;
}

/* Swift cannot name SQLITE_TRANSIENT. A pointer that is NULL would bind NULL, not nothing. */
static inline int peersync_bind_bytes(
    sqlite3_stmt *statement, int place, const void *bytes, sqlite3_uint64 count) {
    return count == 0 ? sqlite3_bind_zeroblob(statement, place, 0)
                      : sqlite3_bind_blob64(statement, place, bytes, count, SQLITE_TRANSIENT);
}

static inline int peersync_bind_text(
    sqlite3_stmt *statement, int place, const void *text, sqlite3_uint64 count) {
    return sqlite3_bind_text64(
        statement, place, count == 0 ? "" : (const char *)text, count, SQLITE_TRANSIENT,
        SQLITE_UTF8);
}
