// The pictures of the docs, in one theme: each surface, on the bundled example.
import path from "node:path";

export const options = { size: { width: 1180, height: 720 } };

export default async function pictures(editor, { theme }) {
  const { page } = editor;
  const shot = (name) => editor.shot(`vscode-${name}-${theme}`);
  const quiet = async () => {
    await page.mouse.move(700, 690);
    await page.keyboard.press("Escape");
    await page.waitForTimeout(400);
  };
  await editor.file("words.cpp");
  await page.keyboard.press("Control+B");
  await editor.seeLens("MaxCode: Optimize");
  await editor.goTo("int main() {");
  await editor.menu("Optimize “words.cpp” with MaxCode");
  await shot("lightbulb");
  await editor.choose("Optimize “words.cpp” with MaxCode", () => editor.status("MaxCode: words.cpp").first().waitFor({ timeout: 20_000 }));
  await editor.status("MaxCode: words.cpp — best").or(editor.status("MaxCode: words.cpp: best")).or(editor.status("best")).first().waitFor();
  await page.locator("[class*=squiggly-info]").first().waitFor({ state: "attached" });
  await quiet();
  await shot("progress");
  await editor.seeLens("ready");
  await editor.notification("faster (95").first().waitFor();
  await shot("ready");
  await quiet();

  // A finding on its line, and what is known of the program.
  await editor.until("the hover of a finding", async () => {
    await quiet();
    await page.locator(".view-line", { hasText: "static long weight" }).locator("span", { hasText: "weight" }).last().hover();
    return page.locator(".monaco-hover:visible", { hasText: "copy-by-value" }).first().waitFor({ timeout: 5000 }).then(() => true, () => false);
  });
  await page.waitForTimeout(800);
  await shot("finding");
  await editor.until("the hover on main", async () => {
    await quiet();
    await page.locator(".view-line span", { hasText: /^main$/ }).or(page.locator(".view-line span", { hasText: "main" })).last().hover();
    return page.locator(".monaco-hover:visible", { hasText: "Confirmed" }).first().waitFor({ timeout: 5000 }).then(() => true, () => false);
  });
  await page.waitForTimeout(800);
  await shot("hover");
  await quiet();

  await editor.lens("Compare").first().locator("a", { hasText: "Compare" }).click();
  await page.waitForSelector(".tab.active:has-text('original ↔')");
  const faster = page.locator(".monaco-diff-editor .modified .view-line", { hasText: "const std::vector<std::string>& words" }).first();
  await editor.until("the change that counts most", async () => {
    await page.keyboard.press("Alt+F5");
    await page.waitForTimeout(500);
    return faster.isVisible();
  });
  await page.waitForTimeout(1000);
  await shot("compare");

  await page.locator(".activitybar .action-item a[aria-label^='MaxCode']").first().click();
  const run = page.locator(".pane-body .monaco-list-row[aria-level='1']", { hasText: "words.cpp" }).first();
  await run.waitFor();
  await run.click();
  await page.keyboard.press("ArrowRight");
  await page.locator(".pane-body .monaco-list-row[aria-level='2']").first().waitFor();
  await page.mouse.move(160, 330);
  await shot("view");
  await run.hover();
  await run.locator("a.action-label[aria-label^='Open the Page']").first().click();
  const frame = page.frameLocator("iframe.webview.ready").frameLocator("#active-frame");
  await frame.locator("svg.chart .dot").first().waitFor();
  await page.keyboard.press("Control+B");
  await page.setViewportSize({ width: 1180, height: 1100 });
  await page.waitForTimeout(1000);
  await shot("page");
  editor.say(path.basename(editor.shots));
}
