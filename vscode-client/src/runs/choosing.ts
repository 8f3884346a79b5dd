/** Effort, strategy and model of one run, picked. */
import * as vscode from "vscode";
import * as l10n from "@vscode/l10n";
import { START, STATUS, type StartArguments, type StatusInfo } from "../protocol";
import type { Server } from "../server/server";

/** Not a value of any setting: what is set holds. */
const AS_SET = "";

interface Pick extends vscode.QuickPickItem {
  value: string;
}

export class Choosing {
  constructor(private readonly server: Server) {}

  /** Ask, then start. Escape at any question starts nothing. */
  async start(asked: StartArguments): Promise<void> {
    const status = await this.server.request<StatusInfo>(STATUS, { uri: asked.uri });
    if (status === undefined) return;
    const settings: Record<string, unknown> = { ...asked.settings };
    const questions: [key: string, title: string, values: string[]][] = [
      ["effort", l10n.t("How hard to try"), status.efforts],
      ["search", l10n.t("How to search"), status.searches],
      ["model", l10n.t("Which language model proposes, besides the rules"), status.models],
    ];
    for (const [at, [key, title, values]] of questions.entries()) {
      if (values.length < 2) continue;
      const picked = await pick(`${title} (${at + 1}/${questions.length})`, values);
      if (picked === undefined) return;
      if (picked.value !== AS_SET) settings[key] = picked.value;
    }
    await this.server.command(START, { uri: asked.uri, settings });
  }
}

function pick(title: string, values: readonly string[]): Thenable<Pick | undefined> {
  const items: Pick[] = [
    { label: l10n.t("As set"), description: l10n.t("what maxcode.toml and the settings say"), value: AS_SET },
    ...values.map((value) => ({ label: value, value })),
  ];
  return vscode.window.showQuickPick(items, { title, placeHolder: l10n.t("Holds for this run only") });
}
