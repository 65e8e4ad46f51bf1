#pragma once

/* When a file was made, which Swift's Glibc module has no call for.

   _GNU_SOURCE stays undefined: it changes types that Swift's Glibc module defines as well. */

#include <fcntl.h>
#include <linux/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

struct peersync_file_birth {
    unsigned long long device;
    unsigned long long inode;
    /* Since 1970; both zero where the file system keeps no birth time. */
    long long seconds;
    unsigned int nanoseconds;
};

/* Returns -1 and sets errno when the file cannot be looked at. */
static inline int peersync_file_birth(const char *path, struct peersync_file_birth *birth) {
    struct statx found;
    if (syscall(SYS_statx, AT_FDCWD, path, 0, STATX_INO | STATX_BTIME, &found) != 0) {
        return -1;
    }
    birth->device = (unsigned long long)found.stx_dev_major << 32 | found.stx_dev_minor;
    birth->inode = found.stx_ino;
    birth->seconds = found.stx_mask & STATX_BTIME ? found.stx_btime.tv_sec : 0;
    birth->nanoseconds = found.stx_mask & STATX_BTIME ? found.stx_btime.tv_nsec : 0;
    return 0;
}
