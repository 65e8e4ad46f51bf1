#pragma once

#include <stddef.h>
#include <stdint.h>

// libFuzzer as a library (libclang_rt.fuzzer_no_main): its loop, which calls `input` with each
// input that it makes up. See "Using libFuzzer as a library" in LLVM's documentation.
int LLVMFuzzerRunDriver(
    int *argc, char ***argv, int (*input)(const uint8_t *data, size_t size));
