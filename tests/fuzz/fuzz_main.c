/* fuzz_main.c - libFuzzer's entry: one program for all targets, and FUZZ_TARGET in the environment chooses. Only `make
 * fuzz` links it. */
#include <stdio.h>
#include <stdlib.h>

#include "base/secret.h"
#include "fuzz.h"

int LLVMFuzzerInitialize(int *count, char ***arguments);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static fuzz_target target;

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    const char *name = getenv("FUZZ_TARGET");
    (void)count, (void)arguments;
    target = name ? fuzz_find(name) : NULL;
    if (!target) {
        fputs("FUZZ_TARGET must name a target of tests/fuzz/fuzz.h\n", stderr);
        exit(2);
    }
    secret_setup();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    target((const char *)data, size);
    return 0;
}
