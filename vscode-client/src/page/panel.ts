/** The page of a run: a webview that shows it live, and can be exported. */
import * as vscode from "vscode";
import * as l10n from "@vscode/l10n";
import { randomBytes } from "node:crypto";
import * as path from "node:path";
import { STOP } from "../protocol";
import type { Comparing } from "../compare/comparing";
import type { Runs } from "../runs/runs";
import type { Server } from "../server/server";
import { exported, render } from "./render";

const EVERY_MS = 700;
const KIND = "maxcode.page";

interface Pressed {
  act: string;
  candidate: string | null;
}

interface Shown {
  panel: vscode.WebviewPanel;
  timer: NodeJS.Timeout | undefined;
}

export class Pages implements vscode.Disposable {
  private readonly shown = new Map<string, Shown>();
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly server: Server,
    private readonly runs: Runs,
    private readonly comparing: Comparing,
  ) {
    this.disposables = [runs.onChange((run) => this.changed(run))];
  }

  async open(run: string): Promise<void> {
    const known = this.shown.get(run);
    if (known !== undefined) {
      known.panel.reveal();
      return;
    }
    const whole = await this.runs.whole(run);
    if (whole === undefined) return;
    const media = vscode.Uri.joinPath(this.context.extensionUri, "media");
    const dist = vscode.Uri.joinPath(this.context.extensionUri, "dist");
    const panel = vscode.window.createWebviewPanel(KIND, `MaxCode: ${whole.target}`, vscode.ViewColumn.Active, {
      enableScripts: true,
      localResourceRoots: [media, dist],
    });
    panel.iconPath = vscode.Uri.joinPath(media, "icon.svg");
    this.shown.set(run, { panel, timer: undefined });
    panel.onDidDispose(() => {
      clearTimeout(this.shown.get(run)?.timer);
      this.shown.delete(run);
    });
    panel.webview.onDidReceiveMessage((pressed: Pressed) => void this.pressed(run, pressed));
    panel.webview.html = this.document(panel.webview, media, dist);
  }

  private changed(run: string | undefined): void {
    for (const [id, shown] of this.shown) {
      if (run !== undefined && run !== id) continue;
      // A run changes several times a second; a page is not drawn as often.
      shown.timer ??= setTimeout(() => {
        shown.timer = undefined;
        void this.draw(id);
      }, EVERY_MS);
    }
  }

  private async draw(run: string): Promise<void> {
    const whole = await this.runs.whole(run);
    const panel = this.shown.get(run)?.panel;
    if (whole !== undefined && panel !== undefined) await panel.webview.postMessage({ html: render(whole, true) });
  }

  private async pressed(run: string, { act, candidate }: Pressed): Promise<void> {
    switch (act) {
      case "ready":
        return this.draw(run);
      case "stop":
        await this.server.command(STOP, { run });
        return;
      case "apply":
        await this.comparing.apply(run);
        return;
      case "result":
        return this.comparing.compare({ run });
      case "compare":
        return this.comparing.compare({ run, candidate });
      case "html":
      case "json":
        return this.export(run, act);
    }
  }

  async export(run: string, form: "html" | "json"): Promise<void> {
    const whole = await this.runs.whole(run);
    if (whole === undefined) return;
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(path.dirname(vscode.Uri.parse(whole.uri).fsPath));
    const suggested = vscode.Uri.joinPath(folder, `maxcode-${whole.run}.${form}`);
    const file = await vscode.window.showSaveDialog({ defaultUri: suggested, filters: form === "html" ? { HTML: ["html"] } : { JSON: ["json"] } });
    if (file === undefined) return;
    const text = form === "json" ? `${JSON.stringify(whole, null, 2)}\n` : exported(whole, await this.style());
    try {
      await vscode.workspace.fs.writeFile(file, Buffer.from(text));
    } catch (error) {
      void vscode.window.showErrorMessage(l10n.t("The run could not be written to {0}: {1}", file.fsPath, String(error)));
    }
  }

  private async style(): Promise<string> {
    const file = vscode.Uri.joinPath(this.context.extensionUri, "media", "page.css");
    return Buffer.from(await vscode.workspace.fs.readFile(file)).toString();
  }

  private document(webview: vscode.Webview, media: vscode.Uri, dist: vscode.Uri): string {
    const nonce = randomBytes(16).toString("base64");
    const style = webview.asWebviewUri(vscode.Uri.joinPath(media, "page.css")).toString();
    const script = webview.asWebviewUri(vscode.Uri.joinPath(dist, "page.js")).toString();
    const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'`;
    return `<!DOCTYPE html>
<html lang="${vscode.env.language}"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>MaxCode</title><link rel="stylesheet" href="${style}"></head>
<body><main></main><script nonce="${nonce}" src="${script}"></script></body></html>`;
  }

  dispose(): void {
    for (const { panel } of this.shown.values()) panel.dispose();
    vscode.Disposable.from(...this.disposables).dispose();
  }
}
