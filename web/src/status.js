// SPDX-License-Identifier: MIT
/** What became of the attempt to time this realm, in words: never silently empty. */

const ERRORS_KEPT = 8;

class Status {
  constructor() {
    this.apis = []; // hooked: "webgpu", "webgl"
    this.timers = new Set(); // of WebGPU devices and GL contexts alike
    this.devicesSeen = 0;
    this.lateDevices = 0; // made before the hooks were in place
    this.strangers = 0; // passes of encoders that were made past the hooks
    this.errors = []; // of ours, the first few
    this.errorCount = 0;
    this.blockedBy = null;
  }

  hooked(api) {
    if (!this.apis.includes(api)) this.apis.push(api);
  }

  /** @param {object} timer of a device or context that was taken up */
  device(timer) {
    this.devicesSeen++;
    this.timers.add(timer);
  }

  gone(timer) {
    this.timers.delete(timer);
  }

  blocked(reason) {
    this.blockedBy = reason ?? 'WebAssembly is not available here.';
  }

  fail(error) {
    this.errorCount++;
    if (this.errors.length < ERRORS_KEPT) this.errors.push(String(error?.stack ?? error));
  }

  /** "off", "waiting", "attached", "late" or "blocked". */
  get state() {
    if (this.blockedBy !== null) return 'blocked';
    if (this.lateDevices > 0) return 'late';
    if (this.devicesSeen > 0) return 'attached';
    return this.apis.length > 0 ? 'waiting' : 'off';
  }

  /** One or more sentences. */
  get text() {
    const late = this.lateDevices;
    switch (this.state) {
      case 'blocked':
        return this.blockedBy;
      case 'late':
        return `Attached too late for ${late} device${late === 1 ? '' : 's'}: import passtime/auto before the app. ` +
          'A device made before has timestamps only if the app asked for them.';
      case 'attached':
        return 'Attached before first use.';
      case 'waiting':
        return `Hooked (${this.apis.join(', ')}); the page has made no device or context yet.`;
      default:
        return 'Nothing is hooked in this realm.';
    }
  }

  toJSON() {
    const { state, text, apis, devicesSeen, lateDevices, errorCount, errors } = this;
    return { state, text, apis, devicesSeen, lateDevices, errorCount, errors };
  }
}

/** The realm's. */
export const status = new Status();
