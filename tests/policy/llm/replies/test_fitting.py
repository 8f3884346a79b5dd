from __future__ import annotations

from maxcode_lsp.policy.llm.replies.edits import pairs, search_and_replace, unified_diff
from maxcode_lsp.policy.llm.replies.fitting import Fit, fit, keeping

TEXT = b"int f() {\n\tint x = 0;  \n\n    // \xe4h\n    return x;\n}\n\nint g() { return 1; }"


def made(old: str, new: str, text: bytes = TEXT) -> Fit:
    return fit(pairs([(old, new)]).edits, text)


def test_only_what_changes_changes() -> None:
    fitted = made("\tint x = 0;\n\n    // \ufffdh\n    return x;", "\tint x = 0;\n\n    // \ufffdh\n    return 2;")
    assert fitted.text == TEXT.replace(b"return x", b"return 2")


def test_the_last_line_gets_an_end_when_it_changes() -> None:
    assert made("int g() { return 1; }", "int g() { return 2; }").text == TEXT.replace(b"return 1; }", b"return 2; }\n")


def test_what_fits_exactly_goes_before_what_fits_loosely() -> None:
    text = b"a;\n  a;\n"
    assert made("a;", "b;", text).text == b"b;\n  a;\n"
    assert made("    a;", "    b;", text).complaint.startswith("Hunk 1 (“a;”) was found 2 times (lines 1, 2)")


def test_indentation_moves_with_a_hunk() -> None:
    text = b"if (a) {\n        f();\n        g();\n}\n"
    fitted = made("f();\ng();", "if (b)\n    f();\n\ng();", text)
    assert fitted.text == b"if (a) {\n        if (b)\n            f();\n\n        g();\n}\n"
    fitted = made("            f();\n            g();", "            h();\n  k();", text)
    assert fitted.text == b"if (a) {\n        h();\nk();\n}\n"
    assert made("f();\n  g();", "h();", text).text is None


def test_all_or_none() -> None:
    edits = pairs([("int g() { return 1; }", "int g() { return 2; }"), ("int h();", "")]).edits
    assert fit(edits, TEXT).text is None


def test_the_nearest_lines_are_told() -> None:
    said = made("int f() {\n\tint y = 0;", "").complaint
    assert "from line 1 on:\nint f() {\n\tint x = 0;" in said
    assert "nearest" not in made("completely(different, things);", "").complaint


def test_edits_at_one_place_are_refused() -> None:
    edits = pairs([("", "#include <map>"), ("", "#include <set>")]).edits
    assert "Hunks 1 and 2" in fit(edits, TEXT).complaint


def test_a_divider_in_what_is_sought() -> None:
    text = b'const char *a = R"(\n=======\n)";\nint x;\n'
    lines = ["<<<<<<< SEARCH", "=======", ')";', "int x;", "=======", "=======", ')";', "int y;", ">>>>>>> REPLACE"]
    assert fit(search_and_replace(lines).edits, text).text == text.replace(b"int x", b"int y")


def test_lines_that_a_diff_deletes_may_look_like_its_head() -> None:
    diff = ["--- a/x.cpp", "+++ b/x.cpp", "@@ -1,3 +1,3 @@", " int x;", "--- y;", "+++ y;", " int z;"]
    (edit,) = unified_diff(diff)
    assert fit([edit], b"int x;\n-- y;\nint z;\n").text == b"int x;\n++ y;\nint z;\n"


def test_what_a_model_cannot_say_is_kept() -> None:
    old = b"// \xe4  \nint x;\t\nint y;"
    assert keeping(old, "// \ufffd\nint x;\nint z;\n".encode()) == b"// \xe4  \nint x;\t\nint z;\n"
    assert keeping(old, b"") == b""
    assert keeping(b"", b"a\n") == b"a\n"
