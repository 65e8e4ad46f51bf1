#pragma once

/* A disk in memory under SQLite, whose power can be cut.

   Once the first disk exists, SQLite's default VFS serves every path below
   /peersync-virtual/<number>/ from memory and passes every other path on to the VFS that was the
   default before. All functions may be called from any thread.

   A write, truncation, creation or deletion is visible at once and durable only after the sync that
   SQLite asks for: xSync of the file, which also makes a new file's directory entry durable, or
   xDelete with syncDir. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One disk: files by name, and what of them is durable. */
typedef struct peersync_disk peersync_disk;
/* An immutable copy of a disk's files. */
typedef struct peersync_disk_image peersync_disk_image;

/* The calls that are counted and can be made to fail. */
enum peersync_disk_call {
    PEERSYNC_DISK_OPEN,
    PEERSYNC_DISK_READ,
    PEERSYNC_DISK_WRITE,
    PEERSYNC_DISK_SYNC,
    PEERSYNC_DISK_TRUNCATE,
    PEERSYNC_DISK_DELETE,
    /* Getting a further piece of the memory that connections share in WAL mode. */
    PEERSYNC_DISK_MAP,
    /* Writing a small file beside the store. */
    PEERSYNC_DISK_ASIDE,
    PEERSYNC_DISK_CALLS
};

/* An empty disk with the next free number; the seed decides how its files can be told apart. */
peersync_disk *peersync_disk_new(uint64_t seed);
/* Handles that are still open answer with errors from then on. */
void peersync_disk_free(peersync_disk *disk);
/* The number in the disk's paths. */
uint64_t peersync_disk_number(const peersync_disk *disk);

/* Cuts the power: what was not synced survives or not as the seed decides; open handles are dead. */
void peersync_disk_cut_power(peersync_disk *disk, uint64_t seed);
/* Ends the process that has files open: nothing is lost, nothing becomes durable. */
void peersync_disk_end_process(peersync_disk *disk);

/* The files as a reader sees them now. */
peersync_disk_image *peersync_disk_copy(peersync_disk *disk);
void peersync_disk_image_free(peersync_disk_image *image);
/* Replaces all files by durable ones of the image; open handles are dead. As copies they are told
   apart from those the image was taken of. */
void peersync_disk_restore(
    peersync_disk *disk, const peersync_disk_image *image, bool as_copies);

/* False: syncs are answered, and nothing becomes durable. */
void peersync_disk_set_honours_sync(peersync_disk *disk, bool honours);
/* The bytes that files and shared memory may have together; UINT64_MAX without a limit. */
void peersync_disk_set_capacity(peersync_disk *disk, uint64_t bytes);
/* The bytes that files and shared memory have now. */
uint64_t peersync_disk_used(peersync_disk *disk);
/* The bytes that they may still grow by. */
uint64_t peersync_disk_room(peersync_disk *disk);
/* Lets `after` calls of a kind succeed and then `count` calls fail; a count of 0 ends it. */
void peersync_disk_set_failure(
    peersync_disk *disk, enum peersync_disk_call call, uint64_t after, uint64_t count);
/* Lets `after` calls of a kind succeed; at the next one the power goes: from then on nothing is
   answered until peersync_disk_cut_power decides what survived. That call may have been done. */
void peersync_disk_set_power_loss(
    peersync_disk *disk, enum peersync_disk_call call, uint64_t after);
/* Calls of one kind since the disk was made, failed ones too. */
uint64_t peersync_disk_calls(peersync_disk *disk, enum peersync_disk_call call);

/* What the program does with files without SQLite. Names are those below the disk's directory. */

/* Makes an empty file when there is none. Returns its size in bytes, -1 when it cannot be made. */
int64_t peersync_disk_prepare_file(peersync_disk *disk, const char *name);
/* Reads from a file. Returns the count of bytes, -1 without the file, -2 when reading fails. */
int64_t peersync_disk_read_file(
    peersync_disk *disk, const char *name, uint64_t offset, uint8_t *bytes, size_t count);
/* Writes into a file, made when it is not there. Returns whether that was done. */
bool peersync_disk_write_file(
    peersync_disk *disk, const char *name, uint64_t offset, const uint8_t *bytes, size_t count);
/* Has a file hold these bytes: durably, or what it held before. Returns whether that was done. */
bool peersync_disk_replace_file(
    peersync_disk *disk, const char *name, const uint8_t *bytes, size_t count);
/* Makes durable what a file holds, where there is one, and which files there are. Returns whether that
   was done. */
bool peersync_disk_sync_file(peersync_disk *disk, const char *name);
/* Gives a file another name, durably. Returns whether that was done. */
bool peersync_disk_rename_file(peersync_disk *disk, const char *from, const char *to);
/* Deletes a file that may be there; it may be there again after a power cut. */
void peersync_disk_remove_file(peersync_disk *disk, const char *name);
/* The bytes of a file; 0 without the file. */
uint64_t peersync_disk_file_size(peersync_disk *disk, const char *name);
/* What tells a file from its copies; 0 without the file. */
uint64_t peersync_disk_file_identity(peersync_disk *disk, const char *name);
