/** What the JSON Schema of `maxcode.toml` says about one place in it. Knows no editor. */

export interface Schema {
  description?: string;
  type?: string;
  enum?: (string | number | null)[];
  default?: unknown;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  exclusiveMaximum?: number;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
}

export interface Suggestion {
  label: string;
  /** What is put in. */
  insert: string;
  detail: string;
  documentation: string;
  kind: "key" | "table" | "value";
}

const TABLE = /^\s*\[{1,2}\s*([^\]]*?)\s*\]{1,2}/u;
const PART = /"((?:[^"\\]|\\.)*)"|'([^']*)'|([\w-]+)/gu;

/** The table that a line is in: the keys of the last heading above it. */
export function tableAt(lines: readonly string[], line: number): string[] {
  for (let at = Math.min(line, lines.length - 1); at >= 0; at -= 1) {
    const heading = TABLE.exec(lines[at] ?? "");
    if (heading?.[1] !== undefined && at < line) return parts(heading[1]);
  }
  return [];
}

/** The keys of a dotted one: `target."src/a.cpp".budget`. */
export function parts(dotted: string): string[] {
  return [...dotted.matchAll(PART)].map((found) => found[1] ?? found[2] ?? found[3] ?? "");
}

/** The schema of a place; undefined: there is no such place. */
export function at(schema: Schema, keys: readonly string[]): Schema | undefined {
  let here: Schema | undefined = schema;
  for (const key of keys) {
    const table: Schema | undefined = here?.type === "array" ? here.items : here;
    here = table?.properties?.[key] ?? (typeof table?.additionalProperties === "object" ? table.additionalProperties : undefined);
  }
  return here?.type === "array" && here.items?.properties !== undefined ? here.items : here;
}

/** What can be written at the end of `before`, the beginning of line `line`. */
export function suggestions(schema: Schema, lines: readonly string[], line: number, before: string): Suggestion[] {
  const heading = /^\s*\[{1,2}\s*([\w."'/*-]*)$/u.exec(before);
  if (heading !== null) return tables(schema);
  const table = tableAt(lines, line);
  const value = /^\s*([\w."'/*-]+)\s*=\s*(.*)$/u.exec(before);
  if (value !== null) return values(at(schema, [...table, ...parts(value[1] ?? "")]), value[2] ?? "");
  if (!/^\s*[\w-]*$/u.test(before)) return [];
  const taken = keysOf(lines, line);
  return Object.entries(at(schema, table)?.properties ?? {})
    .filter(([key, what]) => what.properties === undefined && what.additionalProperties === undefined && !taken.has(key))
    .map(([key, what]) => ({ label: key, insert: `${key} = `, detail: facts(what), documentation: what.description ?? "", kind: "key" }));
}

/** Type, range, default: `integer ≥ 1, default 64`. */
export function facts(what: Schema): string {
  const kinds = what.enum?.filter((one) => one !== null).map((one) => JSON.stringify(one)) ?? (what.anyOf ?? [what]).map((one) => one.type ?? "");
  const bounds = [
    what.minimum === undefined ? "" : `≥ ${what.minimum}`,
    what.exclusiveMinimum === undefined ? "" : `> ${what.exclusiveMinimum}`,
    what.maximum === undefined ? "" : `≤ ${what.maximum}`,
    what.exclusiveMaximum === undefined ? "" : `< ${what.exclusiveMaximum}`,
  ].filter(Boolean);
  const otherwise = what.default === undefined ? "" : `, default ${JSON.stringify(what.default)}`;
  return `${kinds.join(" | ")}${bounds.length === 0 ? "" : ` ${bounds.join(", ")}`}${otherwise}`;
}

function values(what: Schema | undefined, typed: string): Suggestion[] {
  const choices = what?.enum?.filter((one) => one !== null) ?? (what?.type === "boolean" ? [true, false] : []);
  const quoted = /^["']/u.test(typed);
  return choices.map((choice) => {
    const whole = JSON.stringify(choice);
    return { label: String(choice), insert: quoted ? String(choice) : whole, detail: whole === JSON.stringify(what?.default) ? "default" : "", documentation: what?.description ?? "", kind: "value" };
  });
}

function tables(schema: Schema): Suggestion[] {
  return Object.entries(schema.properties ?? {})
    .filter(([, what]) => what.properties !== undefined || typeof what.additionalProperties === "object" || what.items?.properties !== undefined)
    .map(([key, what]) => ({ label: key, insert: key, detail: what.items === undefined ? `[${key}]` : `[[${key}]]`, documentation: what.description ?? "", kind: "table" }));
}

/** The keys that the table around a line already has. */
function keysOf(lines: readonly string[], line: number): Set<string> {
  const isHeading = (text: string | undefined): boolean => TABLE.test(text ?? "");
  let first = line;
  while (first > 0 && !isHeading(lines[first - 1])) first -= 1;
  const found = new Set<string>();
  for (let row = first; row < lines.length && !isHeading(lines[row]); row += 1) {
    const key = row === line ? undefined : /^\s*([\w-]+)\s*=/u.exec(lines[row] ?? "")?.[1];
    if (key !== undefined) found.add(key);
  }
  return found;
}
