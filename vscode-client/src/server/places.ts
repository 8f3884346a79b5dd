/** Where this editor says that Python environments and the server may be. */
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import { locate, type Found, type Places } from "./locate";

/** What the Python extension offers to others, as far as it is used here. */
interface PythonApi {
  environments?: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { path: string };
    resolveEnvironment(path: { path: string }): Promise<{ executable: { sysPrefix?: string } } | undefined>;
  };
}

const PYTHON_MS = 2_000;

export function managedFolder(context: vscode.ExtensionContext): string {
  return path.join(context.globalStorageUri.fsPath, "server");
}

export async function find(context: vscode.ExtensionContext): Promise<Found | undefined> {
  return locate(await places(context), isProgram);
}

async function places(context: vscode.ExtensionContext): Promise<Places> {
  const setting = vscode.workspace.getConfiguration("maxcode").get<string>("server.path") ?? "";
  return {
    setting: setting.trim(),
    // What lies in a folder that nobody trusts is not run.
    environments: setting.trim() === "" ? await environments() : [],
    searchPath: process.env["PATH"] ?? "",
    managed: managedFolder(context),
    home: os.homedir(),
    windows: process.platform === "win32",
  };
}

async function environments(): Promise<string[]> {
  const found = [process.env["VIRTUAL_ENV"] ?? ""];
  if (vscode.workspace.isTrusted) {
    found.unshift(await activeEnvironment());
    for (const folder of vscode.workspace.workspaceFolders ?? []) found.push(path.join(folder.uri.fsPath, ".venv"));
  }
  return found.filter((folder) => folder !== "");
}

/** Of the Python extension, where it is installed and quick. */
async function activeEnvironment(): Promise<string> {
  const python = vscode.extensions.getExtension<PythonApi>("ms-python.python");
  if (python === undefined) return "";
  const limit = new Promise<string>((resolve) => setTimeout(() => resolve(""), PYTHON_MS));
  const asked = (async (): Promise<string> => {
    const api = (python.isActive ? python.exports : await python.activate()).environments;
    if (api === undefined) return "";
    return (await api.resolveEnvironment(api.getActiveEnvironmentPath()))?.executable.sysPrefix ?? "";
  })().catch(() => "");
  return Promise.race([asked, limit]);
}

function isProgram(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}
