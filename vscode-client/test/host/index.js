// Runs inside the extension host, with the real `vscode`: what users and other extensions get through its API.
const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");

const LIMIT_MS = 90_000;

async function until(what, look) {
  const end = Date.now() + LIMIT_MS;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const folder = () => vscode.workspace.workspaceFolders[0].uri;
const extension = () => vscode.extensions.getExtension("maxcode.maxcode");
const actionsAt = (document, range, kind) => vscode.commands.executeCommand("vscode.executeCodeActionProvider", document.uri, range, kind, 20);

async function open(name) {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder(), name));
  await vscode.window.showTextDocument(document);
  return document;
}

const main = (document) => {
  const at = document.positionAt(document.getText().indexOf("main("));
  return new vscode.Range(at, at);
};

const tests = {
  async "it is activated by a C++ file, and does not keep the editor waiting"() {
    await open("slow.cpp");
    await until("activation", () => extension().isActive);
    const { server, started } = extension().exports;
    await started;
    assert.strictEqual(server.state, "ready");
    console.log(`activation took ${extension().exports.activationMs.toFixed(1)} ms`);
  },

  async "every command of the manifest is there"() {
    const known = new Set(await vscode.commands.getCommands(true));
    for (const { command } of extension().packageJSON.contributes.commands) assert.ok(known.has(command), command);
    for (const command of ["maxcode.start", "maxcode.stop", "maxcode.apply", "maxcode.compare", "maxcode.discard", "maxcode.forget"]) assert.ok(known.has(command), command);
  },

  async "what maxcode.toml says holds where nobody set it in the editor, and what was set comes over it"() {
    const { server, runs } = extension().exports;
    const document = await open("slow.cpp");
    const started = await vscode.commands.executeCommand("maxcode.start", { uri: document.uri.toString() });
    assert.ok(started.run, started.reason);
    const run = await until("the run", () => runs.store.get(started.run));
    assert.strictEqual(run.budget, 6, "as in maxcode.toml");
    await vscode.commands.executeCommand("maxcode.stop", { run: started.run });
    await vscode.workspace.getConfiguration("maxcode", document.uri).update("budget", 5, vscode.ConfigurationTarget.WorkspaceFolder);
    const again = await until("the setting to hold", async () => {
      const { run: id } = await vscode.commands.executeCommand("maxcode.start", { uri: document.uri.toString() });
      const found = await until("the run", () => runs.store.get(id));
      await vscode.commands.executeCommand("maxcode.stop", { run: id });
      return found.budget === 5;
    });
    assert.ok(again);
    await vscode.workspace.getConfiguration("maxcode", document.uri).update("budget", undefined, vscode.ConfigurationTarget.WorkspaceFolder);
    assert.strictEqual(server.state, "ready");
  },

  async "a run to its end: findings, quick fix, hover, lens, and an edit that is made by resolving"() {
    const document = await open("slow.cpp");
    const original = document.getText();
    const { runs } = extension().exports;
    const { run } = await vscode.commands.executeCommand("maxcode.start", { uri: document.uri.toString() });
    await until("the end", () => runs.store.get(run)?.status === "improved");
    const found = await until("findings", () => {
      const ours = vscode.languages.getDiagnostics(document.uri).filter(({ source }) => source === "maxcode");
      return ours.length > 0 && ours;
    });
    for (const one of found) {
      assert.ok(one.severity >= vscode.DiagnosticSeverity.Information);
      assert.ok(one.code.target.path.endsWith(`${one.code.value}.md`), "linked to its page");
    }
    const fixes = await actionsAt(document, found[0].range, "quickfix");
    const fix = fixes.find(({ title }) => title.startsWith("Apply MaxCode"));
    assert.strictEqual(fix?.kind.value, "quickfix", fixes.map(({ title }) => title).join(" | "));
    const hovers = await vscode.commands.executeCommand("vscode.executeHoverProvider", document.uri, main(document).start);
    assert.match(hovers.map((hover) => hover.contents.map((part) => part.value).join()).join(), /Confirmed: \*\*[\d.]+×\*\*/);
    const lenses = await vscode.commands.executeCommand("vscode.executeCodeLensProvider", document.uri, 10);
    assert.ok(lenses.some((lens) => /ready/.test(lens.command?.title)), JSON.stringify(lenses));
    const actions = await actionsAt(document, main(document), "refactor.rewrite.maxcode");
    const apply = actions.find(({ title }) => title.startsWith("Apply MaxCode"));
    assert.ok(apply?.edit, "resolved");
    assert.ok(await vscode.workspace.applyEdit(apply.edit));
    assert.match(document.getText(), /const std::vector<std::string>& words/);
    await vscode.commands.executeCommand("undo");
    assert.strictEqual(document.getText(), original);
  },

  async "versions are read-only documents, with the original beside them"() {
    const { runs } = extension().exports;
    const run = runs.store.all().find(({ status }) => status === "improved");
    await vscode.commands.executeCommand("maxcode.run.compare", run.run);
    const tab = await until("the comparison", () => {
      const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
      return input instanceof vscode.TabInputTextDiff && input;
    });
    const [left, right] = await Promise.all([tab.original, tab.modified].map((uri) => vscode.workspace.openTextDocument(uri)));
    assert.strictEqual(left.getText(), fs.readFileSync(path.join(folder().fsPath, "slow.cpp"), "utf8"));
    assert.match(right.getText(), /const std::vector<std::string>& words/);
    assert.strictEqual(left.languageId, "cpp");
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  },

  async "a file outside of every folder, and one that is not saved, do no harm"() {
    const untitled = await vscode.workspace.openTextDocument({ language: "cpp", content: "int main() {}\n" });
    await vscode.window.showTextDocument(untitled);
    assert.deepStrictEqual(await vscode.commands.executeCommand("vscode.executeCodeLensProvider", untitled.uri, 5), []);
    await vscode.commands.executeCommand("maxcode.optimizeFile");
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  },
};

exports.run = async () => {
  let failed = 0;
  for (const [name, test] of Object.entries(tests)) {
    const begun = Date.now();
    try {
      await test();
      console.log(`ok: ${name} (${Date.now() - begun} ms)`);
    } catch (error) {
      failed += 1;
      console.log(`FAILED: ${name}\n${error.stack}`);
    }
  }
  console.log(`HOST TESTS: ${Object.keys(tests).length - failed} passed, ${failed} failed; VS Code ${vscode.version}`);
  if (failed > 0) throw new Error(`${failed} failed`);
};
