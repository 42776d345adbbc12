// SPDX-License-Identifier: MIT
/**
 * Frames go out in the order in which they began, though results may come in another. What is whole
 * waits for the frames before it; too much of it forces them out as they are.
 */

const WAITING_MOST = 512;
const UNITS_MOST = 4 * 1024 * 1024;

export class Order {
  /** @param {(text: string) => void} send */
  constructor(send) {
    this.send = send;
    this.places = []; // of frames begun and not sent: {text: string | null, entry: object | null}
    this.units = 0; // of the texts that wait
  }

  /** A frame begins. @param {object | null} entry that can be told to give up @returns {object} its place */
  begin(entry) {
    const place = { text: null, entry };
    this.places.push(place);
    return place;
  }

  /** Its message is whole. */
  done(place, text) {
    place.text = text;
    place.entry = null;
    this.units += text.length;
    this.sendReady();
  }

  sendReady() {
    const { places } = this;
    let ready = 0;
    while (ready < places.length && places[ready].text !== null) {
      this.units -= places[ready].text.length;
      this.send(places[ready].text);
      ready++;
    }
    if (ready > 0) places.splice(0, ready);
  }

  /** The entry whose frame holds back too much; undefined: none does. */
  blocking() {
    const isFull = this.places.length > WAITING_MOST || this.units > UNITS_MOST;
    return isFull ? this.places[0].entry : undefined;
  }

  clear() {
    this.places.length = 0;
    this.units = 0;
  }
}
