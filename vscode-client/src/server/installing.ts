/** Offering to install the server, and doing it where the user says yes. */
import * as vscode from "vscode";
import * as l10n from "@vscode/l10n";
import { installSteps, isNewEnough, PYTHONS, run, StepFailed, typed, versionCheck, type Step } from "./managed";

const CHECK_MS = 20_000;
const STEP_MS = 15 * 60_000;
const LONGEST_LINE = 100;

/** Ask, then install into `folder`. Returns whether the server is there now. */
export async function offer(folder: string, log: vscode.LogOutputChannel, asked = false): Promise<boolean> {
  const python = await findPython();
  if (python === undefined) {
    const said = l10n.t("MaxCode needs Python 3.11 or newer (with venv) for its server, and found none. Install it (Debian: apt install python3-venv), or set “maxcode.server.path”.");
    await vscode.window.showWarningMessage(said);
    return false;
  }
  const steps = installSteps(python, folder, requirement());
  const install = l10n.t("Install");
  const settings = l10n.t("Open Settings");
  const commands = steps.map(typed).join("\n");
  const question = l10n.t("MaxCode’s server is not installed. Install it into an environment of its own?");
  const detail = l10n.t("These commands are run:\n\n{0}\n\nOr set “maxcode.server.path” to a server that you have.", commands);
  const answer = asked
    ? await vscode.window.showInformationMessage(question, { modal: true, detail }, install, settings)
    : await vscode.window.showInformationMessage(`${question} (${steps.map(typed).at(-1) ?? ""})`, install, settings);
  if (answer === settings) await vscode.commands.executeCommand("workbench.action.openSettings", "maxcode.server");
  return answer === install && (await installed(steps, log));
}

/** What pip is asked for. */
function requirement(): string {
  const set = vscode.workspace.getConfiguration("maxcode").get<string>("server.package")?.trim() ?? "";
  return set === "" ? "maxcode-lsp" : set;
}

async function findPython(): Promise<string | undefined> {
  for (const python of PYTHONS) {
    try {
      if (isNewEnough(await run(versionCheck(python), CHECK_MS, () => undefined))) return python;
    } catch {
      // The next one may be there.
    }
  }
  return undefined;
}

async function installed(steps: readonly Step[], log: vscode.LogOutputChannel): Promise<boolean> {
  const title = l10n.t("Installing MaxCode’s server");
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  try {
    await vscode.window.withProgress(options, async (progress, token) => {
      const stopped = new AbortController();
      token.onCancellationRequested(() => stopped.abort());
      for (const step of steps) {
        log.info(typed(step));
        progress.report({ message: typed(step).slice(0, LONGEST_LINE) });
        await run(step, STEP_MS, (text) => {
          const line = text.trim().split("\n").at(-1)?.trim() ?? "";
          log.append(text);
          if (line !== "") progress.report({ message: line.slice(0, LONGEST_LINE) });
        }, stopped.signal);
      }
    });
    return true;
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    if (error.message === "cancelled") return false;
    log.error(`${typed(error.step)}: ${error.message}\n${error.output}`);
    const why = error.message === "limit" ? l10n.t("it took too long") : (error.output.trim() || error.message).split("\n").at(-1) ?? "";
    const showLog = l10n.t("Show Log");
    const said = l10n.t("MaxCode’s server could not be installed: {0} Check the network and “maxcode.server.package”, then try again.", why);
    if ((await vscode.window.showErrorMessage(said, showLog)) === showLog) log.show();
    return false;
  }
}
