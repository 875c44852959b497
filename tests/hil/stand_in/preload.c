// To be preloaded, for libcamera's virtual camera.
// - It never says that a frame is good (that is whatever was in memory before), and picamera2 throws away those that
//   aren't: memory for C++ objects is zero here, which is good.
// - It maps a frame's memory anew for each frame, which takes a whole core of User-Mode Linux: here it stays mapped.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

enum { BUFFERS = 64, LARGE = 1 << 20 };

static struct { ino_t inode; size_t length; void *memory; } kept[BUFFERS];
static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *_Znwm(size_t size) {
    void *memory = calloc(1, size ? size : 1);
    if (!memory) abort();
    return memory;
}

static void *mapped(void *at, size_t length, int protection, int flags, int file, off_t offset) {
    static void *(*real)(void *, size_t, int, int, int, off_t);
    struct stat status;
    if (!real) real = dlsym(RTLD_NEXT, "mmap");
    if (at || offset || length < LARGE || !(protection & PROT_WRITE) || !(flags & MAP_SHARED) || fstat(file, &status))
        return real(at, length, protection, flags, file, offset);
    pthread_mutex_lock(&lock);
    void *memory = NULL;
    for (int i = 0; i < count && !memory; i++)
        if (kept[i].inode == status.st_ino && kept[i].length == length) memory = kept[i].memory;
    if (!memory) {
        memory = real(at, length, PROT_READ | PROT_WRITE, flags, file, offset);
        if (memory != MAP_FAILED && count < BUFFERS) {
            kept[count].inode = status.st_ino;
            kept[count].length = length;
            kept[count++].memory = memory;
        }
    }
    pthread_mutex_unlock(&lock);
    return memory;
}

void *mmap(void *at, size_t length, int protection, int flags, int file, off_t offset) {
    return mapped(at, length, protection, flags, file, offset);
}

void *mmap64(void *at, size_t length, int protection, int flags, int file, off_t offset) {
    return mapped(at, length, protection, flags, file, offset);
}

int munmap(void *memory, size_t length) {
    static int (*real)(void *, size_t);
    if (!real) real = dlsym(RTLD_NEXT, "munmap");
    for (int i = 0; i < count; i++)
        if (kept[i].memory == memory) return 0;
    return real(memory, length);
}
