/** The status bar item, and the menu behind it. */
import * as vscode from "vscode";
import * as l10n from "@vscode/l10n";
import { STATUS, type StatusInfo } from "../protocol";
import type { Runs } from "../runs/runs";
import { LANGUAGES, type Server } from "../server/server";
import { shown, type State } from "./state";

const SOON_MS = 250;

export class StatusItem implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("maxcode.status", vscode.StatusBarAlignment.Left, 0);
  private readonly disposables: { dispose(): unknown }[] = [this.item];
  private timer: NodeJS.Timeout | undefined;
  private asked = 0;
  /** Of the server that cannot be found. */
  missing = "";
  state: State = { kind: "starting" };

  constructor(
    private readonly server: Server,
    private readonly runs: Runs,
  ) {
    this.item.name = "MaxCode";
    this.item.command = "maxcode.menu";
    this.disposables.push(
      server.onDidChange(() => this.soon(0)),
      runs.onChange(() => this.soon()),
      vscode.window.onDidChangeActiveTextEditor(() => this.soon()),
    );
    this.show();
  }

  soon(afterMs = SOON_MS): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.look(), afterMs);
  }

  private async look(): Promise<void> {
    const turn = ++this.asked;
    const state = await this.current();
    if (turn !== this.asked) return;
    this.state = state;
    this.show();
  }

  private async current(): Promise<State> {
    if (this.missing !== "") return { kind: "attention", reason: this.missing };
    if (this.server.state === "failed") return { kind: "attention", reason: this.server.trouble };
    if (this.server.state !== "ready") return { kind: "starting" };
    const running = this.runs.store.running();
    const document = vscode.window.activeTextEditor?.document;
    const ours = document?.uri.scheme === "file" && LANGUAGES.includes(document.languageId);
    const asked = ours && running.length === 0 ? { uri: document.uri.toString() } : {};
    const status = await this.server.request<StatusInfo>(STATUS, asked, true);
    if (running.length > 0) {
      const best = running.map((run) => run.best).filter((speedup) => speedup !== null);
      return { kind: "searching", runs: running.length, best: best.length > 0 ? Math.max(...best) : null, reason: status?.reason ?? "" };
    }
    return status?.state === "inactive" ? { kind: "inactive", reason: status.reason } : { kind: "ready" };
  }

  private show(): void {
    const { text, tooltip, warns } = shown(this.state);
    this.item.text = text;
    this.item.tooltip = tooltip;
    this.item.accessibilityInformation = { label: `MaxCode. ${tooltip}`, role: "button" };
    this.item.backgroundColor = warns ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
    this.item.show();
  }

  /** What can be done about it. */
  async menu(): Promise<void> {
    const { tooltip } = shown(this.state);
    const found = this.server.found === undefined ? "" : this.server.found.command;
    const choices: (vscode.QuickPickItem & { run: string })[] = [
      { label: `$(list-tree) ${l10n.t("Show runs")}`, run: "maxcode.runs.focus" },
      { label: `$(debug-restart) ${l10n.t("Restart the server")}`, description: found, run: "maxcode.restartServer" },
      { label: `$(output) ${l10n.t("Show the log")}`, run: "maxcode.showLog" },
      { label: `$(pulse) ${l10n.t("Check this machine (doctor)")}`, run: "maxcode.doctor" },
      { label: `$(key) ${l10n.t("Set a key of a model provider")}`, run: "maxcode.setApiKey" },
      { label: `$(gear) ${l10n.t("Settings")}`, run: "maxcode.openSettings" },
    ];
    if (this.missing !== "") choices.unshift({ label: `$(cloud-download) ${l10n.t("Install the server")}`, run: "maxcode.installServer" });
    const picked = await vscode.window.showQuickPick(choices, { title: "MaxCode", placeHolder: tooltip });
    if (picked !== undefined) await vscode.commands.executeCommand(picked.run);
  }

  dispose(): void {
    clearTimeout(this.timer);
    vscode.Disposable.from(...this.disposables).dispose();
  }
}
