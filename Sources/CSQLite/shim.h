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

/* Where the words of a page that one lane of its checksum takes in end: what is left is 3 words. */
enum { peersync_xxh_stripes = (peersync_page_bytes - peersync_checksum_bytes) / 32 };

static const uint64_t peersync_xxh_prime1 = 0x9E3779B185EBCA87;
static const uint64_t peersync_xxh_prime2 = 0xC2B2AE3D27D4EB4F;

static inline void peersync_xxh_begin(uint64_t lanes[4], uint64_t number) {
    lanes[0] = number + peersync_xxh_prime1 + peersync_xxh_prime2;
    lanes[1] = number + peersync_xxh_prime2;
    lanes[2] = number;
    lanes[3] = number - peersync_xxh_prime1;
}

static inline uint64_t peersync_xxh_round(uint64_t lane, uint64_t word) {
    return peersync_xxh_turn(lane + word * peersync_xxh_prime2, 31) * peersync_xxh_prime1;
}

/* The checksum, by the lanes and the words that are left. */
static inline uint64_t peersync_xxh_finish(const uint64_t lanes[4], const uint64_t rest[3]) {
    const uint64_t prime3 = 0x165667B19E3779F9, prime4 = 0x85EBCA77C2B2AE63;
    uint64_t sum = peersync_xxh_turn(lanes[0], 1) + peersync_xxh_turn(lanes[1], 7) +
                   peersync_xxh_turn(lanes[2], 12) + peersync_xxh_turn(lanes[3], 18);
    for (int lane = 0; lane < 4; lane += 1) {
        sum ^= peersync_xxh_round(0, lanes[lane]);
        sum = sum * peersync_xxh_prime1 + prime4;
    }
    sum += peersync_page_bytes - peersync_checksum_bytes;
    for (int word = 0; word < 3; word += 1) {
        sum ^= peersync_xxh_round(0, rest[word]);
        sum = peersync_xxh_turn(sum, 27) * peersync_xxh_prime1 + prime4;
    }
    sum = (sum ^ sum >> 33) * peersync_xxh_prime2;
    sum = (sum ^ sum >> 29) * prime3;
    return sum ^ sum >> 32;
}

/* XXH64 of the page without its last 8 bytes (github.com/Cyan4973/xxHash, doc/xxhash_spec.md). The
   seed is the number of the page, so that a page in another's place is noticed too. */
static inline uint64_t peersync_page_checksum(const unsigned char *page, uint64_t number) {
    uint64_t lanes[4], rest[3];
    peersync_xxh_begin(lanes, number);
    for (int stripe = 0; stripe < peersync_xxh_stripes; stripe += 1, page += 32) {
        for (int lane = 0; lane < 4; lane += 1) {
            lanes[lane] = peersync_xxh_round(lanes[lane], peersync_xxh_word(page + 8 * lane));
        }
    }
    for (int word = 0; word < 3; word += 1) {
        rest[word] = peersync_xxh_word(page + 8 * word);
    }
    return peersync_xxh_finish(lanes, rest);
}

/* Whether the last 8 bytes of a page, little endian, are the checksum of what stands before them. */
static inline int peersync_page_holds(const void *page, uint64_t number) {
    const unsigned char *bytes = (const unsigned char *)page;
    return peersync_xxh_word(bytes + peersync_page_bytes - peersync_checksum_bytes) ==
           peersync_page_checksum(bytes, number);
}

/* Turns back the one bit of a page whose checksum does not hold that makes it hold. Returns 0, and
   leaves the page as it is, when no single bit does: each of the 32,768 is tried, from the lane on that
   it changes. That a wrong one fits has a chance of 1 in 2^49. */
static inline int peersync_mend_page(void *bytes, uint64_t number) {
    enum { content = peersync_page_bytes - peersync_checksum_bytes };
    unsigned char *page = (unsigned char *)bytes;
    const uint64_t stored = peersync_xxh_word(page + content);
    uint64_t words[content / 8], before[content / 8], lanes[4];
    for (int word = 0; word < content / 8; word += 1) {
        words[word] = peersync_xxh_word(page + 8 * word);
    }
    peersync_xxh_begin(lanes, number);
    for (int word = 0; word < 4 * peersync_xxh_stripes; word += 1) {
        before[word] = lanes[word % 4];
        lanes[word % 4] = peersync_xxh_round(lanes[word % 4], words[word]);
    }
    uint64_t *rest = words + 4 * peersync_xxh_stripes;
    for (int word = 0; word <= content / 8; word += 1) {
        for (int bit = 0; bit < 64; bit += 1) {
            const uint64_t turned = (uint64_t)1 << bit;
            uint64_t sum;
            if (word == content / 8) {
                sum = peersync_xxh_finish(lanes, rest) ^ turned;
            } else if (word >= 4 * peersync_xxh_stripes) {
                words[word] ^= turned;
                sum = peersync_xxh_finish(lanes, rest);
                words[word] ^= turned;
            } else {
                uint64_t lane = peersync_xxh_round(before[word], words[word] ^ turned);
                for (int next = word + 4; next < 4 * peersync_xxh_stripes; next += 4) {
                    lane = peersync_xxh_round(lane, words[next]);
                }
                const uint64_t whole = lanes[word % 4];
                lanes[word % 4] = lane;
                sum = peersync_xxh_finish(lanes, rest);
                lanes[word % 4] = whole;
            }
            if (sum == stored) {
                page[8 * word + bit / 8] ^= (unsigned char)(1 << bit % 8);
                return 1;
            }
        }
    }
    return 0;
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
