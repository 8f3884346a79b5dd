// The trusted program of the sandbox. It enters the sandbox ("enter"), lives in it and starts commands there
// ("serve"), ends what a lost sandbox left ("sweep"), and tries whether a sandbox holds ("check").
#include <cstdio>
#include <cstring>

#include "check.hpp"
#include "enter.hpp"
#include "serve.hpp"

int main(int argc, char** argv) {
    const char* mode = argc > 1 ? argv[1] : "";
    if (strcmp(mode, "enter") == 0) return enter(argc, argv);
    if (strcmp(mode, "serve") == 0) return serve(argc, argv);
    if (strcmp(mode, "sweep") == 0) return sweep(argc, argv);
    if (strcmp(mode, "check") == 0) return check(argc, argv);
    if (strcmp(mode, "version") == 0) return puts("maxcode launcher") < 0;
    dprintf(2, "usage: launcher enter|serve|sweep|check ...\n");
    return 2;
}
