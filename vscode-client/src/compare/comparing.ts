/** The editor's own diff of the original and a version, with what can be done about it. */
import * as path from "node:path";
import * as vscode from "vscode";
import * as l10n from "@vscode/l10n";
import { APPLY, COMPARE, DISCARD, type ApplyResult, type CandidateInfo, type CompareArguments, type RunInfo } from "../protocol";
import type { Runs } from "../runs/runs";
import { comparisonTitle } from "../runs/wording";
import type { Server } from "../server/server";
import { ORIGINAL, RESULT, SCHEME, versionOf, versionUri, type Versions } from "./documents";
import type { Worth } from "./worth";

export class Comparing implements vscode.Disposable {
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly server: Server,
    private readonly runs: Runs,
    private readonly versions: Versions,
    private readonly worth: Worth,
  ) {
    this.disposables = [
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, versions),
      server.onNotification(COMPARE, (which: CompareArguments) => void this.compare(which)),
    ];
  }

  /** Show a version beside the original; without a candidate the result, else the best so far. */
  async compare(which: CompareArguments): Promise<void> {
    const run = await this.runs.whole(which.run);
    if (run === undefined) return;
    const candidate = run.candidates.find((each) => each.candidate === which.candidate);
    const right = versionUri(run.run, which.candidate ?? RESULT, fileName(run));
    const text = await this.versions.text(right);
    if (text === undefined) {
      void vscode.window.showInformationMessage(l10n.t("There is no faster version of “{0}” to compare with yet.", run.target));
      return;
    }
    this.versions.renew(right);
    await this.open(run, candidate, right);
  }

  private async open(run: RunInfo, candidate: CandidateInfo | undefined, right: vscode.Uri): Promise<void> {
    const left = versionUri(run.run, ORIGINAL, fileName(run));
    await vscode.commands.executeCommand("vscode.diff", left, right, comparisonTitle(run, candidate), { preview: true });
    await this.worth.show();
  }

  /** Put the result into its document. Returns whether it is there. */
  async apply(run: string): Promise<boolean> {
    const answer = await this.server.command<ApplyResult>(APPLY, { run });
    if (answer?.applied === true) await this.close(run);
    return answer?.applied === true;
  }

  /** The result is not wanted: it is not offered any more. */
  async discard(run: string): Promise<void> {
    await this.server.command(DISCARD, { run });
    await this.close(run);
    await this.runs.refresh();
  }

  /** The run whose comparison is in front. */
  current(uri?: vscode.Uri): string | undefined {
    const input: unknown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    const shown = uri ?? (input instanceof vscode.TabInputTextDiff ? input.modified : vscode.window.activeTextEditor?.document.uri);
    return shown === undefined ? undefined : versionOf(shown)?.run;
  }

  private async close(run: string): Promise<void> {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    await vscode.window.tabGroups.close(tabs.filter(({ input }) => input instanceof vscode.TabInputTextDiff && versionOf(input.modified)?.run === run));
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables).dispose();
  }
}

function fileName(run: RunInfo): string {
  return path.posix.basename(vscode.Uri.parse(run.uri).path) || run.target;
}
