/** The commands of this extension, each with what it does. Those of the server are registered by the language client. */
import * as vscode from "vscode";
import * as l10n from "@vscode/l10n";
import type { Comparing } from "./compare/comparing";
import { RESULT } from "./compare/documents";
import type { Critiques } from "./compare/critique";
import type { Keys } from "./keys/keys";
import type { Pages } from "./page/panel";
import { CANDIDATE, START, STOP, type CandidateText } from "./protocol";
import type { Choosing } from "./runs/choosing";
import type { Runs } from "./runs/runs";
import { CandidateItem, RunItem } from "./runs/tree";
import type { Server } from "./server/server";
import type { StatusItem } from "./status/item";
import { openExample } from "./walkthrough/example";

export interface Parts {
  context: vscode.ExtensionContext;
  server: Server;
  runs: Runs;
  choosing: Choosing;
  comparing: Comparing;
  critiques: Critiques;
  pages: Pages;
  keys: Keys;
  status: StatusItem;
  /** Find the server and start it. `asked`: somebody wants it. */
  begin: (asked: boolean) => Promise<void>;
  install: () => Promise<void>;
}

type Command = (...args: unknown[]) => unknown;

export function registerCommands(parts: Parts): vscode.Disposable {
  const { context, server, runs, choosing, comparing, critiques, pages, keys, status } = parts;
  const commands: Record<string, Command> = {
    "maxcode.optimizeFile": () => withFile((uri) => server.command(START, { uri })),
    "maxcode.optimizeFileChoosing": () => withFile((uri) => choosing.start({ uri })),
    "maxcode.stopFile": () => withRun(runs, (run) => server.command(STOP, { run })),
    "maxcode.compareFile": () => withRun(runs, (run) => comparing.compare({ run })),
    "maxcode.applyFile": () => withRun(runs, (run) => comparing.apply(run)),
    "maxcode.menu": () => status.menu(),
    "maxcode.restartServer": () => parts.begin(true),
    "maxcode.installServer": () => parts.install(),
    "maxcode.showLog": () => server.log.show(),
    "maxcode.openSettings": () => vscode.commands.executeCommand("workbench.action.openSettings", `@ext:${context.extension.id}`),
    "maxcode.doctor": () => doctor(server),
    "maxcode.setApiKey": () => keys.set(server),
    "maxcode.openExample": () => openExample(context),
    "maxcode.runs.refresh": () => runs.refresh(),
    "maxcode.run.open": (item) => withItem(runs, item, (run) => pages.open(run)),
    "maxcode.run.compare": (item) => withItem(runs, item, (run) => comparing.compare({ run })),
    "maxcode.run.apply": (item) => withItem(runs, item, (run) => comparing.apply(run)),
    "maxcode.run.stop": (item) => withItem(runs, item, (run) => server.command(STOP, { run })),
    "maxcode.run.resume": (item) => (item instanceof RunItem ? server.command(START, { uri: item.run.uri, resume: item.run.run }) : undefined),
    "maxcode.run.forget": (item) => withItem(runs, item, (run) => forget(runs, run)),
    "maxcode.run.critique": (item) => (item instanceof RunItem ? critiques.open(item.run.run, "original", item.run.target) : undefined),
    "maxcode.run.exportHtml": (item) => withItem(runs, item, (run) => pages.export(run, "html")),
    "maxcode.run.exportJson": (item) => withItem(runs, item, (run) => pages.export(run, "json")),
    "maxcode.candidate.compare": (item) => withText(item, (run, candidate) => comparing.compare({ run, candidate })),
    "maxcode.candidate.critique": (item) => withText(item, (run, candidate, target) => critiques.open(run, candidate, target)),
    "maxcode.candidate.copy": (item) => withText(item, (run, candidate) => copy(server, run, candidate)),
    "maxcode.comparison.apply": (uri) => withComparison(comparing, uri, (run) => comparing.apply(run)),
    "maxcode.comparison.discard": (uri) => withComparison(comparing, uri, (run) => comparing.discard(run)),
    "maxcode.comparison.critique": (uri) => withComparison(comparing, uri, (run) => critiques.open(run, RESULT, runs.store.get(run)?.target ?? "")),
  };
  const registered = Object.entries(commands).map(([name, command]) => vscode.commands.registerCommand(name, command));
  return vscode.Disposable.from(...registered);
}

/** With the file in front; says so where there is none. */
function withFile(act: (uri: string) => unknown): unknown {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.uri.scheme === "file") return act(document.uri.toString());
  say(l10n.t("Open a C or C++ program first, then choose this again."));
  return undefined;
}

/** Not waited for: a command ends when it has said what it has to say. */
function say(sentence: string): void {
  void vscode.window.showInformationMessage(sentence);
}

function withRun(runs: Runs, act: (run: string) => unknown): unknown {
  return withFile((uri) => {
    const run = runs.store.of(uri);
    if (run !== undefined) return act(run.run);
    say(l10n.t("There is no run of this file yet. Choose “Optimize” first."));
    return undefined;
  });
}

/** With the run that was chosen in the view, or one that is picked now. */
async function withItem(runs: Runs, item: unknown, act: (run: string) => unknown): Promise<unknown> {
  if (item instanceof RunItem) return act(item.run.run);
  if (typeof item === "string") return act(item);
  const items = runs.store.all().map((run) => ({ label: run.target, description: run.created, detail: run.reason, run: run.run }));
  const picked = await vscode.window.showQuickPick(items, { title: l10n.t("Which run?") });
  return picked === undefined ? undefined : act(picked.run);
}

function withText(item: unknown, act: (run: string, candidate: string, target: string) => unknown): unknown {
  if (!(item instanceof CandidateItem) || item.candidate.candidate === null) return undefined;
  return act(item.run.run, item.candidate.candidate, item.run.target);
}

function withComparison(comparing: Comparing, uri: unknown, act: (run: string) => unknown): unknown {
  const run = comparing.current(uri instanceof vscode.Uri ? uri : undefined);
  return run === undefined ? undefined : act(run);
}

async function copy(server: Server, run: string, candidate: string): Promise<void> {
  const text = await server.request<CandidateText>(CANDIDATE, { run, candidate });
  if (text === undefined) return;
  await vscode.env.clipboard.writeText(text.text);
  vscode.window.setStatusBarMessage(l10n.t("The whole file of this candidate is in the clipboard."), 4000);
}

async function forget(runs: Runs, run: string): Promise<void> {
  const yes = l10n.t("Remove");
  const target = runs.store.get(run)?.target ?? run;
  const question = l10n.t("Remove this run of “{0}” and its journal? Its result cannot be applied any more.", target);
  if ((await vscode.window.showWarningMessage(question, { modal: true }, yes)) !== yes) return;
  const reason = await runs.forget(run);
  if (reason !== "") void vscode.window.showWarningMessage(reason);
}

function doctor(server: Server): void {
  const command = server.found?.command ?? "maxcode";
  const terminal = vscode.window.createTerminal({ name: "MaxCode doctor", shellPath: command, shellArgs: ["doctor"] });
  terminal.show();
}
