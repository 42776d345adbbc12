# SPDX-License-Identifier: MIT
#
# The compiler flags of everything here: target passtime_flags carries them.
add_library(passtime_flags INTERFACE)
target_compile_features(passtime_flags INTERFACE c_std_17)
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
    target_compile_options(passtime_flags INTERFACE
        -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes
        -Wvla -Wwrite-strings $<$<BOOL:${PASSTIME_WERROR}>:-Werror>)
endif()
if(PASSTIME_SANITIZE)
    # An error ends the program, so that a test which only logs one can't pass. Without any
    # optimisation the long tests take three times as long.
    set(sanitize -fsanitize=${PASSTIME_SANITIZE} -fno-omit-frame-pointer -O1)
    target_compile_options(passtime_flags INTERFACE ${sanitize} -fno-sanitize-recover=all)
    target_link_options(passtime_flags INTERFACE ${sanitize})
endif()
if(PASSTIME_FUZZ)
    # The fuzzers steer by what the code under them reaches.
    target_compile_options(passtime_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
