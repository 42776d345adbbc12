// SPDX-License-Identifier: MIT
/** Timer queries by hand, alike for WebGL 1 and 2: what the browser gives, before anyone judges it. */

export class RawQueries {
  constructor(gl, version) {
    this.gl = gl;
    this.name = version === 1 ? 'EXT_disjoint_timer_query' : 'EXT_disjoint_timer_query_webgl2';
    this.ext = gl.getExtension(this.name);
    this.old = version === 1;
    if (!this.ext) return;
    this.elapsedBits = this.bits(this.ext.TIME_ELAPSED_EXT);
    this.timestampBits = this.bits(this.ext.TIMESTAMP_EXT);
    this.timestampNow = gl.getParameter(this.ext.TIMESTAMP_EXT);
  }

  bits(target) {
    const { gl, ext } = this;
    return this.old ? ext.getQueryEXT(target, ext.QUERY_COUNTER_BITS_EXT) : gl.getQuery(target, ext.QUERY_COUNTER_BITS_EXT);
  }

  create() {
    return this.old ? this.ext.createQueryEXT() : this.gl.createQuery();
  }

  delete(query) {
    if (this.old) this.ext.deleteQueryEXT(query);
    else this.gl.deleteQuery(query);
  }

  begin(query) {
    const { gl, ext } = this;
    if (this.old) ext.beginQueryEXT(ext.TIME_ELAPSED_EXT, query);
    else gl.beginQuery(ext.TIME_ELAPSED_EXT, query);
  }

  end() {
    const { gl, ext } = this;
    if (this.old) ext.endQueryEXT(ext.TIME_ELAPSED_EXT);
    else gl.endQuery(ext.TIME_ELAPSED_EXT);
  }

  stamp(query) {
    this.ext.queryCounterEXT(query, this.ext.TIMESTAMP_EXT);
  }

  available(query) {
    const { gl, ext } = this;
    return this.old ? ext.getQueryObjectEXT(query, ext.QUERY_RESULT_AVAILABLE_EXT) : gl.getQueryParameter(query, gl.QUERY_RESULT_AVAILABLE);
  }

  result(query) {
    const { gl, ext } = this;
    return this.old ? ext.getQueryObjectEXT(query, ext.QUERY_RESULT_EXT) : gl.getQueryParameter(query, gl.QUERY_RESULT);
  }

  /** Sticky, and cleared by being read: read once a poll, after the availability. */
  disjoint() {
    return this.gl.getParameter(this.ext.GPU_DISJOINT_EXT);
  }
}
