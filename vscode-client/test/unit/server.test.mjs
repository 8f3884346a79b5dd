import assert from "node:assert";
import test from "node:test";
import { load } from "./load.mjs";

const { Crashes, Ending, MOST, WITHIN_MS } = await load("server/crashes.ts");
const { explicit } = await load("server/explicit.ts");
const { shown } = await load("status/state.ts");
const { isVariable, PROVIDERS } = await load("keys/providers.ts");

test("a server is started again a few times, and again after a quiet while", () => {
  const crashes = new Crashes();
  const said = Array.from({ length: MOST + 1 }, (_, at) => crashes.again(at * 1000));
  assert.deepStrictEqual(said, [...Array(MOST).fill(true), false]);
  assert.strictEqual(crashes.again(WITHIN_MS * 3), true);
  const other = new Crashes();
  for (let at = 0; at <= MOST; at += 1) other.again(at);
  other.forget();
  assert.strictEqual(other.again(MOST + 1), true);
});

test("the reason names how it ended and its last words", () => {
  const ending = new Ending();
  assert.strictEqual(ending.reason(), "The server ended.");
  ending.wrote("first line\nModuleNotFoundError: No mod");
  ending.wrote("ule named 'pygls'\n\n");
  ending.ended(1, null);
  assert.strictEqual(ending.reason(), "The server ended (exit status 1). Its last words: ModuleNotFoundError: No module named 'pygls'");
  const killed = new Ending();
  killed.wrote("x".repeat(5000));
  killed.ended(null, "SIGKILL");
  assert.ok(killed.reason().length < 400 && killed.reason().includes("SIGKILL"));
});

test("only what somebody set goes to the server, the nearest first", () => {
  const set = {
    "budget": { globalValue: 8, workspaceValue: 16, workspaceFolderValue: 32 },
    "llm.critic": { globalValue: "none" },
    "llm.cache": { globalValue: false },
    "effort": { globalValue: null },
    "seconds": {},
    "server.path": { globalValue: "/secret" },
    "preview": { globalValue: true },
    "trace.server": { globalValue: "verbose" },
  };
  const found = explicit(Object.keys(set), (key) => set[key]);
  assert.deepStrictEqual(found, { budget: 32, llm: { critic: "none", cache: false } });
  assert.deepStrictEqual(explicit(["x"], () => undefined), {});
});

test("each state is told in words", () => {
  const states = [{ kind: "starting" }, { kind: "ready" }, { kind: "searching", runs: 2, best: 2.314, reason: "r" }, { kind: "attention", reason: "why" }, { kind: "inactive", reason: "no" }];
  const all = states.map(shown);
  assert.strictEqual(new Set(all.map(({ text }) => text)).size, states.length);
  assert.match(all[2].text, /searching 2 · 2\.31×/);
  assert.deepStrictEqual([all[3].tooltip, all[3].warns], ["why", true]);
  assert.match(all[4].tooltip, /no$/);
});

test("variables are what the server takes", () => {
  for (const [variable] of PROVIDERS) assert.ok(isVariable(variable));
  for (const wrong of ["", "sk-abc", "lower_case", "9A", "A B"]) assert.ok(!isVariable(wrong), wrong);
});
