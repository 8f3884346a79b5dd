// The view of runs, and the page of one: what was tried, how, and what can be done with it.
import assert from "node:assert";
import fs from "node:fs";
import path from "node:path";

export default async function view(editor, { workspace }) {
  const { page } = editor;
  await editor.file("slow.cpp");
  await editor.seeLens("MaxCode: Optimize");
  await page.locator(".activitybar .action-item a[aria-label^='MaxCode']").first().click();
  await page.locator(".viewlet-welcome, .welcome-view", { hasText: "No run yet" }).first().waitFor();
  await editor.shot("empty");

  // Chosen how: few candidates, one after the other in three questions.
  await editor.command("MaxCode: Optimize This File, Choosing How…");
  const question = (number) => page.locator(".quick-input-widget:visible .quick-input-title", { hasText: `(${number}/3)` });
  for (const [number, answer] of [[1, "low"], [2, "beam"]]) {
    await question(number).waitFor();
    await page.keyboard.type(answer);
    await page.locator(".quick-input-list .monaco-list-row.focused", { hasText: answer }).first().waitFor();
    await page.keyboard.press("Enter");
    await question(number).waitFor({ state: "hidden" });
  }
  const run = page.locator(".pane-body .monaco-list-row[aria-level='1']", { hasText: "slow.cpp" }).first();
  await run.waitFor();
  await editor.shot("running");
  await editor.until("the end of the run", async () => /× \(95 % CI/.test(await run.innerText()));
  editor.say("run:", (await run.innerText()).replaceAll("\n", " "));
  const label = await run.getAttribute("aria-label");
  assert.match(label, /slow\.cpp, improved, [\d.]+× \(95 % CI/, "a screen reader hears it, too");

  // Its candidates.
  await run.click();
  await page.keyboard.press("ArrowRight");
  const candidate = page.locator(".pane-body .monaco-list-row[aria-level='2']").first();
  await candidate.waitFor();
  editor.say("candidate:", await candidate.getAttribute("aria-label"));
  await editor.shot("view");
  await candidate.click();
  await page.waitForSelector(".tab.active:has-text('original ↔')");
  assert.match(await page.locator(".tab.active").first().innerText(), /≈ [\d.]+×, not confirmed/);
  editor.say("candidate compared");

  // The page of the run.
  await run.hover();
  await run.locator("a.action-label[aria-label^='Open the Page']").first().click();
  const frame = page.frameLocator("iframe.webview.ready").frameLocator("#active-frame");
  await frame.locator("h1", { hasText: "slow.cpp" }).waitFor();
  await frame.locator("svg.chart .dot").first().waitFor();
  assert.match(await frame.locator(".status").innerText(), /improved: [\d.]+× faster \(95 % CI/);
  assert.match(await frame.locator("svg.chart").getAttribute("aria-label"), /Best speedup after each candidate/);
  assert.ok((await frame.locator("ul.search li").count()) > 2, "the search is shown");
  assert.match(await frame.locator(".facts").innerText(), /beam, low/);
  await page.keyboard.press("Control+B");
  await page.waitForTimeout(500);
  await editor.shot("page");
  // By keyboard: from step to step, and Enter opens the comparison.
  const step = frame.locator("button[data-act=compare]:enabled").first();
  await step.focus();
  await page.keyboard.press("Enter");
  await page.waitForSelector(".tab.active:has-text('original ↔')");
  editor.say("compared from the page by keyboard");

  // Exports.
  const written = (form) => fs.readdirSync(workspace).find((name) => /^maxcode-\d{8}-.*/.test(name) && name.endsWith(`.${form}`));
  for (const form of ["json", "html"]) {
    await page.locator(".tab[aria-label*='MaxCode: slow.cpp']").first().click();
    await frame.locator(`button[data-act=${form}]`).click();
    await page.waitForSelector(".quick-input-widget:visible input");
    await page.waitForTimeout(500);
    await page.keyboard.press("Enter");
    await editor.until(`${form} to be written`, () => written(form));
  }
  const told = JSON.parse(fs.readFileSync(path.join(workspace, written("json")), "utf8"));
  assert.strictEqual(told.status, "improved");
  assert.ok(told.candidates.length > 0 && told.search === "beam");
  const html = fs.readFileSync(path.join(workspace, written("html")), "utf8");
  assert.ok(html.includes("<svg") && !/<script|https?:\/\/(?!www\.w3\.org)/.test(html), "nothing remote, no script");
  editor.say("exported");

  // Discard: it is not offered any more. Remove: it is gone.
  await page.keyboard.press("Control+B");
  await run.hover();
  await run.locator("a.action-label[aria-label^='Compare']").first().click();
  await page.waitForSelector(".tab.active:has-text('faster (95 % CI')");
  await page.locator(".editor-actions a[aria-label^='Discard']").first().click();
  await editor.until("the run to be discarded", async () => /discarded/.test(await run.innerText()));
  // A menu takes no click in its first moments, and none is lost: it stays open.
  const remove = page.locator(".context-view .action-label", { hasText: "Remove…" }).first();
  const yes = page.locator(".monaco-dialog-box .monaco-button", { hasText: "Remove" }).first();
  await editor.until("the question", async () => {
    if (!(await remove.isVisible()) && !(await yes.isVisible())) await run.click({ button: "right" });
    await page.waitForTimeout(400);
    if (await remove.isVisible()) await remove.click();
    return yes.waitFor({ timeout: 1500 }).then(() => true, () => false);
  });
  await yes.click();
  await page.locator(".viewlet-welcome, .welcome-view", { hasText: "No run yet" }).first().waitFor();
  editor.say("removed");
}
