/** Completion and hovers in `maxcode.toml`. Its mistakes come from the server, as diagnostics. */
import * as vscode from "vscode";
import schemaText from "../../../docs/maxcode.schema.json";
import { at, facts, parts, suggestions, tableAt, type Schema, type Suggestion } from "./schema";

const SCHEMA = schemaText as Schema;
const FILES: vscode.DocumentSelector = { scheme: "file", pattern: "**/maxcode.toml" };
const KINDS: Record<Suggestion["kind"], vscode.CompletionItemKind> = {
  key: vscode.CompletionItemKind.Property,
  table: vscode.CompletionItemKind.Module,
  value: vscode.CompletionItemKind.EnumMember,
};

export function registerSettings(): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.languages.registerCompletionItemProvider(FILES, { provideCompletionItems: complete }, "=", "[", '"', " "),
    vscode.languages.registerHoverProvider(FILES, { provideHover: hover }),
  );
}

function complete(document: vscode.TextDocument, position: vscode.Position): vscode.CompletionItem[] {
  const lines = document.getText().split(/\r?\n/u);
  const before = (lines[position.line] ?? "").slice(0, position.character);
  return suggestions(SCHEMA, lines, position.line, before).map((found) => {
    const item = new vscode.CompletionItem(found.label, KINDS[found.kind]);
    item.insertText = found.insert;
    item.detail = found.detail;
    item.documentation = found.documentation;
    if (found.kind === "key") item.command = { command: "editor.action.triggerSuggest", title: "" };
    return item;
  });
}

function hover(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | undefined {
  const lines = document.getText().split(/\r?\n/u);
  const line = lines[position.line] ?? "";
  const key = /^\s*([\w."'/*-]+)\s*=/u.exec(line);
  const heading = /^\s*\[{1,2}([^\]]+)/u.exec(line);
  const keys = heading !== null ? parts(heading[1] ?? "") : key !== null ? [...tableAt(lines, position.line), ...parts(key[1] ?? "")] : [];
  if (keys.length === 0 || (key !== null && position.character > (key.index + key[0].length))) return undefined;
  const what = at(SCHEMA, keys);
  if (what === undefined) return undefined;
  const said = new vscode.MarkdownString().appendText(what.description ?? "");
  return new vscode.Hover(what.properties === undefined ? said.appendMarkdown("\n\n").appendText(facts(what)) : said);
}
