import assert from "node:assert";
import test from "node:test";
import { load } from "./load.mjs";

const { markdown } = await load("compare/markdown.ts");

test("text is shown as it is", () => {
  assert.strictEqual(markdown("a_b*c`d` <x> [l](u)\n# h"), "a\\_b\\*c\\`d\\` \\<x\\> \\[l\\]\\(u\\) \\# h");
});
