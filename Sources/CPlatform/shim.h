#pragma once

/* Linux calls that Swift cannot make itself: variadic functions, macros, and system calls for
   which the C library has no function. Every one returns -1 and sets errno when it fails.

   _GNU_SOURCE stays undefined: it changes types that Swift's Glibc module defines as well. <fcntl.h> stays
   out for the same reason: it defines struct stat. */

#include <linux/fs.h>
#include <linux/openat2.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Closed in every program that is started: O_CLOEXEC. */
static const int peersync_close_on_exec = 02000000;

/* Opens `name` below the directory `directory`: no "..", no absolute path, no symbolic link and no
   mount point can lead anywhere else. */
static inline int peersync_open_beneath(int directory, const char *name, int flags, int mode) {
    struct open_how how;
    memset(&how, 0, sizeof how);
    how.flags = (unsigned long long)(flags | peersync_close_on_exec);
    how.mode = (unsigned long long)mode;
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV;
    return (int)syscall(SYS_openat2, directory, name, &how, sizeof how);
}

/* Makes `destination` share the blocks of `source`, where the file system can. */
static inline int peersync_clone_file(int destination, int source) {
    return ioctl(destination, FICLONE, source);
}

/* Renames within `directory`; EEXIST when `to` is taken. */
static inline int peersync_rename_new(int directory, const char *from, const char *to) {
    return (int)syscall(SYS_renameat2, directory, from, directory, to, RENAME_NOREPLACE);
}

/* Starts writing a file's dirty pages to disk without waiting. */
static inline int peersync_start_writing(int file) {
    const unsigned int write_only = 2; /* SYNC_FILE_RANGE_WRITE, hidden without _GNU_SOURCE */
    return (int)syscall(SYS_sync_file_range, file, 0L, 0L, write_only);
}

/* Takes room on the disk for the first `length` bytes of a file, whose length stays as it is. */
static inline int peersync_reserve(int file, long length) {
    const int keep_size = 1; /* FALLOC_FL_KEEP_SIZE, hidden without _GNU_SOURCE */
    return (int)syscall(SYS_fallocate, file, keep_size, 0L, length);
}

/* Sets soft and hard limit of `resource` (an RLIMIT_ constant). */
static inline int peersync_limit(int resource, unsigned long long value) {
    struct rlimit limit = {(rlim_t)value, (rlim_t)value};
    return setrlimit(resource, &limit);
}

static inline int peersync_limit_memory(unsigned long long bytes) {
    return peersync_limit(RLIMIT_AS, bytes);
}

static inline int peersync_limit_processor(unsigned long long seconds) {
    return peersync_limit(RLIMIT_CPU, seconds);
}

static inline int peersync_limit_files(unsigned long long count) {
    return peersync_limit(RLIMIT_NOFILE, count);
}

static inline int peersync_limit_file_size(unsigned long long bytes) {
    return peersync_limit(RLIMIT_FSIZE, bytes);
}

static inline int peersync_limit_core(unsigned long long bytes) {
    return peersync_limit(RLIMIT_CORE, bytes);
}

/* No program that this process becomes gains rights by being executed. */
static inline int peersync_no_new_privileges(void) {
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

/* The kernel kills this process when the thread that started it ends. */
static inline int peersync_die_with_parent(void) {
    return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
}

/* Closes every file from `first` upwards. */
static inline int peersync_close_from(unsigned int first) {
    return (int)syscall(SYS_close_range, first, ~0U, 0);
}

/* Nanoseconds of the clock `clock` (clock_gettime(2)), -1 if there is none: Swift sees `struct timespec`
   in several modules and does not always find the same one. */
static inline long long peersync_clock_nanoseconds(int clock) {
    struct timespec time;
    if (clock_gettime(clock, &time) != 0) return -1;
    return (long long)time.tv_sec * 1000000000 + time.tv_nsec;
}
