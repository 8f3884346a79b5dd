/** What the status bar says, from what is known of the server. Knows no editor. */
import * as l10n from "@vscode/l10n";
import { times } from "../runs/wording";

export type State =
  | { kind: "starting" }
  | { kind: "ready" }
  | { kind: "searching"; runs: number; best: number | null; reason: string }
  | { kind: "attention"; reason: string }
  | { kind: "inactive"; reason: string };

export interface Shown {
  text: string;
  tooltip: string;
  /** Whether it is told in the colours of a warning. */
  warns: boolean;
}

export function shown(state: State): Shown {
  switch (state.kind) {
    case "starting":
      return { text: "$(loading~spin) MaxCode", tooltip: l10n.t("MaxCode is starting."), warns: false };
    case "ready":
      return { text: "$(rocket) MaxCode", tooltip: l10n.t("MaxCode is ready. Choose “Optimize” on a C or C++ program."), warns: false };
    case "searching": {
      const best = state.best === null ? "" : ` · ${times(state.best)}`;
      const text = `$(loading~spin) MaxCode: ${l10n.t("searching {0}", state.runs)}${best}`;
      return { text, tooltip: state.reason, warns: false };
    }
    case "attention":
      return { text: `$(warning) MaxCode: ${l10n.t("needs attention")}`, tooltip: state.reason, warns: true };
    case "inactive":
      return { text: `$(circle-slash) MaxCode`, tooltip: l10n.t("MaxCode is inactive: {0}", state.reason), warns: false };
  }
}
