/** The example of the walkthrough: a copy that the user may change. */
import * as vscode from "vscode";

const PROGRAM = "words.cpp";

/** Copies the bundled example into this extension's own storage, as it was, and opens it. */
export async function openExample(context: vscode.ExtensionContext): Promise<vscode.Uri> {
  const from = vscode.Uri.joinPath(context.extensionUri, "example");
  const to = vscode.Uri.joinPath(context.globalStorageUri, "example");
  await vscode.workspace.fs.createDirectory(context.globalStorageUri);
  await vscode.workspace.fs.copy(from, to, { overwrite: true });
  const program = vscode.Uri.joinPath(to, PROGRAM);
  const document = await vscode.workspace.openTextDocument(program);
  const editor = await vscode.window.showTextDocument(document);
  const main = document.getText().indexOf("main(");
  const at = document.positionAt(Math.max(main, 0));
  editor.selection = new vscode.Selection(at, at);
  editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenter);
  return program;
}
