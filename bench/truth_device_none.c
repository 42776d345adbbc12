/* SPDX-License-Identifier: MIT */
/* Stands in for the trials on devices in a build without wgpu-native. */
#include "truth.h"

void truth_webgpu(struct truth_table *table)
{
    truth_missing(table, "WebGPU", "this build has no wgpu-native");
}

void truth_gl(struct truth_table *table)
{
    truth_missing(table, "OpenGL", "this build has no scenes to draw");
}
