/** Versions of programs as read-only documents: `maxcode:/RUN/VERSION/solve.cpp`, VERSION `original`, `result` or an id. */
import * as vscode from "vscode";
import { CANDIDATE, type CandidateParams, type CandidateText } from "../protocol";
import type { Server } from "../server/server";

export const SCHEME = "maxcode";
export const ORIGINAL = "original";
export const RESULT = "result";

export interface VersionId {
  run: string;
  version: string;
}

export function versionUri(run: string, version: string, name: string): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: `/${run}/${version}/${name}` });
}

export function versionOf(uri: vscode.Uri): VersionId | undefined {
  const [, run, version] = uri.path.split("/");
  return uri.scheme === SCHEME && run !== undefined && version !== undefined ? { run, version } : undefined;
}

export class Versions implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly known = new Map<string, CandidateText>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;

  constructor(private readonly server: Server) {}

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    return (await this.text(uri))?.text ?? "";
  }

  /** The text with what is known about it. */
  async text(uri: vscode.Uri): Promise<CandidateText | undefined> {
    const which = versionOf(uri);
    if (which === undefined) return undefined;
    const asked: CandidateParams = {
      run: which.run,
      candidate: which.version === ORIGINAL || which.version === RESULT ? null : which.version,
      result: which.version === RESULT,
    };
    const text = await this.server.request<CandidateText>(CANDIDATE, asked);
    if (text !== undefined) this.known.set(uri.toString(), text);
    return text ?? this.known.get(uri.toString());
  }

  cached(uri: vscode.Uri): CandidateText | undefined {
    return this.known.get(uri.toString());
  }

  /** What was the best so far may be the result by now. */
  renew(uri: vscode.Uri): void {
    this.changed.fire(uri);
  }

  dispose(): void {
    this.changed.dispose();
  }
}
