#pragma once

/* What a process needs that decodes one picture and nothing else: to be forked, to be handed open files,
   and to be left with few system calls. As in shim.h, -1 and errno stand for failure. */

#include "shim.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Only for a process of one thread: Swift hides fork(), as a lock that another thread holds is never
   released in the child. */
static inline int peersync_fork(void) {
    return (int)fork();
}

/* A pipe whose ends no program inherits that another thread starts meanwhile. */
static inline int peersync_pipe(int ends[2]) {
    return (int)syscall(SYS_pipe2, ends, peersync_close_on_exec);
}

/* Two connected sockets that keep messages apart, with the same care. */
static inline int peersync_socket_pair(int ends[2]) {
    return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends);
}

/* Sends one byte and two open files. */
static inline int peersync_send_files(int socket, unsigned char word, int first, int second) {
    int files[2] = {first, second};
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int[2]))];
    } control;
    memset(&control, 0, sizeof control);
    struct iovec data = {&word, 1};
    struct msghdr message = {0};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control.bytes;
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    control.header.cmsg_len = CMSG_LEN(sizeof files);
    memcpy(CMSG_DATA(&control.header), files, sizeof files);
    ssize_t sent;
    do sent = sendmsg(socket, &message, MSG_NOSIGNAL); while (sent < 0 && errno == EINTR);
    return sent == 1 ? 0 : -1;
}

/* Waits for a byte and two files sent by peersync_send_files(); the byte, or -1 at the end and for
   anything else. */
static inline int peersync_receive_files(int socket, int files[2]) {
    unsigned char word = 0;
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int[2]))];
    } control;
    struct iovec data = {&word, 1};
    struct msghdr message = {0};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control.bytes;
    ssize_t got;
    do got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC); while (got < 0 && errno == EINTR);
    if (got != 1 || message.msg_controllen < sizeof control.header) return -1;
    if (control.header.cmsg_level != SOL_SOCKET || control.header.cmsg_type != SCM_RIGHTS) return -1;
    if (control.header.cmsg_len != CMSG_LEN(sizeof(int[2]))) return -1;
    memcpy(files, CMSG_DATA(&control.header), sizeof(int[2]));
    return word;
}

/* No other process of the same user may look into this one or change it; what it forks inherits that. */
static inline int peersync_hide_memory(void) {
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

#if defined(__x86_64__)
#define PEERSYNC_AUDIT_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define PEERSYNC_AUDIT_ARCH AUDIT_ARCH_AARCH64
#else
#error "System calls are numbered differently here: name this processor's AUDIT_ARCH constant."
#endif

#define PEERSYNC_ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define PEERSYNC_REFUSE BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
#define PEERSYNC_LOAD(field) \
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
/* Allows the system call of this number; goes on for any other. */
#define PEERSYNC_CALL(name) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1), PEERSYNC_ALLOW
/* The same, unless it would make memory executable. */
#define PEERSYNC_CALL_WITHOUT_EXEC(name)                                                     \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 4), PEERSYNC_LOAD(args[2]),           \
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1), PEERSYNC_REFUSE, PEERSYNC_ALLOW

/* From now on this process can read and write what it has open, take memory and end: it can open
   nothing, start nothing, and reach no other process and no network. Needs
   peersync_no_new_privileges(). */
static inline int peersync_limit_system_calls(void) {
    struct sock_filter filter[] = {
        PEERSYNC_LOAD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PEERSYNC_AUDIT_ARCH, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        PEERSYNC_LOAD(nr),
        PEERSYNC_CALL(read), PEERSYNC_CALL(pread64), PEERSYNC_CALL(write), PEERSYNC_CALL(close),
        PEERSYNC_CALL(munmap), PEERSYNC_CALL(mremap), PEERSYNC_CALL(brk), PEERSYNC_CALL(madvise),
        PEERSYNC_CALL(futex), PEERSYNC_CALL(sched_yield), PEERSYNC_CALL(getrandom),
        PEERSYNC_CALL(clock_gettime), PEERSYNC_CALL(rt_sigreturn), PEERSYNC_CALL(exit),
        PEERSYNC_CALL(exit_group),
        PEERSYNC_CALL_WITHOUT_EXEC(mmap),
        PEERSYNC_CALL_WITHOUT_EXEC(mprotect),
        PEERSYNC_REFUSE,
    };
    struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

#undef PEERSYNC_AUDIT_ARCH
#undef PEERSYNC_ALLOW
#undef PEERSYNC_REFUSE
#undef PEERSYNC_LOAD
#undef PEERSYNC_CALL
#undef PEERSYNC_CALL_WITHOUT_EXEC
