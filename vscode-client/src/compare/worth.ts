/** What each changed place of a version is worth, beside its line. */
import * as vscode from "vscode";
import * as l10n from "@vscode/l10n";
import { times } from "../runs/wording";
import { SCHEME, type Versions } from "./documents";

const LONGEST = 90;
const BADGE: vscode.ThemableDecorationAttachmentRenderOptions = {
  color: new vscode.ThemeColor("badge.foreground"),
  backgroundColor: new vscode.ThemeColor("badge.background"),
  margin: "0 1ch 0 0",
};

export class Worth implements vscode.Disposable {
  private readonly beside = vscode.window.createTextEditorDecorationType({
    after: { margin: "0 0 0 3em", color: new vscode.ThemeColor("editorCodeLens.foreground"), fontStyle: "italic" },
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  private readonly disposables: { dispose(): unknown }[] = [this.beside];

  constructor(private readonly versions: Versions) {
    this.disposables.push(vscode.window.onDidChangeVisibleTextEditors((editors) => void this.show(editors)));
  }

  async show(editors: readonly vscode.TextEditor[] = vscode.window.visibleTextEditors): Promise<void> {
    for (const editor of editors.filter((each) => each.document.uri.scheme === SCHEME)) {
      const version = this.versions.cached(editor.document.uri) ?? (await this.versions.text(editor.document.uri));
      const last = editor.document.lineCount - 1;
      const hunks = version?.hunks ?? [];
      const marks = hunks.map((hunk): vscode.DecorationOptions => {
        const line = editor.document.lineAt(Math.min(hunk.line, last));
        const label = hunk.label.replace(/^MaxCode: /u, "");
        const hover = new vscode.MarkdownString().appendText([label, hunk.why].filter(Boolean).join("\n"));
        // In front, since the end of a long line is out of sight in a diff.
        const worth = hunk.worth !== null ? times(hunk.worth) : hunks.length === 1 ? l10n.t("all of it") : "";
        const before = worth === "" ? {} : { before: { ...BADGE, contentText: `\u00a0${worth}\u00a0` } };
        const range = new vscode.Range(line.lineNumber, line.firstNonWhitespaceCharacterIndex, line.lineNumber, line.text.length);
        return { range, hoverMessage: hover, renderOptions: { ...before, after: { contentText: label.slice(0, LONGEST) } } };
      });
      editor.setDecorations(this.beside, marks);
    }
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables).dispose();
  }
}
