/** Installing the server into an environment of our own: which commands, and running them with a way to stop. */
import { spawn } from "node:child_process";
import * as path from "node:path";

export interface Step {
  command: string;
  args: readonly string[];
}

/** Interpreters that are tried, newest first; the server needs 3.11. */
export const PYTHONS = ["python3.13", "python3.12", "python3.11", "python3", "python"] as const;
export const OLDEST = [3, 11] as const;
const MOST_OUTPUT = 20_000;

/** Asks an interpreter for its version and whether it can make environments. */
export function versionCheck(python: string): Step {
  return { command: python, args: ["-c", "import sys, venv, ensurepip; print(*sys.version_info[:2])"] };
}

/** Whether what `versionCheck` printed is new enough. */
export function isNewEnough(printed: string): boolean {
  const [major = 0, minor = 0] = printed.trim().split(/\s+/u).map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

/** What makes the environment `folder` with the server in it. `requirement`: what pip is given. */
export function installSteps(python: string, folder: string, requirement: string): Step[] {
  const inside = path.join(folder, process.platform === "win32" ? "Scripts" : "bin", "python");
  return [
    { command: python, args: ["-m", "venv", "--clear", folder] },
    { command: inside, args: ["-m", "pip", "install", "--disable-pip-version-check", requirement] },
  ];
}

/** A step as one would type it. */
export function typed(step: Step): string {
  return [step.command, ...step.args].map((word) => (/^[\w@%+=:,./~-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" ");
}

export class StepFailed extends Error {
  constructor(
    readonly step: Step,
    readonly output: string,
    reason: string,
  ) {
    super(reason);
  }
}

/** Runs a step; what it prints goes to `heard`. Ends its whole process group when it is cancelled or takes too long. */
export function run(step: Step, limitMs: number, heard: (text: string) => void, cancelled?: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const grouped = process.platform !== "win32";
    const child = spawn(step.command, step.args, { stdio: ["ignore", "pipe", "pipe"], detached: grouped });
    let output = "";
    let why = "";
    const end = (reason: string): void => {
      why = reason;
      try {
        if (grouped && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
        else child.kill("SIGKILL");
      } catch {
        // It has ended by itself.
      }
    };
    const timer = setTimeout(() => end("limit"), limitMs);
    const stop = (): void => end("cancelled");
    cancelled?.addEventListener("abort", stop, { once: true });
    const take = (data: Buffer): void => {
      const text = data.toString();
      output = (output + text).slice(-MOST_OUTPUT);
      heard(text);
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    const finish = (reason: string): void => {
      clearTimeout(timer);
      cancelled?.removeEventListener("abort", stop);
      if (reason === "") resolve(output);
      else reject(new StepFailed(step, output, reason));
    };
    child.on("error", (error) => finish(error.message));
    child.on("close", (code, signal) => finish(why || (code === 0 ? "" : (signal ?? `exit status ${String(code)}`))));
    if (cancelled?.aborted === true) stop();
  });
}
