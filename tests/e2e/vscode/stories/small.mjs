// A CUDA file, the settings file, a key, and the example of the walkthrough.
import assert from "node:assert";
import fs from "node:fs";
import path from "node:path";

const KEY = "sk-this-is-no-key-at-all-12345";

/** Files below a folder that have a text in them. */
function holding(folder, text) {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => fs.readFileSync(file).includes(text));
}

export default async function small(editor, { data }) {
  const { page } = editor;
  await editor.file("scale.cu");
  await page.locator(".statusbar-item[id*='editor.mode']", { hasText: "CUDA" }).waitFor();
  await editor.until("why CUDA is not served", async () => /CUDA targets are coming/.test((await editor.status("MaxCode").locator("a").first().getAttribute("aria-label")) ?? ""));
  await editor.goTo("__global__");
  await editor.choose("Why can MaxCode not optimise “scale.cu”?", () => editor.notification("CUDA targets are coming").first().waitFor({ timeout: 20_000 }));
  await editor.shot("cuda");

  // maxcode.toml: a mistake is marked, keys and values are completed.
  await editor.file("maxcode.toml");
  await page.waitForSelector(".squiggly-warning", { state: "attached" });
  await page.keyboard.press("Control+End");
  await page.keyboard.type("\neff");
  await page.keyboard.press("Control+Space");
  const suggestion = page.locator(".suggest-widget .monaco-list-row", { hasText: "effort" }).first();
  await suggestion.waitFor();
  await page.keyboard.press("Tab");
  await page.locator(".suggest-widget .monaco-list-row", { hasText: "medium" }).first().waitFor();
  await editor.shot("settings");
  await page.keyboard.press("Escape");
  assert.match(await editor.text(), /effort = /);

  // A key is asked for without showing it, and lies in no file.
  await editor.command("MaxCode: Set API Key");
  await page.locator(".quick-input-list .monaco-list-row", { hasText: "ANTHROPIC_API_KEY" }).first().click();
  const input = page.locator(".quick-input-widget:visible input[type=password]");
  await input.waitFor();
  await page.keyboard.type(KEY);
  await page.keyboard.press("Enter");
  await editor.notification("The key for ANTHROPIC_API_KEY is kept").first().waitFor();
  assert.deepStrictEqual(holding(data, KEY), [], "it lies in no file");

  // The example is a copy of its own, outside of this folder.
  await editor.command("MaxCode: Open the Example");
  await page.waitForSelector(".tab.active:has-text('words.cpp')");
  await editor.seeLens("MaxCode: Optimize");
  await editor.lens("Optimize").first().locator("a").first().click();
  await editor.seeLens("Stop");
  await editor.lens("Stop").first().locator("a").first().click();
  await editor.seeLens("Optimize");
  editor.say("example");
}
