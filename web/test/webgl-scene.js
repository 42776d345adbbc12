// SPDX-License-Identifier: MIT
// The page under test: three passes, whose work a uniform sets. A classic script.
(() => {
  const ELAPSED = 0x88bf;

  const vertex = `attribute vec2 p; void main() { gl_Position = vec4(p, 0.0, 1.0); }`;
  const fragment = `precision highp float; uniform int loops; uniform sampler2D image;
    void main() {
      float v = gl_FragCoord.x * 0.013 + gl_FragCoord.y * 0.027;
      for (int i = 0; i < 4096; i++) { if (i >= loops) break; v = fract(v * 1.37 + 0.11); }
      gl_FragColor = vec4(v, fract(v * 3.0), texture2D(image, gl_FragCoord.xy / 128.0).r, 1.0);
    }`;

  function program(gl) {
    const made = gl.createProgram();
    for (const [type, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(type);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(made, shader);
    }
    gl.linkProgram(made);
    if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made));
    return made;
  }

  function target(gl) {
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 128, 128, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    const framebuffer = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    return { texture, framebuffer };
  }

  globalThis.Scene = class {
    constructor(gl) {
      this.gl = gl;
      const used = program(gl);
      gl.useProgram(used);
      gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
      gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 3, -1, -1, 3]), gl.STATIC_DRAW);
      gl.bindAttribLocation(used, 0, 'p');
      gl.enableVertexAttribArray(0);
      gl.vertexAttribPointer(gl.getAttribLocation(used, 'p'), 2, gl.FLOAT, false, 0, 0);
      this.loops = gl.getUniformLocation(used, 'loops');
      this.light = target(gl);
      this.heavy = target(gl);
    }

    pass(framebuffer, image, loops) {
      const { gl } = this;
      gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
      gl.bindTexture(gl.TEXTURE_2D, image);
      gl.clear(gl.COLOR_BUFFER_BIT);
      gl.uniform1i(this.loops, loops);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
    }

    draw() {
      this.pass(this.light.framebuffer, null, 200);
      this.pass(this.heavy.framebuffer, this.light.texture, 3200);
      this.pass(null, this.heavy.texture, 10);
    }
  };

  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const canvas = () => Object.assign(document.createElement('canvas'), { width: 128, height: 128 });

  /** The page's queries, version 1 and 2 alike. */
  function queriesOf(gl, kind) {
    if (kind === 'webgl2') {
      const ext = gl.getExtension('EXT_disjoint_timer_query_webgl2');
      return {
        ext, create: () => gl.createQuery(), begin: (q) => gl.beginQuery(ELAPSED, q), end: () => gl.endQuery(ELAPSED),
        current: () => gl.getQuery(ELAPSED, gl.CURRENT_QUERY), remove: (q) => gl.deleteQuery(q),
        ready: (q) => gl.getQueryParameter(q, gl.QUERY_RESULT_AVAILABLE), result: (q) => gl.getQueryParameter(q, gl.QUERY_RESULT),
      };
    }
    const ext = gl.getExtension('EXT_disjoint_timer_query');
    return {
      ext, create: () => ext.createQueryEXT(), begin: (q) => ext.beginQueryEXT(ELAPSED, q), end: () => ext.endQueryEXT(ELAPSED),
      current: () => ext.getQueryEXT(ELAPSED, ext.CURRENT_QUERY_EXT), remove: (q) => ext.deleteQueryEXT(q),
      ready: (q) => ext.getQueryObjectEXT(q, ext.QUERY_RESULT_AVAILABLE_EXT), result: (q) => ext.getQueryObjectEXT(q, ext.QUERY_RESULT_EXT),
    };
  }

  function errorsOf(gl) {
    const errors = [];
    for (let error; (error = gl.getError()) !== 0 && errors.length < 20; ) errors.push(error);
    return errors;
  }

  /** Everything that a page can see of itself. Mistakes are made on purpose. */
  globalThis.compare = async (kind) => {
    const gl = canvas().getContext(kind, { preserveDrawingBuffer: true });
    const scene = new globalThis.Scene(gl);
    const seen = [];
    const errors = [];
    const look = () => errors.push(...errorsOf(gl), 0);
    for (let i = 0; i < 4; i++) {
      await frame();
      scene.draw();
      if (i === 1) {
        seen.push(gl.getParameter(0x8fbb) === null); // the extension is off yet: an error in version 1 and 2
        look();
        if (kind === 'webgl2') {
          gl.beginQuery(ELAPSED, gl.createQuery());
          gl.endQuery(ELAPSED);
          look();
        }
      }
      if (i < 2) continue;
      const queries = queriesOf(gl, kind);
      seen.push(queries.ext === queriesOf(gl, kind).ext, queries.current() === null, typeof gl.getParameter(0x8fbb));
      queries.end();
      look();
      const query = queries.create();
      queries.begin(query);
      seen.push(queries.current() === query);
      scene.draw();
      queries.begin(queries.create());
      look();
      queries.end();
      seen.push(queries.current() === null);
      scene.draw();
      const active = queries.create();
      queries.begin(active);
      queries.remove(active);
      seen.push(queries.current() === null);
      scene.draw();
      look();
      for (let tries = 0; tries < 200 && !queries.ready(query); tries++) await frame();
      seen.push(queries.ready(query), queries.result(query) > 0);
      look();
    }
    const pixels = new Uint8Array(128 * 128 * 4);
    gl.readPixels(0, 0, 128, 128, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    look();
    return { seen, errors, pixels: [...pixels] };
  };

  const timerOf = (gl) => globalThis.Passtime.timers.find((timer) => timer.gl === gl);
  const drain = async (timer) => {
    for (let i = 0; i < 100 && timer.isPending(); i++) await frame();
  };

  /** Frames that we time, then the heavy pass by the page's own query. */
  globalThis.measure = async (kind, count) => {
    const gl = canvas().getContext(kind);
    const scene = new globalThis.Scene(gl);
    scene.draw(); // shaders are compiled at the first draw
    await frame();
    await drain(timerOf(gl));
    await frame();
    timerOf(gl).reset();
    const before = timerOf(gl).report().contexts[0].frames.complete;
    for (let i = 0; i < count; i++) {
      await frame();
      scene.draw();
      // A result takes some frames; where the machine is busy, eight are not enough.
      await drain(timerOf(gl));
    }
    await drain(timerOf(gl));
    const report = globalThis.Passtime.report();
    report.contexts.forEach((context) => { context.frames.complete -= before; });
    timerOf(gl).enable(false);
    const queries = queriesOf(gl, kind);
    const values = [];
    for (let i = 0; i < 10; i++) {
      await frame();
      const query = queries.create();
      queries.begin(query);
      scene.pass(scene.heavy.framebuffer, scene.light.texture, 3200);
      queries.end();
      for (let tries = 0; tries < 200 && !queries.ready(query); tries++) await frame();
      values.push(queries.result(query));
    }
    values.sort((a, b) => a - b);
    return { report, own: { heavy: values[5] }, errors: errorsOf(gl) };
  };

  globalThis.loseAndRestore = async (kind) => {
    const made = canvas();
    const gl = made.getContext(kind);
    made.addEventListener('webglcontextlost', (event) => event.preventDefault());
    let scene = new globalThis.Scene(gl);
    const run = async (frames) => {
      for (let i = 0; i < frames; i++) {
        await frame();
        scene.draw();
      }
      await drain(timerOf(gl));
    };
    await run(10);
    const complete = () => timerOf(gl).report().contexts[0].frames.complete;
    const before = complete();
    await frame();
    scene.draw();
    const loser = gl.getExtension('WEBGL_lose_context');
    loser.loseContext();
    scene.draw();
    await frame();
    await frame();
    const lost = timerOf(gl).status.state;
    await new Promise((resolve) => setTimeout(resolve, 50));
    loser.restoreContext();
    await new Promise((resolve) => made.addEventListener('webglcontextrestored', resolve));
    errorsOf(gl); // CONTEXT_LOST_WEBGL, once
    scene = new globalThis.Scene(gl);
    await run(10);
    return { before, lost, restored: timerOf(gl).status.state, after: complete(), errors: errorsOf(gl) };
  };

  globalThis.dropContexts = async (count) => {
    for (let i = 0; i < count; i++) {
      const scene = new globalThis.Scene(canvas().getContext('webgl'));
      scene.draw();
      await frame();
      await frame();
    }
    for (let i = 0; i < 20; i++) {
      const garbage = [];
      for (let k = 0; k < 200; k++) garbage.push(new Float64Array(50000));
      globalThis.gc?.();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return globalThis.Passtime.timers.length;
  };
})();
