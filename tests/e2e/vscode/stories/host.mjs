// Runs the tests of vscode-client/test/host inside the extension host, through the page's own way for that.
import path from "node:path";

export const options = { load: false };

export default async function host(editor, { base, workspace, client }) {
  const { page } = editor;
  const authority = new URL(base).host;
  const show = (value) => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
  let ended;
  const end = new Promise((resolve) => (ended = resolve));
  await page.exposeFunction("codeAutomationLog", (type, args) => console.log(`[${type}]`, ...args.map((each) => show(each).slice(0, 600))));
  await page.exposeFunction("codeAutomationExit", (code) => ended(code));
  const payload = [
    ["extensionDevelopmentPath", `vscode-remote://${authority}${client}`],
    ["extensionTestsPath", `vscode-remote://${authority}${path.join(client, "test", "host", "index.js")}`],
  ];
  const query = new URLSearchParams({ folder: workspace, payload: JSON.stringify(payload) });
  await page.goto(`${base}/?${query}`);
  const code = await Promise.race([end, new Promise((resolve) => setTimeout(() => resolve("no end"), 240_000))]);
  if (code !== 0) throw new Error(`the extension host ended with ${code}`);
}
