// The whole story, as a person has it: from opening a file to the faster version in it.
import assert from "node:assert";
import path from "node:path";

export default async function whole(editor, { workspace }) {
  const { page } = editor;
  await editor.file("slow.cpp");
  await editor.seeLens("MaxCode: Optimize");
  await editor.shot("lens");

  // Start from the lightbulb, see the progress, cancel it there.
  await editor.goTo("int main() {");
  await page.waitForSelector("[class*=lightbulb], [class*=light-bulb]", { state: "attached" });
  await editor.menu("Optimize “slow.cpp” with MaxCode");
  await editor.shot("lightbulb");
  const progress = editor.status("MaxCode: slow.cpp");
  await editor.choose("Optimize “slow.cpp” with MaxCode", () => progress.first().waitFor({ timeout: 20_000 }));
  editor.say("progress:", await progress.first().innerText());
  await editor.status("MaxCode: searching 1").first().waitFor();
  await editor.shot("progress");
  await progress.first().click();
  await page.locator(".monaco-button:has-text('Cancel')").first().click();
  await progress.first().waitFor({ state: "detached" });
  editor.say("cancelled");

  // To the end, this time from the lens.
  await editor.seeLens("Optimize");
  await editor.lens("Optimize").first().locator("a").first().click();
  await page.waitForSelector(".squiggly-info, .squiggly-hint, .squiggly-inline-unnecessary, .cdr.squiggly-info", { state: "attached" });
  editor.say("a finding is in the code");
  const ready = editor.notification("faster (95").first();
  await ready.waitFor();
  editor.say("told:", (await ready.locator(".notification-list-item-message").innerText()).trim());
  await editor.seeLens("ready");
  await editor.shot("ready");

  // What is known on main.
  await editor.until("the hover", async () => {
    await page.keyboard.press("Escape");
    await page.locator(".view-line span", { hasText: "main" }).first().hover();
    return page.locator(".monaco-hover:visible", { hasText: "Confirmed" }).first().waitFor({ timeout: 5000 }).then(() => true, () => false);
  });
  await editor.shot("hover");
  await page.keyboard.press("Escape");

  // Compare: the editor's own diff, with what each change is worth.
  await editor.lens("Compare").first().locator("a", { hasText: "Compare" }).click();
  await page.waitForSelector(".tab.active:has-text('original ↔')");
  const title = await page.locator(".tab.active").first().getAttribute("aria-label");
  assert.match(title, /slow\.cpp: original ↔ [\d.]+× faster \(95 % CI [\d.]+–[\d.]+\)/);
  editor.say("compare:", title);
  await page.waitForSelector(".diff-editor, .monaco-diff-editor");
  await page.locator(".monaco-diff-editor .modified .view-line", { hasText: "const std::vector<std::string>& words" }).first().waitFor();
  await editor.shot("compare");

  // Apply from its toolbar, then save.
  await page.locator(".editor-actions a[aria-label^='Apply'], .title-actions a[aria-label^='Apply'], .editor-actions .action-label[aria-label^='Apply']").first().click();
  await page.waitForSelector(".tab.active:has-text('slow.cpp')");
  await page.waitForSelector(".tab:has-text('original ↔')", { state: "detached" });
  await editor.file("slow.cpp");
  await page.locator(".view-line", { hasText: "const std::vector<std::string>& words" }).first().waitFor();
  editor.say("applied");
  await editor.save(path.join(workspace, "slow.cpp"));
  await editor.seeLens("confirmed on this file");
  await editor.shot("applied");
}
