import assert from "node:assert";
import fs from "node:fs";
import test from "node:test";
import { load } from "./load.mjs";

const { at, facts, parts, suggestions, tableAt } = await load("settings/schema.ts");
const schema = JSON.parse(fs.readFileSync("../docs/maxcode.schema.json", "utf8"));
const labels = (text) => {
  const lines = text.split("\n");
  return suggestions(schema, lines, lines.length - 1, lines.at(-1)).map((one) => one.label);
};

test("places", () => {
  assert.deepStrictEqual(parts(`target."src/a b.cpp".budget`), ["target", "src/a b.cpp", "budget"]);
  assert.deepStrictEqual(tableAt(["budget = 1", "[llm]", "x = 1", "[[models]]", ""], 4), ["models"]);
  assert.deepStrictEqual(tableAt(["[llm]"], 0), []);
  assert.match(at(schema, ["llm", "critic"]).description, /critic/i);
  assert.ok(at(schema, ["models", "name"]));
  assert.ok(at(schema, ["target", "a.cpp", "budget"]));
  assert.strictEqual(at(schema, ["nothing", "there"]), undefined);
});

test("keys of the table, and only those that are not there yet", () => {
  const top = labels("budget = 3\n");
  assert.ok(top.includes("effort") && top.includes("search") && !top.includes("budget") && !top.includes("llm"));
  assert.ok(labels("[workload]\nse").includes("seconds"));
  assert.ok(!labels("[workload]\nse").includes("effort"));
  assert.deepStrictEqual(labels("[nothing]\n"), []);
});

test("tables after a bracket", () => {
  assert.ok(labels("[").includes("llm") && labels("[wo").includes("workload"));
  assert.ok(!labels("[").includes("budget"));
});

test("values", () => {
  assert.deepStrictEqual(labels("effort = ").sort(), ["high", "low", "medium"]);
  assert.deepStrictEqual(labels("[llm]\ncache = "), ["true", "false"]);
  assert.deepStrictEqual(suggestions(schema, ['effort = "'], 0, 'effort = "').map((one) => one.insert).sort(), ["high", "low", "medium"]);
  assert.deepStrictEqual(labels("budget = "), []);
  assert.match(facts(at(schema, ["threshold"])), /number ≥ 1, ≤ 100, default 1.05/);
});

test("no text makes it fail", () => {
  for (const text of ["", "[[", "]]]", '"', "a.b.c = ", "[target.\"", "= = =", "[a]\n[b\n c"]) assert.ok(Array.isArray(labels(text)), text);
});
