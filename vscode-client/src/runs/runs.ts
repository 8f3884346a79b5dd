/** The runs, kept in step with the server. */
import * as vscode from "vscode";
import { FORGET, RUNS, RUN_CHANGED, type ForgetResult, type RunInfo } from "../protocol";
import type { Server } from "../server/server";
import { RunStore } from "./store";

export class Runs implements vscode.Disposable {
  readonly store = new RunStore();
  private readonly changed = new vscode.EventEmitter<string | undefined>();
  /** The run that changed; undefined: all of them. */
  readonly onChange = this.changed.event;
  private readonly disposables: { dispose(): unknown }[] = [this.changed];

  constructor(private readonly server: Server) {
    this.disposables.push(
      server.onNotification(RUN_CHANGED, (run: RunInfo) => {
        const isNew = this.store.get(run.run) === undefined;
        if (this.store.changed(run)) this.changed.fire(isNew ? undefined : run.run);
      }),
      server.onReady(() => void this.refresh()),
    );
  }

  /** Ask for the list anew. */
  async refresh(): Promise<void> {
    const answer = await this.server.request<{ runs: RunInfo[] }>(RUNS, { limit: 100 });
    if (answer === undefined) return;
    this.store.replace(answer.runs);
    this.changed.fire(undefined);
  }

  /** One run with its candidates, as it is now. */
  async whole(run: string): Promise<RunInfo | undefined> {
    const answer = await this.server.request<{ runs: RunInfo[] }>(RUNS, { run });
    const whole = answer?.runs[0];
    if (whole !== undefined) this.store.changed(whole);
    return this.store.get(run) ?? whole;
  }

  /** Remove a run with its journal. Returns why not; empty: it is gone. */
  async forget(run: string): Promise<string> {
    const answer = await this.server.command<ForgetResult>(FORGET, { run });
    if (answer?.forgotten !== true) return answer?.reason ?? "";
    this.store.forget(run);
    this.changed.fire(undefined);
    return "";
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables).dispose();
  }
}
