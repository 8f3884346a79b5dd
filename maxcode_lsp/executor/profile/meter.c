/* Runs a program and says on stderr what it cost: times of user and system, page faults, reads and writes. */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **words)
{
    if (count < 2)
        return 0; /* the cost of starting anything at all */
    pid_t child = fork();
    if (child == 0) {
        execv(words[1], words + 1);
        _exit(127);
    }
    int status = 0;
    struct rusage used;
    if (child < 0 || wait4(child, &status, 0, &used) != child)
        return 126;
    fprintf(stderr, "\nmaxcode-meter user_us %ld\nmaxcode-meter sys_us %ld\nmaxcode-meter page_faults %ld\n",
            used.ru_utime.tv_sec * 1000000L + used.ru_utime.tv_usec,
            used.ru_stime.tv_sec * 1000000L + used.ru_stime.tv_usec, used.ru_minflt);
    /* The kernel adds a child's counts to its parent's when it was waited for. */
    FILE *counts = fopen("/proc/self/io", "r");
    char line[128];
    while (counts && fgets(line, sizeof line, counts))
        fprintf(stderr, "maxcode-meter %s", line);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 125;
}
