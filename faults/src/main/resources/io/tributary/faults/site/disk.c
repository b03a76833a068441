/* A library between a node and its disk (LD_PRELOAD): it delays each force to disk, makes writes fail as on a full disk, and records
   what has been forced, so that a test can remove all other bytes. It affects only files named binlog.NNNNNN. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* The settings of the test, in a file that the test writes and this library maps. */
struct orders {
    volatile int delay_millis;
    volatile int full;
};

static struct orders *orders;
static int notes = -1;

__attribute__((constructor)) static void begin(void) {
    const char *orders_path = getenv("FAULTS_DISK_ORDERS");
    const char *notes_path = getenv("FAULTS_DISK_NOTES");
    int fd = orders_path ? open(orders_path, O_RDONLY | O_CLOEXEC) : -1;
    if (fd >= 0) {
        void *map = mmap(NULL, sizeof(struct orders), PROT_READ, MAP_SHARED, fd, 0);
        orders = map == MAP_FAILED ? NULL : map;
        close(fd);
    }
    if (notes_path) {
        notes = open(notes_path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
    }
}

/* The path of an open binlog file; 0 for any other file. */
static int binlog(int fd, char *path, size_t size) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, size - 1);
    if (length <= 0) {
        return 0;
    }
    path[length] = 0;
    const char *name = strrchr(path, '/');
    return name && strncmp(name, "/binlog.", 8) == 0 && name[8] >= '0' && name[8] <= '9';
}

static int force(int fd, const char *which) {
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, which);
    char path[4096];
    struct stat before;
    if (!orders || !binlog(fd, path, sizeof path) || fstat(fd, &before) != 0) {
        return real(fd);
    }
    int millis = orders->delay_millis;
    if (millis > 0) {
        struct timespec pause = {millis / 1000, (millis % 1000) * 1000000L};
        nanosleep(&pause, NULL);
    }
    int result = real(fd);
    if (result == 0 && notes >= 0) {
        char line[4200];
        int length = snprintf(line, sizeof line, "%lld %s\n", (long long)before.st_size, path);
        if (write(notes, line, length) != length) {
            abort(); /* a note that is missing would make the test wrong */
        }
    }
    return result;
}

int fsync(int fd) { return force(fd, "fsync"); }

int fdatasync(int fd) { return force(fd, "fdatasync"); }

static int is_full(int fd) {
    char path[4096];
    return orders && orders->full && binlog(fd, path, sizeof path);
}

/* How much of a write still fits: half of the first one since the disk is full, nothing of those after it. */
static size_t fits(size_t count) {
    static volatile int since;
    int first = since != orders->full;
    since = orders->full;
    return first ? count / 2 : 0;
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) {
    static ssize_t (*real)(int, const void *, size_t, off64_t);
    if (!real) {
        real = (ssize_t(*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64");
    }
    if (is_full(fd)) {
        count = fits(count);
        if (count == 0) {
            errno = ENOSPC;
            return -1;
        }
    }
    return real(fd, bytes, count, at);
}

ssize_t write(int fd, const void *bytes, size_t count) {
    static ssize_t (*real)(int, const void *, size_t);
    if (!real) {
        real = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    }
    if (is_full(fd)) {
        count = fits(count);
        if (count == 0) {
            errno = ENOSPC;
            return -1;
        }
    }
    return real(fd, bytes, count);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
    static ssize_t (*real)(int, const struct iovec *, int);
    if (!real) {
        real = (ssize_t(*)(int, const struct iovec *, int))dlsym(RTLD_NEXT, "writev");
    }
    if (is_full(fd)) {
        errno = ENOSPC;
        return -1;
    }
    return real(fd, parts, count);
}
