/** The beginning and the end: what there is, and how it hangs together. */
import * as vscode from "vscode";
import * as l10n from "@vscode/l10n";
import { registerCommands } from "./commands";
import { Comparing } from "./compare/comparing";
import { Critiques } from "./compare/critique";
import { Versions } from "./compare/documents";
import { Worth } from "./compare/worth";
import { Keys } from "./keys/keys";
import { Pages } from "./page/panel";
import { Choosing } from "./runs/choosing";
import { Runs } from "./runs/runs";
import { RunTree } from "./runs/tree";
import { clientOptions } from "./server/client";
import { offer } from "./server/installing";
import { find, managedFolder } from "./server/places";
import { Server } from "./server/server";
import { registerSettings } from "./settings/completion";
import { StatusItem } from "./status/item";

/** What tests and other extensions may use. */
export interface Api {
  server: Server;
  runs: Runs;
  status: StatusItem;
  /** What the editor had to wait for. */
  activationMs: number;
  /** Resolves when the first start has ended, well or not. */
  started: Promise<void>;
}

interface Manifest {
  contributes: { configuration: { properties: Record<string, unknown> } };
}

let running: Server | undefined;

export function activate(context: vscode.ExtensionContext): Api {
  const begun = performance.now();
  if (vscode.l10n.bundle !== undefined) l10n.config({ contents: vscode.l10n.bundle });
  const manifest = context.extension.packageJSON as Manifest;
  const keysOfSettings = Object.keys(manifest.contributes.configuration.properties).map((key) => key.replace(/^maxcode\./u, ""));
  const log = vscode.window.createOutputChannel("MaxCode", { log: true });
  const keys = new Keys(context);
  const server: Server = new Server(log, () => clientOptions({ server: () => server, choosing: () => choosing, secrets: () => keys.all(), keys: keysOfSettings }));
  running = server;
  const choosing = new Choosing(server);
  const runs = new Runs(server);
  const versions = new Versions(server);
  const worth = new Worth(versions);
  const comparing = new Comparing(server, runs, versions, worth);
  const critiques = new Critiques(versions);
  const pages = new Pages(context, server, runs, comparing);
  const status = new StatusItem(server, runs);
  const tree = vscode.window.createTreeView("maxcode.runs", { treeDataProvider: new RunTree(runs), showCollapseAll: true });

  const begin = async (asked: boolean): Promise<void> => {
    const found = await find(context);
    if (found !== undefined) {
      status.missing = "";
      if (asked) server.forgive();
      await server.start(found);
      return;
    }
    const setting = vscode.workspace.getConfiguration("maxcode").get<string>("server.path") ?? "";
    status.missing =
      setting.trim() === ""
        ? l10n.t("MaxCode’s server was not found. Choose “Install the server”, or set “maxcode.server.path”.")
        : l10n.t("“maxcode.server.path” names {0}, which is no program. Correct it, or leave it empty to have the server looked for.", setting);
    status.soon(0);
    log.warn(status.missing);
    if (setting.trim() !== "") void vscode.window.showWarningMessage(status.missing);
    else await install(asked);
  };
  const install = async (asked = true): Promise<void> => {
    if (await offer(managedFolder(context), log, asked)) await begin(true);
  };

  const restart = (): void => void begin(true);
  context.subscriptions.push(
    log,
    server,
    runs,
    versions,
    worth,
    comparing,
    critiques,
    pages,
    status,
    tree,
    registerSettings(),
    registerCommands({ context, server, runs, choosing, comparing, critiques, pages, keys, status, begin, install: () => install() }),
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("maxcode.server.path")) restart();
    }),
  );
  runs.onChange(() => {
    const count = runs.store.running().length;
    tree.badge = count > 0 ? { value: count, tooltip: l10n.t("{0} running", count) } : undefined;
  });
  // Not waited for: the editor goes on while the server starts.
  const started = begin(false).catch((error: unknown) => log.error(String(error)));
  return { server, runs, status, started, activationMs: performance.now() - begun };
}

export async function deactivate(): Promise<void> {
  await running?.stop();
}
