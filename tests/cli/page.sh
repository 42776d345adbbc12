# SPDX-License-Identifier: MIT
# The passes of a page in a real browser: the figures, budgets, comparison and exit codes.
command -v chromium >/dev/null || {
    echo "no chromium on the PATH"
    exit 77
}
cat >draw.html <<'END'
<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script type="module">
const device = await (await navigator.gpu.requestAdapter()).requestDevice();
const texture = device.createTexture({ size: [64, 64], format: 'rgba8unorm', usage: GPUTextureUsage.RENDER_ATTACHMENT });
const pass = (encoder, label) => encoder.beginRenderPass({
  label, colorAttachments: [{ view: texture.createView(), loadOp: 'clear', storeOp: 'store' }] }).end();
const draw = () => {
  const encoder = device.createCommandEncoder();
  pass(encoder, 'shadow');
  pass(encoder, 'light');
  device.queue.submit([encoder.finish()]);
  requestAnimationFrame(draw);
};
draw();
</script>
END
echo '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><p>No GPU.' >still.html
run() { # the exit code that is wanted, then the command's own
    want=$1
    shift
    code=0
    passtime page "$@" 2>err.txt || code=$?
    if [ "$code" != "$want" ]; then
        echo "exit $code, not $want: passtime page $*" >&2
        cat err.txt >&2
        exit 1
    fi
}
run 0 draw.html --software --frames 20 --warmup 3 --repeat 2 --capture draw.trace --screenshot draw.png --json >base.json
run 1 draw.html --software --frames 20 --warmup 3 --budget-ms 0.000001 --pass-budget light=10000 \
    --pass-budget nosuch=1 --compare base.json --fail-above 10000 --json >budgets.json
run 0 draw.html --software --frames 20 --warmup 3 --compare base.json --fail-above 10000 >table.txt
grep -q '^realm   page http://127.0.0.1:.*/draw.html: hooked, WebGPU' table.txt
grep -q '^compared with 2 earlier runs, 1 now' table.txt
run 2 draw.html --software --frames 20 --stock --compare base.json >/dev/null
grep -q "its resolution is 'fine', here it is 'stock'" err.txt
run 3 still.html --software --seconds 1 >/dev/null
grep -q 'the page used no GPU' err.txt
run 3 still.html --browser /bin/true >/dev/null
passtime report draw.trace --json >report.json
python3 - <<'END'
import json

base, budgets, report = (json.load(open(name)) for name in ("base.json", "budgets.json", "report.json"))
assert len(base["runs"]) == 2 and base["comparison"] is None
for document in [base, budgets] + base["runs"]:
    (context,) = document["contexts"]
    assert context["api"] == "webgpu" and context["method"] == "stamps", context
    assert context["adapter"]["software"] is True
    assert sorted(p["name"] for p in context["passes"]) == ["light", "shadow"], context["passes"]
    frames = context["frames"]
    assert frames["complete"] + frames["incomplete"] + frames["no_data"] == 20, frames
    assert frames["warmup"] == 3, frames
assert base["contexts"][0]["id"] == budgets["contexts"][0]["id"]
assert base["page"]["end"] == "done" and base["page"]["first_frame_ns"] > 0
assert base["browser"]["resolution"] == "fine" and base["browser"]["software"] is True
(realm,) = [r for r in base["realms"] if r["main"]]
assert (realm["kind"], realm["status"], realm["webgpu"]) == ("page", "hooked", "hooked"), realm
assert realm["contexts"] == [base["contexts"][0]["id"]]
states = {b["pass"]: b["state"] for b in budgets["budgets"]}
# Few frames on a busy machine may leave a mean without an error; the other way round is impossible.
assert states[None] in ("exceeded", "undecided") and states["light"] in ("kept", "undecided"), states
assert states["nosuch"] == "missing", states
rows = {row["pass"]: row for row in budgets["comparison"]["rows"]}
assert sorted(rows, key=str) == sorted([None, "light", "shadow"], key=str), rows
assert all(row["base_runs"] == 2 and row["new_runs"] == 1 and row["spread_known"] for row in rows.values()), rows
assert report["contexts"][0]["frames"]["complete"] == base["contexts"][0]["frames"]["complete"]
END
test "$(head -c 4 draw.png | tail -c 3)" = PNG
# Nothing but what was asked for is left.
ls
