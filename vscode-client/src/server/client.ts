/** What the language client is given: options, and what it does with what passes through it. */
import * as vscode from "vscode";
import * as l10n from "@vscode/l10n";
import { CodeActionResolveRequest, TextDocumentEdit, type ApplyWorkspaceEditParams, type LanguageClientOptions, type Middleware, type WorkspaceEdit } from "vscode-languageclient/node";
import type { Choosing } from "../runs/choosing";
import { START, type StartArguments } from "../protocol";
import { explicit } from "./explicit";
import { LANGUAGES, type Server } from "./server";

export interface Given {
  server: () => Server;
  choosing: () => Choosing;
  secrets: () => Promise<Record<string, string>>;
  /** All settings of `maxcode`, dotted, without the section. */
  keys: readonly string[];
}

export async function clientOptions(given: Given): Promise<LanguageClientOptions> {
  return {
    documentSelector: LANGUAGES.map((language) => ({ scheme: "file", language })),
    initializationOptions: {
      trusted: vscode.workspace.isTrusted,
      runChanged: true,
      buttons: true,
      comparing: true,
      secrets: await given.secrets(),
    },
    middleware: middleware(given),
  };
}

function middleware(given: Given): Middleware {
  return {
    executeCommand: (command, args: unknown[], next) => {
      const asked = args[0] as StartArguments | undefined;
      if (command === START && asked?.ask === true) return given.choosing().start(asked);
      return next(command, args) as unknown;
    },
    resolveCodeAction: async (item, token, next) => {
      const client = given.server().client;
      if (client === undefined) return next(item, token);
      const asked = client.code2ProtocolConverter.asCodeActionSync(item);
      const answer = await client.sendRequest(CodeActionResolveRequest.type, asked, token);
      // The edit is for the text that was there: neither the editor nor the language client looks.
      if (answer.edit !== undefined && isStale(answer.edit)) throw new Error(moved());
      const edit = answer.edit !== undefined && previews() ? previewed(answer.edit) : answer.edit;
      return client.protocol2CodeConverter.asCodeAction(edit === undefined ? answer : { ...answer, edit }, token);
    },
    workspace: {
      // The server asks for what it wants to know, which then comes through `configuration`.
      didChangeConfiguration: (_, next) => next(undefined),
      configuration: async (params, token, next) => {
        const answers = await next(params, token);
        if (!Array.isArray(answers)) return answers;
        return params.items.map((item, at): unknown => {
          if (item.section !== "maxcode") return answers[at];
          const scope = item.scopeUri === undefined ? undefined : vscode.Uri.parse(item.scopeUri);
          const settings = vscode.workspace.getConfiguration("maxcode", scope ?? null);
          return explicit(given.keys, (key) => settings.inspect(key));
        });
      },
      handleApplyEdit: (params: ApplyWorkspaceEditParams, next) =>
        next(previews() ? { ...params, edit: previewed(params.edit) } : params, new vscode.CancellationTokenSource().token),
    },
  };
}

function previews(): boolean {
  return vscode.workspace.getConfiguration("maxcode").get<boolean>("preview") ?? false;
}

function moved(): string {
  return l10n.t("The text changed while the edit was made. Choose it again.");
}

/** Whether an edit names a version of an open document that is gone. */
function isStale(edit: WorkspaceEdit): boolean {
  return (edit.documentChanges ?? []).some((change) => {
    if (!TextDocumentEdit.is(change) || change.textDocument.version === null) return false;
    const uri = vscode.Uri.parse(change.textDocument.uri).toString();
    const document = vscode.workspace.textDocuments.find((open) => open.uri.toString() === uri);
    return document !== undefined && document.version !== change.textDocument.version;
  });
}

/** Each change waits for a yes in the editor's refactor preview. */
function previewed(edit: WorkspaceEdit): WorkspaceEdit {
  const annotations = Object.entries(edit.changeAnnotations ?? {});
  return { ...edit, changeAnnotations: Object.fromEntries(annotations.map(([id, note]) => [id, { ...note, needsConfirmation: true }])) };
}
