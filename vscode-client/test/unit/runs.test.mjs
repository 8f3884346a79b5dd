import assert from "node:assert";
import test from "node:test";
import { load } from "./load.mjs";
import { candidate, run } from "./runs.mjs";

const { RunStore } = await load("runs/store.ts");
const words = await load("runs/wording.ts");

test("speedups have three figures", () => {
  assert.deepStrictEqual([1, 2.314, 9.994, 9.996, 14.25, 99.94, 130.2].map(words.times), ["1.00×", "2.31×", "9.99×", "10.0×", "14.3×", "99.9×", "130×"]);
  assert.strictEqual(words.interval([2.24, 2.39]), "2.24–2.39");
});

test("what is proven is told apart from what is not", () => {
  const proven = run({ status: "improved", best: 2.31, ci95: [2.24, 2.39] });
  assert.strictEqual(words.comparisonTitle(proven, undefined), "a.cpp: original ↔ 2.31× faster (95 % CI 2.24–2.39)");
  assert.match(words.comparisonTitle(proven, candidate(3, { speedup: 1.5 })), /≈ 1\.50×, not confirmed/);
  assert.match(words.comparisonTitle(run({ best: 1.9 }), undefined), /≈ 1\.90×, not confirmed/);
  assert.match(words.comparisonTitle(proven, candidate(3, { speedup: null, verdict: null, outcome: "wrong_output" })), /wrong output/);
  assert.strictEqual(words.badge(candidate(1, { speedup: 2, ci95: null })), "≈ 2.00×");
  assert.strictEqual(words.runWords({ ...proven, discarded: true }), "2.31× (95 % CI 2.24–2.39), discarded");
});

test("each outcome and verdict has words and a picture", () => {
  const ends = ["rejected", "identical", "compile_error", "timeout", "runtime_error", "wrong_output", "correct"];
  const all = [...ends.map((outcome) => candidate(1, { outcome, verdict: null })), ...["faster", "slower", "no_difference"].map((verdict) => candidate(1, { verdict }))];
  assert.strictEqual(new Set(all.map(words.fate)).size, all.length);
  for (const one of all) assert.ok(words.icon(one).name);
});

test("the store keeps candidates, drops what is stale, and forgets for good", () => {
  const store = new RunStore();
  const first = run({ candidates: [candidate(1)] });
  assert.ok(store.changed(first));
  assert.ok(store.changed({ ...first, done: 4, candidates: [] }));
  assert.strictEqual(store.get(first.run).candidates.length, 1);
  assert.ok(store.changed({ ...first, status: "improved" }));
  assert.ok(!store.changed({ ...first, status: "running" }), "an end is an end");
  assert.ok(store.changed({ ...first, generation: 2, status: "running" }), "unless it goes on");
  assert.ok(!store.changed({ ...first, generation: 1 }));
  const newer = run({ run: "20300102-000000-bbbbbb", created: "2030-01-02T00:00:00Z", generation: 3, status: "improved" });
  store.replace([first, newer]);
  assert.deepStrictEqual(store.all().map((one) => one.run), [newer.run, first.run]);
  assert.strictEqual(store.of("file:///w/a.cpp").run, newer.run);
  store.changed(run({ run: "20300101-000000-cccccc", uri: "file:///w/%C3%BC%20b.cpp" }));
  assert.ok(store.of("file:///w/ü b.cpp") && store.of("file:///w/%c3%bc%20b.cpp") && !store.of("file:///w/%"));
  store.forget("20300101-000000-cccccc");
  store.forget(newer.run);
  store.replace([first, newer]);
  assert.ok(!store.changed(newer));
  assert.deepStrictEqual(store.all().map((one) => one.run), [first.run]);
});
