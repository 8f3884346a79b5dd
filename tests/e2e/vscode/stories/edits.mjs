// A CRLF file that is edited while the run goes on: the result follows its function, asks before it changes the text, and keeps
// the line ends; where its own text was edited it is refused.
import assert from "node:assert";
import fs from "node:fs";
import path from "node:path";

export default async function edits(editor, { workspace }) {
  const { page } = editor;
  const file = path.join(workspace, "slow.cpp");
  await editor.file("slow.cpp");
  await editor.seeLens("MaxCode: Optimize");
  assert.match(await page.locator(".statusbar-item[id*='editor.eol']").innerText(), /CRLF/);
  await editor.lens("Optimize").first().locator("a").first().click();
  await editor.status("MaxCode: slow.cpp").first().waitFor();
  await page.locator(".view-line", { hasText: "#include <cstdio>" }).first().click();
  await page.keyboard.press("Home");
  await page.keyboard.insertText("// typed while it runs\n");
  await editor.seeLens("ready");
  editor.say("ready after an edit");

  await editor.goTo("int main() {");
  await editor.choose("Apply MaxCode: “slow.cpp”", () => page.waitForSelector(".bulk-edit-panel .monaco-list-row", { timeout: 20_000 }));
  await page.waitForTimeout(500);
  const rows = await page.locator(".bulk-edit-panel .monaco-list-row").allInnerTexts();
  assert.ok(rows.some((row) => row.includes("const std::vector<std::string>& words")), rows.join(" | "));
  await editor.shot("preview");
  assert.ok(!(await editor.text()).includes("const std::vector<std::string>& words"), "nothing is changed before the yes");
  for (const box of await page.locator(".bulk-edit-panel .edit-checkbox").all()) if (!(await box.isChecked())) await box.click();
  await page.locator(".bulk-edit-panel .monaco-button:has-text('Apply')").first().click();
  await page.locator(".view-line", { hasText: "const std::vector<std::string>& words" }).first().waitFor();
  await page.keyboard.press("Escape");
  await page.locator(".view-line", { hasText: "int main() {" }).first().click();
  await editor.save(file);
  const text = fs.readFileSync(file, "utf8");
  assert.ok(text.startsWith("// typed while it runs\r\n"));
  assert.strictEqual(text.split("\n").length, text.split("\r\n").length, "every line still ends as before");
  await editor.seeLens("confirmed on this file");

  // Undo, then change what the result changes: it does not fit any more, and says so.
  await page.keyboard.press("Control+z");
  await editor.seeLens("ready");
  await page.locator(".view-line", { hasText: "static long weight" }).first().click();
  await page.keyboard.press("Home");
  await page.keyboard.insertText("inline ");
  await editor.lens("ready").first().waitFor({ state: "detached" });
  await editor.seeLens("MaxCode: Optimize");
  editor.say("refused after an edit of its own text");
}
