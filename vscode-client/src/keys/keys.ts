/** Keys of model providers: kept in the editor's secret store, handed to the server and nobody else. */
import * as vscode from "vscode";
import * as l10n from "@vscode/l10n";
import { SECRETS } from "../protocol";
import type { Server } from "../server/server";
import { isVariable, PROVIDERS } from "./providers";

const NAMES = "keys";

export class Keys {
  constructor(private readonly context: vscode.ExtensionContext) {}

  /** By environment variable. */
  async all(): Promise<Record<string, string>> {
    const found: Record<string, string> = {};
    for (const name of this.names()) {
      const key = await this.context.secrets.get(name);
      if (key !== undefined && key !== "") found[name] = key;
    }
    return found;
  }

  async set(server: Server): Promise<void> {
    const name = await this.which();
    if (name === undefined) return;
    const key = await vscode.window.showInputBox({
      title: l10n.t("Key for {0}", name),
      prompt: l10n.t("Kept in this editor’s secret store. Leave it empty to remove the key."),
      password: true,
      ignoreFocusOut: true,
    });
    if (key === undefined) return;
    if (key.trim() === "") await this.context.secrets.delete(name);
    else await this.context.secrets.store(name, key.trim());
    const others = this.names().filter((known) => known !== name);
    await this.context.globalState.update(NAMES, key.trim() === "" ? others : [...others, name]);
    server.notify(SECRETS, { secrets: await this.all() });
    void vscode.window.showInformationMessage(key.trim() === "" ? l10n.t("The key for {0} is removed.", name) : l10n.t("The key for {0} is kept. Runs that begin now use it.", name));
  }

  private names(): string[] {
    return this.context.globalState.get<string[]>(NAMES) ?? [];
  }

  private async which(): Promise<string | undefined> {
    const kept = new Set(this.names());
    const other = l10n.t("Another variable…");
    const items = [
      ...[...new Set([...PROVIDERS.map(([variable]) => variable), ...kept])].map((variable) => ({
        label: variable,
        description: PROVIDERS.find(([known]) => known === variable)?.[1] ?? "",
        detail: kept.has(variable) ? l10n.t("a key is kept") : undefined,
      })),
      { label: other, description: "", detail: undefined },
    ];
    const picked = await vscode.window.showQuickPick(items, { title: l10n.t("Whose key?"), matchOnDescription: true });
    if (picked?.label !== other) return picked?.label;
    return vscode.window.showInputBox({
      title: l10n.t("Environment variable that the key stands for"),
      validateInput: (name) => (isVariable(name) ? undefined : l10n.t("Capital letters, digits and _, such as MY_PROVIDER_API_KEY.")),
    });
  }
}
