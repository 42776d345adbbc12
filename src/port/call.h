/* SPDX-License-Identifier: MIT */
/* How functions of the system's own libraries are called: 32-bit Windows has a convention of its
 * own. */
#ifndef PASSTIME_PORT_CALL_H
#define PASSTIME_PORT_CALL_H

#if defined(_WIN32) && (defined(__i386__) || defined(_M_IX86))
#define PASSTIME_SYSTEM_CALL __stdcall
#else
#define PASSTIME_SYSTEM_CALL
#endif

#endif
