/* Counts what a program does at the borders of its process: a library to preload, so that the program
   itself is the one that people run.

   COUNTERS_SOCKET names a unix socket: the byte b begins a count, the byte e ends it and is answered by a
   line of `name=value` words. COUNTERS_FILE names a file that gets this line when the program ends.
   Under callgrind, instructions are counted between b and e, and dumped at e.

   The bytes of TLS are opaque here, but each record has a header in clear: records are counted, frames
   cannot be. */

#define _GNU_SOURCE

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include <valgrind/callgrind.h>

enum counter { STATEMENTS, TRANSACTIONS, FSYNCS, PROCESSES, BYTES, RECORDS, COUNTERS };

static const char *const names[COUNTERS] = {
    "statements", "transactions", "fsyncs", "processes", "wire_bytes", "TLS_records",
};

/* Shared with children, which count the program that they become before they do. */
static _Atomic uint64_t *counts;

static void count(enum counter counter, uint64_t by) {
    if (counts != NULL) {
        atomic_fetch_add_explicit(&counts[counter], by, memory_order_relaxed);
    }
}

/* What the program would have called. */
static struct {
    __typeof__(&sqlite3_step) sqlite3_step;
    __typeof__(&sqlite3_prepare_v2) sqlite3_prepare_v2;
    __typeof__(&sqlite3_prepare_v3) sqlite3_prepare_v3;
    __typeof__(&fsync) fsync, fdatasync, syncfs;
    __typeof__(&execve) execve;
    __typeof__(&execv) execv, execvp;
    __typeof__(&posix_spawn) posix_spawn;
    __typeof__(&write) write;
    __typeof__(&writev) writev;
    __typeof__(&send) send;
    __typeof__(&sendmsg) sendmsg;
    __typeof__(&close) close;
} found;

/* All at once: a child between fork and exec must not look for any. */
static void find(void) {
    found.sqlite3_step = dlsym(RTLD_NEXT, "sqlite3_step");
    found.sqlite3_prepare_v2 = dlsym(RTLD_NEXT, "sqlite3_prepare_v2");
    found.sqlite3_prepare_v3 = dlsym(RTLD_NEXT, "sqlite3_prepare_v3");
    found.fsync = dlsym(RTLD_NEXT, "fsync");
    found.fdatasync = dlsym(RTLD_NEXT, "fdatasync");
    found.syncfs = dlsym(RTLD_NEXT, "syncfs");
    found.execve = dlsym(RTLD_NEXT, "execve");
    found.execv = dlsym(RTLD_NEXT, "execv");
    found.execvp = dlsym(RTLD_NEXT, "execvp");
    found.posix_spawn = dlsym(RTLD_NEXT, "posix_spawn");
    found.write = dlsym(RTLD_NEXT, "write");
    found.writev = dlsym(RTLD_NEXT, "writev");
    found.send = dlsym(RTLD_NEXT, "send");
    found.sendmsg = dlsym(RTLD_NEXT, "sendmsg");
    found.close = dlsym(RTLD_NEXT, "close");
}

/* Other libraries call these before this one is prepared. */
#define NEXT(name) (found.name == NULL ? find() : (void)0, found.name)

/* --- SQLite ---------------------------------------------------------------------------------- */

/* Within a call of the program's: SQLite runs statements of its own then, for the tables of FTS5. */
static _Thread_local int depth;

int sqlite3_prepare_v2(
    sqlite3 *database, const char *text, int bytes, sqlite3_stmt **statement, const char **rest) {
    depth += 1;
    int answer = NEXT(sqlite3_prepare_v2)(database, text, bytes, statement, rest);
    depth -= 1;
    return answer;
}

int sqlite3_prepare_v3(
    sqlite3 *database, const char *text, int bytes, unsigned flags, sqlite3_stmt **statement,
    const char **rest) {
    depth += 1;
    int answer = NEXT(sqlite3_prepare_v3)(database, text, bytes, flags, statement, rest);
    depth -= 1;
    return answer;
}

/* A statement of the program is counted when it begins, not for each of its rows. */
int sqlite3_step(sqlite3_stmt *statement) {
    if (depth > 0 || sqlite3_stmt_busy(statement)) {
        return NEXT(sqlite3_step)(statement);
    }
    sqlite3 *database = sqlite3_db_handle(statement);
    int was_alone = sqlite3_get_autocommit(database);
    int had_written = sqlite3_txn_state(database, NULL) == SQLITE_TXN_WRITE;
    depth += 1;
    int answer = NEXT(sqlite3_step)(statement);
    depth -= 1;
    count(STATEMENTS, 1);
    if (answer == SQLITE_DONE && sqlite3_get_autocommit(database)) {
        /* COMMIT of a transaction that wrote, or a statement that is one by itself. */
        const char *text = sqlite3_sql(statement);
        const char *other = was_alone ? "PRAGMA" : "ROLLBACK";
        int is_other = text != NULL && strncasecmp(text, other, strlen(other)) == 0;
        int has_written = was_alone ? !sqlite3_stmt_readonly(statement) : had_written;
        count(TRANSACTIONS, has_written && !is_other ? 1 : 0);
    }
    return answer;
}

/* --- Files and processes --------------------------------------------------------------------- */

int fsync(int file) {
    count(FSYNCS, 1);
    return NEXT(fsync)(file);
}

int fdatasync(int file) {
    count(FSYNCS, 1);
    return NEXT(fdatasync)(file);
}

int syncfs(int file) {
    count(FSYNCS, 1);
    return NEXT(syncfs)(file);
}

/* valgrind hides from the program that /proc/self/exe is valgrind, but not when the program starts it. */
static char itself[PATH_MAX];

static const char *started(const char *path) {
    return itself[0] != 0 && strcmp(path, "/proc/self/exe") == 0 ? itself : path;
}

int execve(const char *path, char *const arguments[], char *const environment[]) {
    count(PROCESSES, 1);
    return NEXT(execve)(started(path), arguments, environment);
}

int execv(const char *path, char *const arguments[]) {
    count(PROCESSES, 1);
    return NEXT(execv)(started(path), arguments);
}

int execvp(const char *file, char *const arguments[]) {
    count(PROCESSES, 1);
    return NEXT(execvp)(file, arguments);
}

int posix_spawn(
    pid_t *child, const char *path, const posix_spawn_file_actions_t *actions,
    const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]) {
    count(PROCESSES, 1);
    return NEXT(posix_spawn)(child, started(path), actions, attributes, arguments, environment);
}

/* valgrind 3.19 writes to the mask, and libdispatch's lies in memory that cannot be written. */
int sigsuspend(const sigset_t *mask) {
    sigset_t copy = *mask;
    return (int)syscall(SYS_rt_sigsuspend, &copy, 8);
}

/* --- TCP ------------------------------------------------------------------------------------- */

enum { HEADER = 5, FILES = 4096 };

/* Where in a TLS record a socket stands. Only the thread of the socket's connection uses it. */
static struct stream {
    unsigned char header[HEADER];
    unsigned have;
    unsigned left;
} streams[FILES];

static int is_tcp(int file) {
    int domain = 0, type = 0;
    socklen_t length = sizeof domain;
    return file >= 0 && file < FILES
        && getsockopt(file, SOL_SOCKET, SO_TYPE, &type, &length) == 0 && type == SOCK_STREAM
        && getsockopt(file, SOL_SOCKET, SO_DOMAIN, &domain, &length) == 0
        && (domain == AF_INET || domain == AF_INET6);
}

static void follow(struct stream *stream, const unsigned char *bytes, size_t length) {
    while (length > 0) {
        size_t taken = 1;
        if (stream->left > 0) {
            taken = length < stream->left ? length : stream->left;
            stream->left -= (unsigned)taken;
        } else {
            stream->header[stream->have++] = *bytes;
            if (stream->have == HEADER) {
                stream->left = (unsigned)stream->header[3] << 8 | stream->header[4];
                stream->have = 0;
                count(RECORDS, 1);
            }
        }
        bytes += taken;
        length -= taken;
    }
}

static void sent(int file, const struct iovec *parts, size_t part_count, ssize_t bytes) {
    if (bytes <= 0 || !is_tcp(file)) {
        return;
    }
    count(BYTES, (uint64_t)bytes);
    size_t rest = (size_t)bytes;
    for (size_t index = 0; index < part_count && rest > 0; index += 1) {
        size_t length = parts[index].iov_len < rest ? parts[index].iov_len : rest;
        follow(&streams[file], parts[index].iov_base, length);
        rest -= length;
    }
}

ssize_t write(int file, const void *bytes, size_t length) {
    ssize_t answer = NEXT(write)(file, bytes, length);
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = length};
    sent(file, &part, 1, answer);
    return answer;
}

ssize_t writev(int file, const struct iovec *parts, int part_count) {
    ssize_t answer = NEXT(writev)(file, parts, part_count);
    sent(file, parts, (size_t)(part_count > 0 ? part_count : 0), answer);
    return answer;
}

ssize_t send(int file, const void *bytes, size_t length, int flags) {
    ssize_t answer = NEXT(send)(file, bytes, length, flags);
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = length};
    sent(file, &part, 1, answer);
    return answer;
}

ssize_t sendmsg(int file, const struct msghdr *message, int flags) {
    ssize_t answer = NEXT(sendmsg)(file, message, flags);
    sent(file, message->msg_iov, message->msg_iovlen, answer);
    return answer;
}

int close(int file) {
    if (file >= 0 && file < FILES) {
        streams[file] = (struct stream){0};
    }
    return NEXT(close)(file);
}

/* --- Asking for the counts ------------------------------------------------------------------- */

static void tell(int file) {
    char line[512];
    int length = 0;
    for (int index = 0; index < COUNTERS; index += 1) {
        length += snprintf(
            line + length, sizeof line - (size_t)length, "%s=%llu%s", names[index],
            (unsigned long long)counts[index], index + 1 < COUNTERS ? " " : "\n");
    }
    if (syscall(SYS_write, file, line, (size_t)length) != length) {
        abort();
    }
}

static void begin(void) {
    for (int index = 0; index < COUNTERS; index += 1) {
        counts[index] = 0;
    }
    /* From the first count on: starting is faster without, and each change compiles everything again. */
    CALLGRIND_START_INSTRUMENTATION;
    CALLGRIND_ZERO_STATS;
}

static void end(int file) {
    CALLGRIND_DUMP_STATS;
    tell(file);
}

static void *answer_on(void *listener) {
    while (1) {
        int file = accept4((int)(intptr_t)listener, NULL, NULL, SOCK_CLOEXEC);
        char command = 0;
        if (file >= 0 && read(file, &command, 1) == 1) {
            if (command == 'b') {
                begin();
                tell(file);
            } else {
                end(file);
            }
        }
        if (file >= 0) {
            close(file);
        }
    }
    return NULL;
}

static void listen_at(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (strlen(path) >= sizeof address.sun_path) {
        abort();
    }
    strcpy(address.sun_path, path);
    unlink(path);
    if (bind(file, (struct sockaddr *)&address, sizeof address) != 0 || listen(file, 1) != 0) {
        abort();
    }
    /* Signals are the program's: its own threads take them. */
    sigset_t all, before;
    pthread_t thread;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&thread, NULL, answer_on, (void *)(intptr_t)file) != 0) {
        abort();
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static char *report;

/* Programs that only start the one of interest, valgrind among them, do not use SQLite. */
__attribute__((constructor)) static void prepare(void) {
    find();
    if (found.sqlite3_step == NULL) {
        return;
    }
    counts = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (counts == MAP_FAILED || readlink("/proc/self/exe", itself, sizeof itself - 1) < 0) {
        abort();
    }
    const char *path = getenv("COUNTERS_SOCKET");
    const char *file = getenv("COUNTERS_FILE");
    report = file != NULL ? strdup(file) : NULL;
    if (path != NULL) {
        listen_at(path);
    }
    /* Children are programs of their own. */
    unsetenv("LD_PRELOAD");
    unsetenv("COUNTERS_SOCKET");
    unsetenv("COUNTERS_FILE");
}

__attribute__((destructor)) static void finish(void) {
    if (report == NULL) {
        return;
    }
    FILE *file = fopen(report, "we");
    if (file == NULL) {
        abort();
    }
    tell(fileno(file));
    fclose(file);
}
