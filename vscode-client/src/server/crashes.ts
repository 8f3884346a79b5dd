/** When a server that died is started again, and what is said about its end. Knows no editor. */
import * as l10n from "@vscode/l10n";

/** So many ends within `WITHIN_MS` are enough: something is wrong that a restart does not mend. */
export const MOST = 4;
export const WITHIN_MS = 3 * 60_000;
const LONGEST = 300;

export class Crashes {
  private at: number[] = [];

  /** Whether to start again after an end at `nowMs`. */
  again(nowMs: number): boolean {
    this.at = [...this.at.filter((when) => nowMs - when < WITHIN_MS), nowMs];
    return this.at.length <= MOST;
  }

  /** The user wants another try. */
  forget(): void {
    this.at = [];
  }
}

/** What the process of the server left: how it ended, and the last line that it wrote to standard error. */
export class Ending {
  private line = "";
  private rest = "";
  private how = "";

  wrote(text: string): void {
    const lines = (this.rest + text).split("\n");
    this.rest = (lines.pop() ?? "").slice(-LONGEST);
    this.line = lines.map((line) => line.trim()).findLast((line) => line !== "") ?? this.line;
  }

  ended(code: number | null, signal: string | null): void {
    this.how = signal ?? (code === null ? "" : l10n.t("exit status {0}", code));
  }

  /** One sentence for people. */
  reason(): string {
    const last = (this.rest.trim() || this.line).slice(0, LONGEST);
    const how = this.how === "" ? l10n.t("The server ended.") : l10n.t("The server ended ({0}).", this.how);
    return last === "" ? how : `${how} ${l10n.t("Its last words: {0}", last)}`;
  }
}
