#pragma once

/* What SQLite offers and Swift cannot call. */

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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

/* Pages of the database file, and what of each is left to its checksum (sqlite.org/fileformat2.html,
   1.3.4: reserved bytes). */
enum { peersync_page_bytes = 4096, peersync_checksum_bytes = 8 };

/* The extended result code for a page that is not what was written. */
enum { peersync_page_damaged = SQLITE_IOERR_DATA };

static inline uint64_t peersync_xxh_turn(uint64_t word, int bits) {
    return word << bits | word >> (64 - bits);
}

static inline uint64_t peersync_xxh_word(const unsigned char *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/* XXH64 of the page without its last 8 bytes (github.com/Cyan4973/xxHash, doc/xxhash_spec.md). The
   seed is the number of the page, so that a page in another's place is noticed too. */
static inline uint64_t peersync_page_checksum(const unsigned char *page, uint64_t number) {
    const uint64_t prime1 = 0x9E3779B185EBCA87, prime2 = 0xC2B2AE3D27D4EB4F;
    const uint64_t prime3 = 0x165667B19E3779F9, prime4 = 0x85EBCA77C2B2AE63;
    const unsigned char *end = page + peersync_page_bytes - peersync_checksum_bytes;
    uint64_t lanes[4] = {number + prime1 + prime2, number + prime2, number, number - prime1};
    for (; end - page >= 32; page += 32) {
        for (int lane = 0; lane < 4; lane += 1) {
            lanes[lane] += peersync_xxh_word(page + 8 * lane) * prime2;
            lanes[lane] = peersync_xxh_turn(lanes[lane], 31) * prime1;
        }
    }
    uint64_t sum = peersync_xxh_turn(lanes[0], 1) + peersync_xxh_turn(lanes[1], 7) +
                   peersync_xxh_turn(lanes[2], 12) + peersync_xxh_turn(lanes[3], 18);
    for (int lane = 0; lane < 4; lane += 1) {
        sum ^= peersync_xxh_turn(lanes[lane] * prime2, 31) * prime1;
        sum = sum * prime1 + prime4;
    }
    sum += peersync_page_bytes - peersync_checksum_bytes;
    for (; end - page >= 8; page += 8) {
        sum ^= peersync_xxh_turn(peersync_xxh_word(page) * prime2, 31) * prime1;
        sum = peersync_xxh_turn(sum, 27) * prime1 + prime4;
    }
    sum = (sum ^ sum >> 33) * prime2;
    sum = (sum ^ sum >> 29) * prime3;
    return sum ^ sum >> 32;
}

/* Whether the last 8 bytes of a page, little endian, are the checksum of what stands before them. */
static inline int peersync_page_holds(const void *page, uint64_t number) {
    const unsigned char *bytes = (const unsigned char *)page;
    return peersync_xxh_word(bytes + peersync_page_bytes - peersync_checksum_bytes) ==
           peersync_page_checksum(bytes, number);
}

/* The methods of a database file whose pages carry checksums; `below` are those of its VFS. */
struct peersync_checked_methods {
    sqlite3_io_methods methods;
    const sqlite3_io_methods *below;
    struct peersync_checked_methods *next;
};

/* A page that is not what was written is an error of reading, and so is one that the file lost. */
static inline int peersync_read_checked(
    sqlite3_file *file, void *to, int count, sqlite3_int64 offset) {
    const struct peersync_checked_methods *methods =
        (const struct peersync_checked_methods *)file->pMethods;
    int answer = methods->below->xRead(file, to, count, offset);
    if (count != peersync_page_bytes || offset % peersync_page_bytes != 0) {
        return answer;
    }
    if (answer == SQLITE_IOERR_SHORT_READ && offset > 0) {
        return peersync_page_damaged;
    }
    if (answer == SQLITE_OK &&
        !peersync_page_holds(to, (uint64_t)(offset / peersync_page_bytes) + 1)) {
        return peersync_page_damaged;
    }
    return answer;
}

static inline int peersync_write_checked(
    sqlite3_file *file, const void *from, int count, sqlite3_int64 offset) {
    const struct peersync_checked_methods *methods =
        (const struct peersync_checked_methods *)file->pMethods;
    unsigned char page[peersync_page_bytes];
    if (count != peersync_page_bytes || offset % peersync_page_bytes != 0) {
        return methods->below->xWrite(file, from, count, offset);
    }
    memcpy(page, from, peersync_page_bytes);
    uint64_t sum =
        peersync_page_checksum(page, (uint64_t)(offset / peersync_page_bytes) + 1);
    for (int place = 0; place < peersync_checksum_bytes; place += 1) {
        page[peersync_page_bytes - peersync_checksum_bytes + place] =
            (unsigned char)(sum >> 8 * place);
    }
    return methods->below->xWrite(file, page, count, offset);
}

/* Lets a connection write a checksum with each page of its database file and, with `verifies`, take
   no page without one. For a connection that has read nothing yet. Returns a result code of SQLite. */
static inline int peersync_check_pages(sqlite3 *db, int verifies) {
    static struct peersync_checked_methods *known;
    sqlite3_file *file = NULL;
    int answer = sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (answer != SQLITE_OK) {
        return answer;
    }
    if (file == NULL || file->pMethods == NULL) {
        return SQLITE_MISUSE;
    }
    int reserved = peersync_checksum_bytes;
    answer = sqlite3_file_control(db, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved);
    if (answer != SQLITE_OK) {
        return answer;
    }
    int (*read)(sqlite3_file *, void *, int, sqlite3_int64) =
        verifies ? peersync_read_checked : file->pMethods->xRead;
    sqlite3_mutex *mutex = sqlite3_mutex_alloc(SQLITE_MUTEX_STATIC_APP1);
    sqlite3_mutex_enter(mutex);
    struct peersync_checked_methods *methods = known;
    while (methods != NULL &&
           (methods->below != file->pMethods || methods->methods.xRead != read)) {
        methods = methods->next;
    }
    if (methods == NULL) {
        // One for each VFS, kept for good.
        methods = (struct peersync_checked_methods *)calloc(1, sizeof *methods);
        if (methods != NULL) {
            methods->methods = *file->pMethods;
            // Without the methods of version 3, which map pages into memory.
            methods->methods.iVersion = 2;
            methods->methods.xRead = read;
            methods->methods.xWrite = peersync_write_checked;
            methods->below = file->pMethods;
            methods->next = known;
            known = methods;
        }
    }
    sqlite3_mutex_leave(mutex);
    if (methods == NULL) {
        return SQLITE_NOMEM;
    }
    file->pMethods = &methods->methods;
    return SQLITE_OK;
}

/* Goes on with both sums of a WAL over pairs of words (sqlite.org/fileformat2.html, 4.2). */
static inline void peersync_wal_sums(
    const void *bytes, size_t count, int is_big_endian, uint32_t *first, uint32_t *second) {
    const unsigned char *place = (const unsigned char *)bytes;
    for (size_t at = 0; at + 8 <= count; at += 8, place += 8) {
        uint32_t words[2];
        for (int word = 0; word < 2; word += 1) {
            const unsigned char *four = place + 4 * word;
            words[word] = is_big_endian
                              ? (uint32_t)four[0] << 24 | (uint32_t)four[1] << 16 |
                                    (uint32_t)four[2] << 8 | four[3]
                              : (uint32_t)four[3] << 24 | (uint32_t)four[2] << 16 |
                                    (uint32_t)four[1] << 8 | four[0];
        }
        *first += words[0] + *second;
        *second += words[1] + *first;
    }
}
