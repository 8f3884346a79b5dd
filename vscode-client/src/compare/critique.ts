/** The critique of a version as a page of Markdown: `maxcode-critique:/RUN/VERSION/critique of solve.cpp.md`. */
import * as vscode from "vscode";
import * as l10n from "@vscode/l10n";
import type { CandidateText, FindingInfo, HunkInfo } from "../protocol";
import { versionUri, type Versions } from "./documents";
import { markdown } from "./markdown";

export const SCHEME = "maxcode-critique";

export class Critiques implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly registered = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);

  constructor(private readonly versions: Versions) {}

  async open(run: string, version: string, name: string): Promise<void> {
    const title = l10n.t("critique of {0}.md", name);
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${run}/${version}/${title}` });
    await vscode.commands.executeCommand("markdown.showPreview", uri);
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const [, run = "", version = "", title = ""] = uri.path.split("/");
    const text = await this.versions.text(versionUri(run, version, title));
    return text === undefined ? l10n.t("This version is not known any more.") : page(title.replace(/\.md$/u, ""), text);
  }

  dispose(): void {
    this.registered.dispose();
  }
}

/** A version's critique, then its changes. */
export function page(title: string, { findings, hunks, text }: Pick<CandidateText, "findings" | "hunks" | "text">): string {
  const lines = text.split("\n");
  const found = findings.length === 0 ? [l10n.t("There is no critique of this version: the search did not go on from it.")] : findings.map((one) => finding(one, lines));
  const changed = hunks.map(hunk);
  const changes = changed.length === 0 ? [] : [`## ${l10n.t("What was changed")}`, ...changed];
  return [`# ${markdown(title)}`, ...found, ...changes].join("\n\n") + "\n";
}

function finding(one: FindingInfo, lines: readonly string[]): string {
  const share = one.share === null ? "" : ` (${l10n.t("{0} % of the run", Math.round(100 * one.share))})`;
  const code = lines[one.line] ?? "";
  const fence = "`".repeat(Math.max(3, ...[...code.matchAll(/`+/gu)].map(([ticks]) => ticks.length + 1)));
  const quoted = code.trim() === "" ? "" : `\n\n${fence}cpp\n${code.trim()}\n${fence}`;
  return `**${markdown(one.kind)}**, ${l10n.t("line {0}", one.line + 1)}${share}: ${markdown(one.message)}${quoted}\n\n*${markdown(one.evidence)}*`;
}

function hunk(one: HunkInfo): string {
  return `- ${l10n.t("line {0}", one.line + 1)}: ${markdown(one.label.replace(/^MaxCode: /u, ""))}${one.why === "" ? "" : `. ${markdown(one.why)}`}`;
}
