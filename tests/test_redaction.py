"""What looks like a secret and what is known to be one is hidden; code, digests and JSON stay what they are."""

from __future__ import annotations

import base64
import hashlib
import itertools
import json
import re
import subprocess
import sys
import urllib.parse
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from maxcode_lsp.redaction import (
    HIDDEN,
    hide,
    hide_environment,
    hide_in_address,
    redact,
    redact_bytes,
    redact_known,
    redacted,
)

ROOT = Path(__file__).parents[1]
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"
BLOCK = """-----BEGIN RSA PRIVATE KEY-----
Proc-Type: 4,ENCRYPTED
DEK-Info: AES-128-CBC,D54228DB5838E32589695E83A22595C7

MIIEpAIBAAKCAQEA3Tz2mr7SZiAMfQyuvBjM9Oi+/abc=
-----END RSA PRIVATE KEY-----"""
TOKENS = {
    "openai": "sk-proj-Zk3vQ9_fT7-uW1xYb2cD4eF6gH8iJ0kL",
    "openai, old": "sk-Zk3vQ9fT7uW1xYb2cD4eF6gH8iJ0kLmN2oP4qR6sT8uV0wX",
    "anthropic": "sk-ant-api03-Zk3vQ9fT7uW1xYb2cD4eF6gH8iJ0kLmN2oP4qR6sT8uV0wX-yZ12345AA",
    "openrouter": "sk-or-v1-0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    "google": "AIzaSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY",
    "google, oauth": "ya29.a0AfH6SMBx_1234567890abcdefghij",
    "aws": "AKIAIOSFODNN7EXAMPLE",
    "github": "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
    "github, fine": "github_pat_11ABCDEFG0aBcDeFgHiJkL_MnOpQrStUvWxYz0123456789",
    "gitlab": "glpat-Zk3vQ9fT7uW1xYb2cD4e",
    "slack": "xoxb-123456789012-123456789012-Zk3vQ9fT7uW1xYb2cD4eF6gH",
    "hugging face": "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",
    "groq": "gsk_Zk3vQ9fT7uW1xYb2cD4eF6gH8iJ0kLmN2oP4qR6sT8uV0wX12",
    "xai": "xai-Zk3vQ9fT7uW1xYb2cD4eF6gH8iJ0kLmN2oP4qR6sT8uV0wX12",
    "azure": "Zk3vQ9fT7uW1xYb2cD4eF6gH8iJ0kLmN2oP4qR6sT8uV0wX12abcdJQQJ99BCACYeBjFXJ3w3AAABACOGabcd",
    "web token": JWT,
    "private key": BLOCK,
}
AROUND = {
    "{}": HIDDEN,
    "the key {} is wrong": f"the key {HIDDEN} is wrong",
    "key='{}'": f"key='{HIDDEN}'",
    'said: "{}".': f'said: "{HIDDEN}".',
    "({})": f"({HIDDEN})",
    "x\n{}\ny": f"x\n{HIDDEN}\ny",
    "https://h.example/v1/{}/x": f"https://h.example/v1/{HIDDEN}/x",
}


@pytest.mark.parametrize("token", TOKENS.values(), ids=TOKENS)
@pytest.mark.parametrize("around", AROUND)
def test_keys_of_known_shapes(token: str, around: str) -> None:
    assert redact(around.format(token)) == AROUND[around].format(HIDDEN)


IN_CONTEXT = {
    "Authorization: Bearer abcdEFGH1234": f"Authorization: Bearer {HIDDEN}",
    "authorization: Basic dXNlcjpwYXNzdzByZA==": f"authorization: Basic {HIDDEN}",
    "{'Authorization': 'Bearer abcdEFGH1234'}": f"{{'Authorization': 'Bearer {HIDDEN}'}}",
    "(b'authorization', b'Bearer abcdEFGH1234')": f"(b'authorization', b'Bearer {HIDDEN}')",
    '{"authorization":"abcdEFGH12345678"}': f'{{"authorization":"{HIDDEN}"}}',
    "sent with bearer abcdEFGH1234.": "sent with bearer [secret]",
    "x-api-key: 0123456789abcdef0123456789abcdef": f"x-api-key: {HIDDEN}",
    "api_key=0123456789abcdef": f"api_key={HIDDEN}",
    "{'api_key': '0123456789abcdef'}": f"{{'api_key': '{HIDDEN}'}}",
    "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY": f"aws_secret_access_key = {HIDDEN}",
    "AccountKey=Zk3vQ9fT7uW1+/Yb2cD4eF6gH8iJ0kLmN2==;Suffix=x": f"AccountKey={HIDDEN};Suffix=x",
    "https://me:hunter2@h.example/v1": f"https://{HIDDEN}@h.example/v1",
    "https://me:p@ss:w@h.example:81/v1": f"https://{HIDDEN}@h.example:81/v1",
    "https://tok3n99@h.example": f"https://{HIDDEN}@h.example",
    "postgres://u:geheim@db/x?ssl=1": f"postgres://{HIDDEN}@db/x?ssl=1",
    "GET https://h.example/v1?key=geheim&alt=sse": f"GET https://h.example/v1?key={HIDDEN}&alt=sse",
    "https://h.example/?a=1&api-key=geheim#x": f"https://h.example/?a=1&api-key={HIDDEN}#x",
    "https://h.example/?X-Amz-Signature=beef&b=2": f"https://h.example/?X-Amz-Signature={HIDDEN}&b=2",
    "https://hooks.slack.com/services/T0000/B0000/Zk3vQ9fT7uW1xYb2": f"https://{HIDDEN}",
}


@pytest.mark.parametrize("text", IN_CONTEXT)
def test_what_stands_where_secrets_stand(text: str) -> None:
    assert redact(text) == IN_CONTEXT[text]


INNOCENT = [
    "auto f = [&key=config_value, &token=next_token](int a) { return a; };",
    "for (auto& [key, value] : map) total += value; // https://en.cppreference.com/w/cpp/container/map?key=",
    "int n = sk-number_of_items_in_total;",
    "disk-usage-per-partition-on-2-disks task-1234567890abcdefgh",
    "std::cout << (a ? b : c) << “x://y”; // user@host http://localhost:8080/a@b",
    "ssh://git@github.com/owner/name.git",
    "Authorization: see the standard, bearer certificates and api key: ask your provider",
    "const std::string ASIATICCOUNTRYLISTING; double half_life; enum { AKIA };",
    "api_key = getenv(name); access_token = tokens.next_of_all_tokens();",
    "#define KEY 0x123456789abcdef0",
    hashlib.sha256(b"x").hexdigest(),
    "error 429 for model gpt-5-mini-2025-08-07 in run 20261201-031502-abcdef012345",
    "-----BEGIN CERTIFICATE-----",
]


@pytest.mark.parametrize("text", INNOCENT)
def test_code_and_words_stay(text: str) -> None:
    assert redact(text) == text


def test_no_program_of_ours_holds_what_looks_like_a_secret() -> None:
    programs = [*ROOT.glob("examples/**/*.cpp"), *ROOT.glob("maxcode_lsp/benchmarks/programs/**/*.cpp")]
    assert programs
    changed = [str(file) for file in programs if redact(text := file.read_text(encoding="utf-8")) != text]
    assert changed == []


NUMBERS = itertools.count()


def fresh(prefix: str = "") -> str:
    """A value that no other test hides."""
    return prefix + hashlib.sha256(f"known {next(NUMBERS)}".encode()).hexdigest()[:24]


def test_what_is_known_is_hidden_as_it_is_written() -> None:
    key = f'{fresh()} é"\\/+ &%{fresh()}'
    forms = [
        key,
        urllib.parse.quote(key, safe=""),
        urllib.parse.quote_plus(key),
        json.dumps(key),
        json.dumps(key, ensure_ascii=False),
        repr(key),
        f"Bearer {key}",
    ]
    plain = fresh("plain+&/")
    hide([key, f"  {plain}\n"])
    forms += [urllib.parse.quote(plain), urllib.parse.quote_plus(plain)]
    for form in forms:
        assert re.sub(r"[0-9a-f]{12}", "", redact(f"<{form}>")) == redact(f"<{form}>"), form
    assert redact(f"<{key}>{plain}.") == f"<{HIDDEN}>{HIDDEN}."


@pytest.mark.parametrize("user", ["", "u", "us", "use", "user", "someone@example.org"])
@pytest.mark.parametrize("encode", [base64.b64encode, base64.urlsafe_b64encode])
def test_basic_authentication_is_known(user: str, encode: Any) -> None:
    key = fresh("Passw0rd+")
    hide([key])
    text = encode(f"{user}:{key}".encode()).decode()
    assert HIDDEN in redact(text)
    left = max(redact(text).split(HIDDEN), key=len)
    assert len(left) <= len(user) * 4 // 3 + 8


def test_short_words_and_figures_are_not_hidden() -> None:
    hide(["", "  ", "none", "local", "12345", "123456789", "sk-no-key-required", "not needed", "[secret]", "ab1"])
    text = "none of the local 12345 or 123456789 figures, not needed: sk-no-key-required, ab1, [secret]"
    assert redact(text) == text


def test_a_short_value_is_hidden_only_where_it_stands_alone() -> None:
    hide(["beef42"])
    assert redact("beef42 'beef42' x=beef42, abeef42 beef421 0beef42f") == (
        f"{HIDDEN} '{HIDDEN}' x={HIDDEN}, abeef42 beef421 0beef42f"
    )
    assert json.loads(redact_bytes(json.dumps("a\nbeef42\nb").encode())) == f"a\n{HIDDEN}\nb"


def test_the_environment_and_addresses() -> None:
    key, password, query = fresh("K"), fresh("P@"), fresh("Q")
    environment = {
        "SOME_API_KEY": key,
        "SSH_KEY": "/home/me/.ssh/id_rsa9",
        "HTTPS_PROXY": f"http://me:{urllib.parse.quote(password)}@proxy:3128/?token={query}",
        "MONKEY": "vi42xyz",
        "WATSONX_APIKEY": "apikey-4711-x",
    }
    hide_environment(environment)
    hide_in_address("http://[broken")
    text = f"{key} {password} {urllib.parse.quote(password)} {query} /home/me/.ssh/id_rsa9 vi42xyz apikey-4711-x"
    assert redact(text) == f"{HIDDEN} {HIDDEN} {HIDDEN} {HIDDEN} /home/me/.ssh/id_rsa9 vi42xyz {HIDDEN}"


def test_the_longer_of_two_that_begin_alike() -> None:
    short = fresh()
    hide([short, short + "-longer"])
    assert redact(f"{short}-longer {short}") == f"{HIDDEN} {HIDDEN}"


def test_only_what_is_known() -> None:
    key = fresh()
    hide([key])
    assert redact_known(f"{key} {TOKENS['openai']}") == f"{HIDDEN} {TOKENS['openai']}"


def test_plain_values_keep_what_somebody_goes_by() -> None:
    key = fresh()
    hide([key])
    value = {"text": key, "message": [key, 1, None, {"path": key, "raw": b"x" + key.encode()}], key: 1.5}
    assert redacted(value, frozenset({"text", "path"})) == {
        "text": key,
        "message": [HIDDEN, 1, None, {"path": key, "raw": b"x" + key.encode()}],
        key: 1.5,
    }


PIECES = st.one_of(
    st.sampled_from(
        [*TOKENS.values(), *IN_CONTEXT, *INNOCENT, '"', "\\", "\n", "sk-", "://", "@", "key=", "é", "Bearer "]
    ),
    st.text(st.characters(exclude_categories=()), max_size=8),
)
TEXTS = st.lists(PIECES, max_size=6).map("".join)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(TEXTS)
def test_once_is_enough(text: str) -> None:
    clean = redact(text)
    assert redact(clean) == clean


@given(st.binary(max_size=200))
def test_any_bytes(data: bytes) -> None:
    assert redact_bytes(redact_bytes(data)) == redact_bytes(data)


def written(value: Any, *, ascii_only: bool) -> bytes:
    return json.dumps(value, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")


@given(JSON, st.booleans())
@example({"a": f"x\n{TOKENS['openai']}"}, True)
@example({"a": f"é{TOKENS['openai']}\té"}, True)
@example([f"https://u:é@h/{TOKENS['google']}"], True)
def test_json_stays_json_and_only_texts_change(value: Any, ascii_only: bool) -> None:
    data = written(value, ascii_only=ascii_only)
    try:
        data.decode()
    except UnicodeDecodeError:
        return  # no UTF-8, so no JSON
    clean = json.loads(redact_bytes(data))
    assert same_shape(clean, value)
    assert redacted(clean) == clean


def same_shape(one: Any, other: Any) -> bool:
    """Alike but for what texts say."""
    if isinstance(one, str):
        return isinstance(other, str)
    if isinstance(one, dict) and isinstance(other, dict):
        pairs = zip(cast("dict[str, Any]", one).values(), cast("dict[str, Any]", other).values(), strict=False)
        return all(same_shape(a, b) for a, b in pairs)
    if isinstance(one, list) and isinstance(other, list):
        ones, others = cast("list[Any]", one), cast("list[Any]", other)
        return len(ones) == len(others) and all(map(same_shape, ones, others))
    return one == other


def test_what_is_no_json_is_text() -> None:
    key = TOKENS["openai"]
    assert (
        redact_bytes(f"[12:00] {key}\n{{broken {key}\n".encode()) == f"[12:00] {HIDDEN}\n{{broken {HIDDEN}\n".encode()
    )


def test_numbers_that_python_does_not_read_and_deep_nesting_stay_json() -> None:
    long, key = "9" * 5000, TOKENS["openai"]
    assert redact_bytes(f'[{long},"{key}"]'.encode()) == f'[{long},"{HIDDEN}"]'.encode()
    deep = "[" * 100_000 + f'"{key}"' + "]" * 100_000
    assert redact_bytes(deep.encode()) == deep.replace(key, HIDDEN).encode()


def test_a_number_that_is_a_secret_breaks_no_json() -> None:
    hide(["4711471147114711"])
    assert json.loads(redact_bytes(b'{"n":4711471147114711,"t":"4711471147114711"}')) == {
        "n": 4711471147114711,
        "t": HIDDEN,
    }


@pytest.mark.parametrize(
    "piece",
    [
        "://",
        "sk-a",
        "-----BEGIN PRIVATE KEY-----",
        "authorization: ",
        "a",
        "eyJaaaaaaaa.",
        "://h?&key=",
        "api_key=",
        "@:",
    ],
)
def test_no_text_is_catastrophic(piece: str) -> None:
    """Linear in the text: what would be quadratic does not end within the limit of all tests."""
    text = piece * (400_000 // len(piece))
    assert len(redact(text)) <= len(text) + len(HIDDEN) * text.count("=")


def test_it_is_light() -> None:
    """The server imports it at start."""
    script = (
        "import sys, maxcode_lsp.redaction; "
        "print(*({'msgspec', 'rich', 'asyncio', 'http', 'httpx', 'ssl', 'typing_extensions'} & set(sys.modules)))"
    )
    ended = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ended.stdout.split() == []
