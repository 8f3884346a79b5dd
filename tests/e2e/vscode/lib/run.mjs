// Runs one story: `node lib/run.mjs STORY`, with MAXCODE_E2E as JSON {base, workspace, shots, …}. 0: all of it was seen.
// A failure leaves a screenshot and the page's console.
import fs from "node:fs";
import path from "node:path";
import { open } from "./browser.mjs";

const name = process.argv[2];
const given = JSON.parse(process.env.MAXCODE_E2E);
fs.mkdirSync(given.shots, { recursive: true });
const { default: story, options = {} } = await import(`../stories/${name}.mjs`);
const editor = await open({ ...given, ...options });
try {
  if (options.load !== false) await editor.load();
  await story(editor, given);
  editor.say("story: done");
} catch (error) {
  editor.say("FAILED", error.stack ?? error);
  editor.say("status:", await editor.page.locator(".statusbar-item[id*='maxcode.status'] a").first().getAttribute("aria-label", { timeout: 1000 }).catch(() => "none"));
  await editor.page.screenshot({ path: path.join(given.shots, `failed-${name}.png`) }).catch(() => undefined);
  fs.writeFileSync(path.join(given.shots, `failed-${name}.log`), editor.console.join("\n"));
  process.exitCode = 1;
}
await editor.close();
// What still waits (a limit that was not needed) must not keep the process.
process.exit();
