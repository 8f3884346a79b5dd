// The server dies: it is started again, with the reason; when it dies again and again, that is said, and a click starts it anew.
import assert from "node:assert";
import fs from "node:fs";

/** Servers that were started below this VS Code. */
function servers(mark) {
  return fs.readdirSync("/proc").filter((pid) => {
    try {
      const words = fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      return /^\d+$/.test(pid) && words.includes("maxcode_lsp") && words.includes("lsp") && fs.readFileSync(`/proc/${pid}/environ`, "utf8").includes(mark);
    } catch {
      return false;
    }
  });
}

export default async function crash(editor, { data }) {
  const { page } = editor;
  await editor.file("slow.cpp");
  await editor.seeLens("MaxCode: Optimize");
  for (let turn = 1; turn <= 5; turn += 1) {
    const [pid] = await editor.until("a server", () => {
      const found = servers(data);
      return found.length === 1 ? found : undefined;
    });
    await editor.status("MaxCode").locator(".codicon-rocket").first().waitFor();
    process.kill(Number(pid), "SIGKILL");
    editor.say("killed", pid);
    if (turn === 1) {
      await editor.status("It is started again").first().waitFor();
      assert.match(await editor.status("It is started again").first().innerText(), /The server ended \(SIGKILL\)/);
    }
    await editor.until("its end to be seen", async () => !servers(data).includes(pid));
  }
  await editor.status("MaxCode: needs attention").first().waitFor();
  assert.deepStrictEqual(servers(data), [], "it is not started for ever");
  const told = editor.notification("MaxCode stopped working").first();
  await told.waitFor();
  assert.match(await told.innerText(), /SIGKILL/);
  await editor.shot("attention");
  await editor.answer("MaxCode stopped working", "Restart");
  await editor.status("MaxCode").locator(".codicon-rocket").first().waitFor();
  await editor.until("a server", () => servers(data).length === 1);
  await page.locator(".view-line", { hasText: "int main() {" }).first().click();
  await editor.seeLens("MaxCode: Optimize");

  // The menu behind the item.
  await page.locator(".statusbar-item[id*='maxcode.status']").first().click();
  const rows = page.locator(".quick-input-list .monaco-list-row");
  await rows.first().waitFor();
  const labels = await rows.evaluateAll((all) => all.map((row) => row.getAttribute("aria-label")));
  for (const wanted of ["Show runs", "Restart the server", "Show the log", "Check this machine", "Settings"]) {
    assert.ok(labels.some((label) => label?.includes(wanted)), `${wanted}: ${labels.join(" | ")}`);
  }
  await editor.shot("menu");
  await page.keyboard.press("Escape");
}
