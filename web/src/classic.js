// SPDX-License-Identifier: MIT
/** For a classic script: the global `Passtime`; `<script data-auto>` times everything on the page, `data-auto="group"` with stamps shared by short passes. */
import { Passtime } from './index.js';

const script = globalThis.document?.currentScript;
globalThis.Passtime = Passtime;
if (script?.hasAttribute('data-auto')) Passtime.auto({ group: script.dataset.auto === 'group' });
