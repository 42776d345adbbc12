/* SPDX-License-Identifier: MIT */
/* The report for programs as a value, for those who have more to say in it. */
#ifndef PASSTIME_SINK_REPORT_DOCUMENT_H
#define PASSTIME_SINK_REPORT_DOCUMENT_H

#include "sink/report.h"

#include <jansson.h>

/* The document that passtime_report_json writes; the caller's. NULL: no memory. */
json_t *passtime_report_document(const struct passtime_report_context *contexts, size_t count);
/* One context of it. */
json_t *passtime_report_context_json(const struct passtime_report_context *context);
/* Writes it as passtime_report_json does, and drops it. False: it could not be written. */
bool passtime_report_dump(FILE *out, json_t *root);

#endif
