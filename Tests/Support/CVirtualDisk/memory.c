/* Bytes that grow, and the disk's own randomness. */

#include "disk.h"

#include <stdlib.h>
#include <string.h>

/* A test process without memory can conclude nothing, so it ends here and not in a wrong verdict. */
void *sure_realloc(void *old, size_t bytes) {
    void *found = realloc(old, bytes > 0 ? bytes : 1);
    if (found == NULL) {
        abort();
    }
    return found;
}

/* Names outlive the paths that SQLite passes in. */
char *sure_copy(const char *text) {
    size_t count = strlen(text) + 1;
    return memcpy(sure_realloc(NULL, count), text, count);
}

/* SplitMix64: one number of state, so that a run's randomness is copied by copying a number. */
uint64_t next_random(uint64_t *state) {
    *state += 0x9E3779B97F4A7C15;
    uint64_t mixed = *state;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB;
    return mixed ^ mixed >> 31;
}

/* Draws even when the answer is sure, so that a run's later draws do not depend on the percentage. */
bool chance(uint64_t *state, unsigned percent) {
    return next_random(state) % 100 < percent;
}

/* New bytes are zero, as in a file that is made longer. */
void bytes_resize(struct bytes *bytes, size_t count) {
    if (count > bytes->capacity) {
        size_t capacity = bytes->capacity * 2 > count ? bytes->capacity * 2 : count;
        bytes->start = sure_realloc(bytes->start, capacity);
        bytes->capacity = capacity;
    }
    if (count > bytes->count) {
        memset(bytes->start + bytes->count, 0, count - bytes->count);
    }
    bytes->count = count;
}

/* Writes as a file does: behind the end leaves zeros between. */
void bytes_put(struct bytes *bytes, uint64_t offset, const void *from, size_t count) {
    if (offset + count > bytes->count) {
        bytes_resize(bytes, offset + count);
    }
    if (count > 0) {
        memcpy(bytes->start + offset, from, count);
    }
}

/* Keeps the room that is there: copies are made often and are about equally long. */
void bytes_assign(struct bytes *bytes, const struct bytes *other) {
    bytes->count = 0;
    bytes_put(bytes, 0, other->start, other->count);
}

/* Leaves empty bytes that can be used again. */
void bytes_free(struct bytes *bytes) {
    free(bytes->start);
    *bytes = (struct bytes){0};
}
