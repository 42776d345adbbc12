// SPDX-License-Identifier: MIT
/** ?src=URL of the page in the frame. */
const frame = document.createElement('iframe');
frame.allow = 'webgpu';
frame.src = new URLSearchParams(location.search).get('src');
document.body.append(frame);
