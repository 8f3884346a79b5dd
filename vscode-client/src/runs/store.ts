/** The runs as this client knows them, newest first. Knows no editor. */
import type { RunInfo } from "../protocol";

export class RunStore {
  private runs = new Map<string, RunInfo>();
  private forgotten = new Set<string>();

  /** A list as the server gave it: all that there is. */
  replace(runs: readonly RunInfo[]): void {
    const listed = runs.filter((run) => !this.forgotten.has(run.run));
    this.runs = new Map(listed.map((run) => [run.run, this.merged(run)]));
  }

  /** One run has changed; what is older than what is known is dropped. Returns whether it counts. */
  changed(run: RunInfo): boolean {
    if (this.forgotten.has(run.run)) return false;
    const known = this.runs.get(run.run);
    if (known !== undefined && (run.generation < known.generation || (run.status === "running" && known.status !== "running" && run.generation === known.generation))) {
      return false;
    }
    this.runs.set(run.run, this.merged(run));
    return true;
  }

  forget(run: string): void {
    this.forgotten.add(run);
    this.runs.delete(run);
  }

  get(run: string): RunInfo | undefined {
    return this.runs.get(run);
  }

  all(): RunInfo[] {
    return [...this.runs.values()].sort((a, b) => (a.created === b.created ? b.generation - a.generation : a.created < b.created ? 1 : -1));
  }

  running(): RunInfo[] {
    return this.all().filter((run) => run.status === "running");
  }

  /** The newest run of a document. */
  of(uri: string): RunInfo | undefined {
    // A URI can be written in several ways.
    const wanted = decoded(uri);
    return this.all().find((run) => decoded(run.uri) === wanted);
  }

  /** A change comes without candidates: those that are known stay. */
  private merged(run: RunInfo): RunInfo {
    const known = this.runs.get(run.run);
    return run.candidates.length === 0 && known !== undefined ? { ...run, candidates: known.candidates } : run;
  }
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}
