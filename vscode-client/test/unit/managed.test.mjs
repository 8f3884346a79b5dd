import assert from "node:assert";
import fs from "node:fs";
import test from "node:test";
import { load } from "./load.mjs";

const { installSteps, isNewEnough, run, typed, StepFailed } = await load("server/managed.ts");

/** Not there, or only not yet collected by its parent. */
function gone(pid) {
  try {
    return fs.readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].startsWith("Z");
  } catch {
    return true;
  }
}

test("versions", () => {
  for (const old of ["3 10", "2 7", "", "nonsense"]) assert.strictEqual(isNewEnough(old), false, old);
  for (const fresh of ["3 11", "3 14\n", "4 0"]) assert.strictEqual(isNewEnough(fresh), true, fresh);
});

test("the commands are shown as one types them", () => {
  const [environment, install] = installSteps("python3.12", "/store/a b/server", "maxcode-lsp[llm]");
  assert.strictEqual(typed(environment), "python3.12 -m venv --clear '/store/a b/server'");
  assert.match(typed(install), /^'\/store\/a b\/server\/bin\/python' -m pip install --disable-pip-version-check 'maxcode-lsp\[llm\]'$/);
});

test("a step says what it printed, and fails with it", async () => {
  let heard = "";
  const said = await run({ command: "sh", args: ["-c", "echo one; echo two >&2"] }, 10_000, (text) => (heard += text));
  assert.deepStrictEqual(said.trim().split("\n").sort(), ["one", "two"]);
  assert.strictEqual(heard, said);
  await assert.rejects(run({ command: "sh", args: ["-c", "echo why; exit 3"] }, 10_000, () => {}), (error) => {
    assert.ok(error instanceof StepFailed);
    assert.deepStrictEqual([error.message, error.output.trim()], ["exit status 3", "why"]);
    return true;
  });
  await assert.rejects(run({ command: "/no/such/program", args: [] }, 10_000, () => {}), /ENOENT/);
});

test("a step that is cancelled or takes too long ends with all that it started", async () => {
  const stop = new AbortController();
  const endless = { command: "sh", args: ["-c", "sleep 60 & echo $!; wait"] };
  let child = 0;
  const cancelled = run(endless, 60_000, (text) => {
    child = Number(text);
    stop.abort();
  }, stop.signal);
  await assert.rejects(cancelled, /cancelled/);
  assert.ok(child > 0 && gone(child), "its child is gone");
  await assert.rejects(run(endless, 300, () => {}), /limit/);
  await assert.rejects(run(endless, 60_000, () => {}, AbortSignal.abort()), /cancelled/);
});
