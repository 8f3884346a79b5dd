// No server: it is said what is missing and what to do; once it is there, it is found without a restart.
import assert from "node:assert";
import fs from "node:fs";
import path from "node:path";

export default async function missing(editor, { data }) {
  const { page } = editor;
  await editor.file("slow.cpp");
  await editor.status("MaxCode: needs attention").first().waitFor();
  const told = editor.notification("which is no program").first();
  await told.waitFor();
  assert.match(await told.innerText(), /maxcode\.server\.path/);
  await editor.shot("missing");
  const file = path.join(data, "user", "Machine", "settings.json");
  const settings = JSON.parse(fs.readFileSync(file, "utf8"));
  fs.writeFileSync(file, JSON.stringify({ ...settings, "maxcode.server.path": path.join(data, "bin", "maxcode") }));
  await editor.status("MaxCode").locator(".codicon-rocket").first().waitFor();
  await editor.seeLens("MaxCode: Optimize");
  editor.say("found");
}
