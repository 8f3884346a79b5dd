/** The view of runs: each with its candidates below it. */
import * as vscode from "vscode";
import * as l10n from "@vscode/l10n";
import type { CandidateInfo, RunInfo } from "../protocol";
import { badge, candidateWords, icon, originWords, runWords, statusWords } from "./wording";
import type { Runs } from "./runs";

export class RunItem {
  constructor(readonly run: RunInfo) {}
}

export class CandidateItem {
  constructor(
    readonly run: RunInfo,
    readonly candidate: CandidateInfo,
  ) {}
}

export type Item = RunItem | CandidateItem;

export class RunTree implements vscode.TreeDataProvider<Item> {
  private readonly changed = new vscode.EventEmitter<Item | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  /** Items must stay the same objects for the editor to know them again. */
  private items = new Map<string, RunItem>();

  constructor(private readonly runs: Runs) {
    runs.onChange((run) => this.refresh(run));
  }

  getChildren(item?: Item): Item[] | Thenable<Item[]> {
    if (item === undefined) {
      const items = this.runs.store.all().map((run) => new RunItem(run));
      this.items = new Map(items.map((each) => [each.run.run, each]));
      return items;
    }
    return item instanceof RunItem ? this.candidates(item.run) : [];
  }

  getTreeItem(item: Item): vscode.TreeItem {
    return item instanceof RunItem ? runItem(this.runs.store.get(item.run.run) ?? item.run) : candidateItem(item);
  }

  private async candidates(run: RunInfo): Promise<Item[]> {
    const whole = await this.runs.whole(run.run);
    return (whole?.candidates ?? []).map((candidate) => new CandidateItem(whole ?? run, candidate));
  }

  private refresh(run: string | undefined): void {
    const known = run === undefined ? undefined : this.items.get(run);
    this.changed.fire(known);
  }
}

function runItem(run: RunInfo): vscode.TreeItem {
  const item = new vscode.TreeItem(run.target, vscode.TreeItemCollapsibleState.Collapsed);
  item.id = run.run;
  item.description = runWords(run);
  item.iconPath = runIcon(run);
  item.contextValue = `run ${run.status}${run.discarded ? " discarded" : ""}${run.applied ? " applied" : ""}`;
  item.tooltip = new vscode.MarkdownString(undefined, false).appendText(
    [run.reason || run.at || statusWords(run.status), `${run.search} · ${run.effort} · ${l10n.t("{0} of {1} candidates", run.done, run.budget)}`, run.created, run.run].filter(Boolean).join("\n"),
  );
  item.accessibilityInformation = { label: `${run.target}, ${statusWords(run.status)}, ${runWords(run)}` };
  return item;
}

function runIcon(run: RunInfo): vscode.ThemeIcon {
  switch (run.status) {
    case "running":
      return new vscode.ThemeIcon("loading~spin");
    case "improved":
      return new vscode.ThemeIcon("rocket", run.discarded ? undefined : new vscode.ThemeColor("charts.green"));
    case "refused":
    case "failed":
      return new vscode.ThemeIcon("warning", new vscode.ThemeColor("list.warningForeground"));
    case "interrupted":
      return new vscode.ThemeIcon("debug-pause");
    case "cancelled":
      return new vscode.ThemeIcon("circle-slash");
    default:
      return new vscode.ThemeIcon("dash");
  }
}

function candidateItem({ run, candidate }: CandidateItem): vscode.TreeItem {
  const item = new vscode.TreeItem(badge(candidate), vscode.TreeItemCollapsibleState.None);
  const { name, color } = icon(candidate);
  item.id = `${run.run}/${candidate.number}`;
  item.description = `${candidate.number} · ${originWords(candidate)} · ${l10n.t("depth {0}", candidate.depth)}`;
  item.iconPath = new vscode.ThemeIcon(name, color === undefined ? undefined : new vscode.ThemeColor(color));
  item.contextValue = candidate.candidate === null ? "candidate" : "candidate text";
  item.tooltip = [originWords(candidate), candidateWords(candidate), candidate.because].filter(Boolean).join("\n");
  item.accessibilityInformation = { label: l10n.t("Candidate {0}, {1}, {2}", candidate.number, originWords(candidate), candidateWords(candidate)) };
  if (candidate.candidate !== null) {
    item.command = { command: "maxcode.candidate.compare", title: l10n.t("Compare"), arguments: [new CandidateItem(run, candidate)] };
  }
  return item;
}
