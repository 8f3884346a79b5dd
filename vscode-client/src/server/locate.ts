/** Where the server is: setting, active Python environment, PATH, then the environment of our own. */
import * as path from "node:path";

export type Origin = "setting" | "environment" | "path" | "managed";

export interface Places {
  /** The setting `maxcode.server.path`; empty: not set. */
  setting: string;
  /** Folders of Python environments, the active one first. */
  environments: readonly string[];
  /** The variable PATH. */
  searchPath: string;
  /** Folder of the environment that this extension installs into. */
  managed: string;
  home: string;
  windows: boolean;
}

export interface Found {
  command: string;
  origin: Origin;
}

/** The first that is there. A setting that names nothing is no reason to take another one: undefined then, too. */
export function locate(places: Places, isProgram: (file: string) => boolean): Found | undefined {
  const system = places.windows ? path.win32 : path.posix;
  const program = places.windows ? "maxcode.exe" : "maxcode";
  const inside = (environment: string): string => system.join(environment, places.windows ? "Scripts" : "bin", program);
  if (places.setting !== "") {
    const command = places.setting.replace(/^~(?=[\\/])/u, places.home);
    return isProgram(command) ? { command, origin: "setting" } : undefined;
  }
  for (const environment of places.environments) {
    const command = inside(environment);
    if (isProgram(command)) return { command, origin: "environment" };
  }
  for (const folder of places.searchPath.split(places.windows ? ";" : ":")) {
    // An empty entry means the current folder, which is whatever project is open.
    if (!system.isAbsolute(folder)) continue;
    const command = system.join(folder, program);
    if (isProgram(command)) return { command, origin: "path" };
  }
  const command = inside(places.managed);
  return isProgram(command) ? { command, origin: "managed" } : undefined;
}
