// A folder that nobody trusts: nothing of it is run, which is said, and reading it is all that is offered. With trust it works.
import assert from "node:assert";

export default async function untrusted(editor) {
  const { page } = editor;
  const dialog = page.locator(".monaco-dialog-box");
  await dialog.locator(".monaco-button", { hasText: /No, I don't trust|No, browse/ }).first().click();
  await editor.file("slow.cpp");
  await editor.status("MaxCode").first().waitFor();
  await editor.goTo("int main() {");
  const titles = await editor.titles("Look for slow code");
  editor.say(titles.join(" | "));
  assert.ok(titles.some((title) => title.includes("Optimize") && title.includes("not trusted")) || !titles.some((title) => title.startsWith("Optimize")), titles.join(" | "));
  await editor.choose("Look for slow code", () => page.waitForSelector(".squiggly-info, .squiggly-hint, [class*=squiggly]", { state: "attached", timeout: 30_000 }));
  await editor.notification("Nothing was run: this folder is not trusted").first().waitFor();
  await editor.shot("untrusted");

  await editor.command("Workspaces: Manage Workspace Trust");
  await page.locator(".workspace-trust-editor .monaco-button", { hasText: /^Trust$/ }).first().click();
  await editor.until("the server to start anew", async () => (await editor.status("MaxCode").locator(".codicon-rocket").count()) > 0);
  await page.locator(".monaco-modal-editor-block .codicon-close, .tab.active .codicon-close").first().click();
  await page.locator(".workspace-trust-editor").waitFor({ state: "detached" });
  await editor.seeLens("Optimize");
  await editor.goTo("int main() {");
  await editor.menu("Optimize “slow.cpp” with MaxCode");
  editor.say("trusted now");
}
