// To be preloaded: a clock on the wall that showed FAST_CLOCK_BEGUN when it was FAST_CLOCK_SINCE, both in seconds since
// 1970, and goes FAST_CLOCK_SPEED times as fast since then. All clocks that only go on are left alone.
#define _GNU_SOURCE
#include <math.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static double begun, since, speed;

static double number(const char *name) {
    const char *text = getenv(name);
    return text ? atof(text) : 0;
}

__attribute__((constructor)) static void read_surroundings(void) {
    begun = number("FAST_CLOCK_BEGUN");
    since = number("FAST_CLOCK_SINCE");
    speed = number("FAST_CLOCK_SPEED");
}

int clock_gettime(clockid_t which, struct timespec *now) {
    int failed = syscall(SYS_clock_gettime, which, now);
    if (failed || speed == 0 || (which != CLOCK_REALTIME && which != CLOCK_REALTIME_COARSE)) return failed;
    double shown = begun + speed * ((now->tv_sec - since) + now->tv_nsec / 1e9);
    now->tv_sec = floor(shown);
    now->tv_nsec = fmin(999999999, (shown - floor(shown)) * 1e9);
    return 0;
}

int gettimeofday(struct timeval *now, void *zone) {
    struct timespec precise;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &precise);
    now->tv_sec = precise.tv_sec;
    now->tv_usec = precise.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *now) {
    struct timespec precise;
    clock_gettime(CLOCK_REALTIME, &precise);
    if (now) *now = precise.tv_sec;
    return precise.tv_sec;
}
