/** Settings for the server: only what somebody set, so that the editor's defaults do not come over `maxcode.toml`. */

export interface Inspected {
  globalValue?: unknown;
  workspaceValue?: unknown;
  workspaceFolderValue?: unknown;
}

/** Settings of this extension itself: nothing that the server knows. */
export const OWN = ["server", "preview", "trace"] as const;

/** Nested as the server has it. `keys`: dotted, without `maxcode.`. What is null is not set. */
export function explicit(keys: readonly string[], inspect: (key: string) => Inspected | undefined): Record<string, unknown> {
  const settings: Record<string, unknown> = {};
  for (const key of keys) {
    const parts = key.split(".");
    if ((OWN as readonly string[]).includes(parts[0] ?? "")) continue;
    const found = inspect(key);
    const value = found?.workspaceFolderValue ?? found?.workspaceValue ?? found?.globalValue;
    if (value === undefined || value === null) continue;
    let at = settings;
    for (const part of parts.slice(0, -1)) at = (at[part] ??= {}) as Record<string, unknown>;
    at[parts.at(-1) ?? key] = value;
  }
  return settings;
}
