#pragma once

/* What SQLite offers for checkpoints and Swift cannot call: a hook, and a variadic function. */

#include <sqlite3.h>

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
