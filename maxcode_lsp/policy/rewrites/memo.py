"""Memoising: results of pure functions are kept and given again for the same arguments."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from maxcode_lsp.policy.rewrites.calls import called, function_declarator, parameters
from maxcode_lsp.policy.rewrites.edits import insert, replace
from maxcode_lsp.policy.rewrites.effects import effects, is_pure_function
from maxcode_lsp.policy.rewrites.loop_shape import LOOPS, enclosing_loops, jumps, names
from maxcode_lsp.policy.rewrites.memo_table import dense_body, hashed_body, hashed_lambda
from maxcode_lsp.policy.rewrites.placement import Names, around, lines, merge
from maxcode_lsp.policy.rewrites.pure_functions import Key, Pure, pure_function, threads
from maxcode_lsp.policy.rewrites.rule import Rewrite, register, trusted
from maxcode_lsp.policy.rewrites.types import is_integer, is_unsigned, resolve, variable_at
from maxcode_lsp.policy.rewrites.unit import Unit
from maxcode_lsp.records import Hunk


class _Memo:
    """Shared by the rules: a function renamed, and one in its place that keeps results."""

    def rewrites(self, unit: Unit, pure: Pure) -> Iterator[Rewrite]:
        depth = Names(unit).fresh(f"{pure.name}_depth") if pure.fleeting else ""
        given = ", ".join(pure.names)
        # Two names, so that the two ways can never be applied together.
        if len(pure.keys) <= 2:
            plain = Names(unit).fresh(f"{pure.name}_computed")
            body = dense_body(pure.keys, pure.result, f"{plain}({given})", depth)
            yield self._rewrite(unit, pure, plain, body, ("vector",), "a table")
        if len(pure.keys) >= 2:
            plain = Names(unit).fresh(f"{pure.name}_uncached")
            body = hashed_body(pure.keys, pure.result, f"{plain}({given})", depth)
            yield self._rewrite(unit, pure, plain, body, ("array", "unordered_map"), "a hash table")

    @staticmethod
    def _rewrite(unit: Unit, pure: Pure, plain: str, body: str, headers: tuple[str, ...], where: str) -> Rewrite:
        declarator = function_declarator(pure.definition)
        name = declarator.child_by_field_name("declarator") if declarator is not None else None
        indent = unit.indent(pure.definition)
        wrapper = f"\n\n{indent}{pure.head} {{" + "".join(f"\n{indent}    {line}" for line in body.split("\n"))
        hunks = [insert(pure.definition.end_byte, f"{wrapper}\n{indent}}}")]
        if name is not None:
            hunks.append(replace(name, plain))
        if pure.definition.parent is not None and pure.definition.parent.type != "field_declaration_list":
            hunks.append(insert(pure.definition.start_byte, f"{pure.head};\n{indent}"))
        includes: list[Hunk] = []
        for header in headers:
            includes += unit.include_hunk(header)
        return Rewrite(
            merge(_one_include(includes), hunks),
            lines(unit, pure.definition),
            f"Keeps the results of {pure.name} in {where}: the same arguments are asked about again and again.",
        )


def _one_include(hunks: list[Hunk]) -> tuple[Hunk, ...]:
    """Several includes at one place as one hunk."""
    if not hunks:
        return ()
    return (Hunk(hunks[0].start, hunks[0].end, b"".join(hunk.replacement for hunk in hunks)),)


@trusted
@register
class MemoRecursion(_Memo):
    """Pure recursion that branches: the same arguments come back many times."""

    id = "memo-recursion"
    family = "memo"
    rationale = "Keeps the results of the recursion: the same arguments are asked about again and again."
    gain = 50.0
    finding_kinds = ("repeated-recursion", "empirical-complexity", "hot-function")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        if threads(unit):
            return
        for name, definitions in unit.functions.items():
            if len(definitions) != 1:
                continue
            pure = pure_function(unit, name, definitions[0])
            if pure is None or not 1 <= len(pure.keys) <= 4:
                continue
            in_loop = any(next(enclosing_loops(call), None) is not None for call in pure.self_calls)
            if len(pure.self_calls) >= 2 or (pure.self_calls and in_loop):
                yield from self.rewrites(unit, pure)


@register
class MemoPureCall(_Memo):
    """Pure functions of one or two integers that are called in a loop."""

    id = "memo-pure-call"
    family = "memo"
    rationale = "Keeps the results of a pure function that is called in a loop, perhaps with the same arguments."
    gain = 1.5
    finding_kinds = ("hot-function", "empirical-complexity")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        if threads(unit):
            return
        for name, definitions in unit.functions.items():
            pure = pure_function(unit, name, definitions[0]) if len(definitions) == 1 else None
            if pure is None or pure.fleeting or not 1 <= len(pure.keys) <= 2 or len(pure.self_calls) > 1:
                continue
            repeats = next(unit.walk(*LOOPS, under=pure.definition), None) is not None or pure.self_calls
            if repeats and any(self._in_loop(unit, call, name) for call in unit.walk("call_expression")):
                yield from self.rewrites(unit, pure)

    @staticmethod
    def _in_loop(unit: Unit, call: Node, name: str) -> bool:
        return called(unit, call)[0] == name and next(enclosing_loops(call), None) is not None


@register
class MemoLambda:
    """Recursive local functions: ``function<int(int)> f = [&](int n) { … }``."""

    id = "memo-lambda"
    family = "memo"
    rationale = "Keeps the results of the recursive lambda: the same arguments are asked about again and again."
    gain = 50.0
    finding_kinds = ("repeated-recursion", "empirical-complexity", "hot-function")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        if threads(unit):
            return
        for variable in unit.variables:
            made, declared = variable.initial, variable.declaration
            kind = resolve(unit, unit.text(variable.type))
            if made is None or made.type != "lambda_expression" or not kind.startswith("function<"):
                continue
            body, result = made.child_by_field_name("body"), kind.removeprefix("function<").split("(", 1)[0]
            captures = unit.text_of(made, "captures").replace(" ", "")
            if body is None or not captures.startswith("[&") or result == "void" or "&" in result:
                continue
            calls = [c for c in unit.walk("call_expression", under=body) if called(unit, c)[0] == variable.name]
            keys = self._keys(unit, made)
            if len(calls) < 2 or keys is None or not is_pure_function(unit, made):
                continue
            memo = Names(unit).fresh(f"{variable.name}_memo")
            before, opening, closing = hashed_lambda(keys, result, memo)
            includes = [*unit.include_hunk("array"), *unit.include_hunk("unordered_map")]
            inside = (insert(body.start_byte + 1, opening), insert(body.end_byte - 1, closing))
            yield Rewrite(
                merge(_one_include(includes), around(unit, declared, before.split("\n")), inside), lines(unit, declared)
            )

    @staticmethod
    def _keys(unit: Unit, made: Node) -> list[Key] | None:
        listed = parameters(made)
        keys = [
            Key(unit.text_of(p, "declarator"), resolve(unit, unit.text_of(p, "type")))
            for p in listed
            if (d := p.child_by_field_name("declarator")) is not None and d.type == "identifier"
        ]
        return keys if keys and len(keys) == len(listed) <= 4 and all(is_integer(k.type) for k in keys) else None


@register
class OrbitMemo:
    """``while (n != 1) { n = …; ++steps; }``: how many steps a number takes to the end."""

    id = "orbit-memo"
    family = "memo"
    rationale = "Keeps how many steps each starting number takes, and stops where a known one is reached."
    gain = 4.0
    finding_kinds = ("hot-lines", "hot-function", "empirical-complexity")

    def find(self, unit: Unit) -> Iterator[Rewrite]:
        if threads(unit):
            return
        for loop in unit.walk("while_statement"):
            condition, body = loop.child_by_field_name("condition"), loop.child_by_field_name("body")
            if condition is None or body is None or body.type != "compound_statement" or jumps(unit, body):
                continue
            effect = effects(unit, loop)
            counters = {name for name in effect.whole if _only_counts(unit, body, name)}
            moving = effect.whole - counters
            if effect.outside or effect.elements or len(counters) != 1 or len(moving) != 1:
                continue
            (steps,), (number,) = counters, moving
            if names(unit, condition) != frozenset({number}) or not names(unit, body) <= {number, steps}:
                continue
            if self._used_after(unit, loop, number) or not self._both_integers(unit, loop, number, steps):
                continue
            yield Rewrite(self._hunks(unit, loop, body, number, steps), lines(unit, loop))

    @staticmethod
    def _both_integers(unit: Unit, loop: Node, number: str, steps: str) -> bool:
        found = [variable_at(unit, name, loop) for name in (number, steps)]
        return all(
            v is not None and v.form == "value" and v.kind in ("local", "parameter")
            and is_integer(resolve(unit, unit.text(v.type)))
            for v in found
        )  # fmt: skip

    @staticmethod
    def _used_after(unit: Unit, loop: Node, number: str) -> bool:
        variable = variable_at(unit, number, loop)
        return variable is None or any(use.start_byte >= loop.end_byte for use in variable.uses)

    @staticmethod
    def _hunks(unit: Unit, loop: Node, body: Node, number: str, steps: str) -> tuple[Hunk, ...]:
        fresh = Names(unit)
        memo, start, before = fresh.fresh("known_steps"), fresh.fresh("first"), fresh.fresh("steps_before")
        declared = variable_at(unit, number, loop)
        kind = resolve(unit, unit.text(declared.type)) if declared is not None else "int"
        low = "" if is_unsigned(kind) else "{0} >= 0 && "
        limit = (low + "{0} < (1 << 22)").format
        held = f"static_cast<std::size_t>({number}) < {memo}.size() && {memo}[{number}] != 0"
        inside = f" if ({limit(number)} && {held}) {{ {steps} += {memo}[{number}] - 1; break; }}"
        store = (
            f"if ({limit(start)}) {{ if (static_cast<std::size_t>({start}) >= {memo}.size()) "
            f"{memo}.resize(static_cast<std::size_t>({start}) * 3 / 2 + 64); "
            f"{memo}[{start}] = {steps} - {before} + 1; }}"
        )
        opening = [
            f"static std::vector<int> {memo};",
            f"const auto {start} = {number};",
            f"const auto {before} = {steps};",
        ]
        hunks = around(unit, loop, opening, [store])
        return merge(unit.include_hunk("vector"), hunks, (insert(body.start_byte + 1, inside),))


def _only_counts(unit: Unit, body: Node, name: str) -> bool:
    """It goes up by constants and is not read."""
    texts = {"".join(unit.text(n).split()) for n in unit.walk("update_expression", "assignment_expression", under=body)}
    mentions = sum(unit.text(n) == name for n in unit.walk("identifier", under=body))
    counting = [t for t in texts if t in (f"{name}++", f"++{name}") or _adds_constant(t, name)]
    places = sum("".join(unit.text(n).split()) in counting
                 for n in unit.walk("update_expression", "assignment_expression", under=body))  # fmt: skip
    return bool(counting) and places == mentions


def _adds_constant(text: str, name: str) -> bool:
    return text.startswith(f"{name}+=") and text.removeprefix(f"{name}+=").isdigit()
