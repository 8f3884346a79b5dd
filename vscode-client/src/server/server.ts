/** The server's process and the language client that speaks with it. */
import { spawn, type ChildProcess } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as vscode from "vscode";
import * as l10n from "@vscode/l10n";
import { CloseAction, ErrorAction, LanguageClient, ResponseError, State, type LanguageClientOptions } from "vscode-languageclient/node";
import { Crashes, Ending } from "./crashes";
import type { Found } from "./locate";

export type ServerState = "stopped" | "starting" | "ready" | "failed";
export const LANGUAGES = ["c", "cpp", "cuda-cpp"];
const STOP_MS = 4_000;
const REQUEST_MS = 30_000;
/** For commands that wait for a person: a question about trust, the refactor preview. */
const PERSON_MS = 15 * 60_000;

/** Parameters are what docs/protocol.md says of the method. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- each handler names its own type
type Notified = [method: string, handler: (params: any) => void];

export class Server implements vscode.Disposable {
  /** The client behind it changes with each start; what is registered here holds for all of them. */
  client: LanguageClient | undefined;
  state: ServerState = "stopped";
  /** Why it is not there, one sentence. */
  trouble = "";
  found: Found | undefined;

  private readonly changed = new vscode.EventEmitter<ServerState>();
  readonly onDidChange = this.changed.event;
  private readonly notified: Notified[] = [];
  private readonly crashes = new Crashes();
  private ending = new Ending();
  private turn: Promise<void> = Promise.resolve();

  constructor(
    readonly log: vscode.LogOutputChannel,
    private readonly options: () => Promise<LanguageClientOptions>,
  ) {}

  /** Start, in place of what ran before. One after the other. */
  start(found: Found): Promise<void> {
    this.turn = this.turn.then(() => this.begin(found)).catch((error: unknown) => this.failed(String(error)));
    return this.turn;
  }

  stop(): Promise<void> {
    this.turn = this.turn.then(() => this.end());
    return this.turn;
  }

  onNotification(method: string, handler: Notified[1]): vscode.Disposable {
    const entry: Notified = [method, handler];
    this.notified.push(entry);
    this.client?.onNotification(method, handler);
    return new vscode.Disposable(() => this.notified.splice(this.notified.indexOf(entry), 1));
  }

  onReady(told: () => void): vscode.Disposable {
    return this.onDidChange((state) => {
      if (state === "ready") told();
    });
  }

  /** Ask the server; undefined where it is not there, or says no, which is told unless `quiet`. */
  async request<R>(method: string, params: object, quiet = false, limitMs = REQUEST_MS): Promise<R | undefined> {
    if (this.client === undefined || this.state !== "ready") return undefined;
    const source = new vscode.CancellationTokenSource();
    const limit = setTimeout(() => source.cancel(), limitMs);
    try {
      return await this.client.sendRequest<R>(method, params, source.token);
    } catch (error) {
      if (error instanceof ResponseError && !quiet) void vscode.window.showWarningMessage(error.message);
      this.log.warn(`${method}: ${String(error)}`);
      return undefined;
    } finally {
      clearTimeout(limit);
      source.dispose();
    }
  }

  command<R>(command: string, argument: object): Promise<R | undefined> {
    return this.request<R>("workspace/executeCommand", { command, arguments: [argument] }, false, PERSON_MS);
  }

  notify(method: string, params: object): void {
    if (this.state === "ready") void this.client?.sendNotification(method, params);
  }

  /** The user tries again after it failed. */
  forgive(): void {
    this.crashes.forget();
  }

  private async begin(found: Found): Promise<void> {
    await this.end();
    this.found = found;
    this.trouble = "";
    this.become("starting");
    this.log.info(`starting ${found.command} lsp (found by: ${found.origin})`);
    const given = await this.options();
    const client: LanguageClient = new LanguageClient("maxcode", "MaxCode", () => Promise.resolve(this.spawn(found.command)), {
      ...given,
      outputChannel: this.log,
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => this.closed(client),
      },
      initializationFailedHandler: (error) => {
        this.trouble = error instanceof Error ? error.message : String(error);
        return false;
      },
    });
    this.client = client;
    for (const [method, handler] of this.notified) client.onNotification(method, handler);
    client.onDidChangeState(({ newState }) => {
      if (client === this.client && newState === State.Running) this.become("ready");
    });
    try {
      await client.start();
    } catch (error) {
      if (client === this.client && this.state !== "failed") this.failed(this.trouble || this.ending.reason() || String(error));
    }
  }

  private async end(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client === undefined) return;
    try {
      if (client.needsStop()) await client.stop(STOP_MS);
    } catch (error) {
      this.log.warn(`stopping: ${String(error)}`);
    }
    if (this.state !== "failed") this.become("stopped");
  }

  private spawn(command: string): ChildProcess {
    const ending = new Ending();
    this.ending = ending;
    const child = spawn(command, ["lsp"], { cwd: fs.existsSync(os.homedir()) ? os.homedir() : "/", env: process.env, stdio: "pipe" });
    child.stderr.on("data", (data: Buffer) => ending.wrote(data.toString()));
    child.on("exit", (code, signal) => ending.ended(code, signal));
    child.on("error", (error) => ending.wrote(`${error.message}\n`));
    return child;
  }

  private async closed(client: LanguageClient): Promise<{ action: CloseAction; handled: boolean; message?: string }> {
    if (client !== this.client) return { action: CloseAction.DoNotRestart, handled: true };
    // The end of the pipe comes before the end of the process is told.
    await new Promise((resolve) => setTimeout(resolve, 200));
    const reason = this.ending.reason();
    if (this.crashes.again(Date.now())) {
      this.become("starting");
      const message = l10n.t("{0} It is started again; runs go on from their journals.", reason);
      this.log.warn(message);
      vscode.window.setStatusBarMessage(`$(warning) MaxCode: ${message}`, 10_000);
      return { action: CloseAction.Restart, handled: true, message };
    }
    this.failed(reason);
    return { action: CloseAction.DoNotRestart, handled: true, message: reason };
  }

  private failed(reason: string): void {
    this.trouble = reason;
    this.log.error(reason);
    this.become("failed");
    void this.tell(reason);
  }

  private async tell(reason: string): Promise<void> {
    const restart = l10n.t("Restart");
    const showLog = l10n.t("Show Log");
    const picked = await vscode.window.showErrorMessage(l10n.t("MaxCode stopped working. {0} Restart it, or look into its log.", reason), restart, showLog);
    if (picked === restart) await vscode.commands.executeCommand("maxcode.restartServer");
    if (picked === showLog) this.log.show();
  }

  private become(state: ServerState): void {
    this.state = state;
    this.changed.fire(state);
  }

  dispose(): void {
    this.changed.dispose();
  }
}
