import assert from "node:assert";
import fs from "node:fs";
import test from "node:test";
import { load } from "./load.mjs";
import { candidate, run } from "./runs.mjs";

const { chart, bestSoFar, Scale } = await load("page/chart.ts");
const { branches, searchTree } = await load("page/searchTree.ts");
const { render, exported, counts } = await load("page/render.ts");

const EVIL = `<img src=x onerror="alert(1)">'"&`;
const searched = run({
  status: "improved", best: 2.5, ci95: [2.4, 2.6], done: 3, reason: "It is faster.", tokens: 1234, costUsd: 0.05,
  path: [{ number: 1, candidate: "000000000001", origin: "a", depth: 1, speedup: 1.9, u: 1.9, why: "", because: "A copy." }, { number: 3, candidate: "000000000003", origin: "b", depth: 2, speedup: 2.5, u: 2.5, why: "At 1.90× it is the best.", because: "A division." }],
  candidates: [
    candidate(1, { verdict: "faster", speedup: 1.9, ci95: [1.8, 2.0], u: 1.9, because: "A copy." }),
    candidate(2, { outcome: "wrong_output", verdict: null, speedup: null, parent: "000000000001", depth: 2 }),
    candidate(3, { verdict: "faster", speedup: 2.5, best: true, parent: "000000000001", depth: 2, u: 2.5, because: "A division." }),
  ],
});

test("the best so far only grows, and by improvements only", () => {
  assert.deepStrictEqual(bestSoFar(searched.candidates, searched.path).map((one) => one.speedup), [1, 1.9, 1.9, 2.5]);
  const slow = [candidate(1, { speedup: 0.2 }), candidate(2, { speedup: 3 })];
  assert.deepStrictEqual(bestSoFar(slow, []).map((one) => one.speedup), [1, 1, 1], "what was not taken does not count");
});

test("the chart holds every number there can be", () => {
  for (const speedups of [[], [1e-9, 1e6], [0, Infinity, NaN], [1.001]]) {
    const scale = new Scale(speedups);
    const ticks = scale.ticks();
    assert.ok(ticks.length >= 1 && ticks.length <= 9, `${speedups}: ${ticks}`);
    for (const value of [...speedups, ...ticks, 1]) assert.ok(Number.isFinite(scale.y(value)) || !Number.isFinite(value), String(value));
  }
  for (const one of [run(), searched, run({ budget: 0 }), run({ candidates: [candidate(1, { speedup: 0 })] })]) assert.doesNotMatch(chart(one), /NaN|Infinity|undefined/);
});

test("the tree has each candidate once, whatever the parents say", () => {
  const root = branches(searched.candidates);
  assert.deepStrictEqual(root.children.map((child) => child.candidate.number), [1]);
  assert.deepStrictEqual(root.children[0].children.map((child) => child.candidate.number), [2, 3]);
  const ring = [candidate(1, { parent: "000000000002" }), candidate(2, { parent: "000000000001" }), candidate(3, { parent: "000000000003" }), candidate(4, { candidate: null, parent: "unknown" })];
  const count = (branch) => 1 + branch.children.reduce((sum, child) => sum + count(child), 0);
  assert.strictEqual(count(branches(ring)), ring.length + 1);
  assert.match(searchTree(searched), /At 1\.90× it is the best/);
  assert.match(searchTree(searched), /A division\./);
});

test("nothing of a run gets out of its text", () => {
  const evil = run({ target: EVIL, reason: EVIL, at: EVIL, run: EVIL, status: EVIL, search: EVIL, created: EVIL, candidates: [candidate(1, { origin: EVIL, outcome: EVIL, verdict: EVIL, because: EVIL, candidate: EVIL })] });
  for (const html of [render(evil, true), exported(evil, "")]) {
    assert.doesNotMatch(html, /<img|onerror="alert|<script/);
  }
});

test("what was applied or discarded is not offered again", () => {
  const acts = (more) => [...render({ ...searched, ...more }, true).matchAll(/data-act="(apply|result|stop)"/g)].map(([, act]) => act);
  assert.deepStrictEqual(acts({}), ["apply", "result"]);
  assert.deepStrictEqual(acts({ applied: true }), ["result"]);
  assert.deepStrictEqual(acts({ discarded: true }), []);
  assert.deepStrictEqual(acts({ status: "running" }), ["stop", "result"]);
});

test("what is exported needs nothing else", () => {
  const html = exported(searched, "body { color: red }");
  assert.doesNotMatch(html, /<script|<button|data-act|src=|href=/);
  assert.match(html, /2\.50× faster/);
  assert.match(html, /1,234 tokens, \$0\.0500/);
  assert.deepStrictEqual(counts(searched.candidates), [["faster", 2], ["wrong output", 1]]);
});

test("the style knows no colour that a theme could not change", () => {
  const style = fs.readFileSync("media/page.css", "utf8");
  for (const [, colour] of style.matchAll(/(?:color|background|fill|stroke):\s*([^;}]+)/g)) assert.match(colour, /var\(|none|inherit|^\d|transparent/, colour);
});
