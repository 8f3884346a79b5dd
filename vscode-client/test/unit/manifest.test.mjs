import assert from "node:assert";
import fs from "node:fs";
import test from "node:test";

const manifest = JSON.parse(fs.readFileSync("package.json", "utf8"));
const strings = JSON.parse(fs.readFileSync("package.nls.json", "utf8"));
const sources = fs.readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts")).map((file) => fs.readFileSync(`src/${file}`, "utf8")).join("\n");

test("every command that is offered is there, and every one that is there is offered", () => {
  const offered = manifest.contributes.commands.map(({ command }) => command);
  const made = [...fs.readFileSync("src/commands.ts", "utf8").matchAll(/^ {4}"(maxcode\.[\w.]+)":/gm)].map(([, name]) => name);
  assert.deepStrictEqual([...offered].sort(), [...made].sort());
  const used = JSON.stringify(manifest.contributes.menus).matchAll(/"command":"([^"]+)"/g);
  for (const [, name] of used) assert.ok(offered.includes(name), name);
});

test("no command has a name of the server's, which the language client registers", () => {
  const servers = ["start", "stop", "apply", "compare", "explain", "discard", "forget"].map((name) => `maxcode.${name}`);
  for (const { command } of manifest.contributes.commands) assert.ok(!servers.includes(command), command);
});

test("every string that is named is there, and used", () => {
  const named = new Set([...JSON.stringify(manifest).matchAll(/"%([\w.]+)%"/g)].map(([, name]) => name));
  assert.deepStrictEqual([...named].sort(), Object.keys(strings).sort());
});

test("the bundle for translators holds every string of the code", () => {
  const bundle = JSON.parse(fs.readFileSync("l10n/bundle.l10n.json", "utf8"));
  for (const [, text] of sources.matchAll(/l10n\.t\(\s*"((?:[^"\\]|\\.)*)"/g)) assert.ok(JSON.parse(`"${text}"`) in bundle, `${text}: run npm run strings`);
});

test("what the user alone may set cannot come from a workspace", () => {
  const properties = manifest.contributes.configuration.properties;
  for (const key of ["maxcode.api_base", "maxcode.llm.max_cost_usd", "maxcode.llm.proxy", "maxcode.server.package"]) assert.strictEqual(properties[key].scope, "machine", key);
  for (const key of manifest.capabilities.untrustedWorkspaces.restrictedConfigurations) assert.ok(key in properties, key);
  assert.ok(Object.keys(properties).length > 40);
});

test("it is begun by C, C++, CUDA C++ and settings", () => {
  assert.deepStrictEqual(manifest.activationEvents, ["onLanguage:c", "onLanguage:cpp", "onLanguage:cuda-cpp", "workspaceContains:**/maxcode.toml"]);
});

test("all files that are named are there", () => {
  const files = [manifest.icon, ...manifest.contributes.walkthroughs.flatMap(({ steps }) => steps.map(({ media }) => media.markdown)), "media/icon.svg", "example/words.cpp", "LICENSE", "README.md", "CHANGELOG.md"];
  for (const file of files) assert.ok(fs.statSync(file).size > 0, file);
});
