"""Sentences about language models."""

from __future__ import annotations

from collections.abc import Sequence

from maxcode_lsp.messages import phrases


def needs_its_model(why: str) -> str:
    return f"{why.removesuffix('.')}. Or run without a model: --model none; in an editor, “none” as maxcode.model."


def critic_not_understood(model: str) -> str:
    return f"The critique of {model} could not be used: it was cut off or is not the list that was asked for."


def opinion_rests_on(model: str, source: str) -> str:
    return f"{model}, resting on: {source}"


def program_too_long(model: str, context_tokens: int) -> str:
    return f"{model} was not asked: with the answer, the program does not fit into its {context_tokens:,} tokens of context. Choose a model with a larger context."


def proposed_without_a_word(model: str) -> str:
    return f"Proposed by {model}, which did not say why."


def library_missing() -> str:
    return "Language models are reached through litellm, which is not installed. Get it with: pip install 'maxcode-lsp[llm]'"


def library_not_trusted(found: str, trusted: str) -> str:
    return f"litellm {phrases.printable(found)[:30]} is installed and only {trusted} is trusted here: attackers published others. Get it with: pip install 'litellm=={trusted}'"


def library_broken(why: str) -> str:
    return f"litellm is installed but cannot be loaded: {phrases.printable(why)[:200]}. Install it again: pip install --force-reinstall 'maxcode-lsp[llm]'"


def proxy_odd(why: str) -> str:
    return f"The proxy in llm.proxy cannot be used: {phrases.printable(why)[:200]}. It looks like “http://proxy.example:3128”."


def ca_odd(file: str, why: str) -> str:
    return f"The authorities in llm.ca cannot be used: {phrases.printable(file)}: {why}. Name a file with certificates in PEM form."


def key_odd(model: str) -> str:
    return f"The key for {model} has a line break or another control character inside, so it is not sent. Copy it anew, as one line."


def key_missing(model: str, looked_for: Sequence[str]) -> str:
    where = " and ".join(looked_for) if looked_for else "the environment"
    return f"{model} needs a key and none was found; looked for: {where}. Set it in the environment or in your editor's secrets."


def key_refused(model: str, address: str, said: str) -> str:
    return f"{address} refused the key for {model}.{_said(said)} Check that it is whole, still valid and may use this model."


def model_unknown(model: str, address: str, said: str) -> str:
    return f"{address} does not know {model}.{_said(said)} Check the name, and the address in api_base if you set one."


def provider_unknown(model: str) -> str:
    return f"“{model}” names no provider that is known. A model is “provider/name”, for example “openai/gpt-5-mini”, or “local”."


def unreachable(model: str, address: str, why: str) -> str:
    return f"{model} cannot be reached at {address}: {phrases.printable(why)[:200]}. Check that the endpoint runs, the network, and llm.proxy."


def not_certified(model: str, address: str, why: str) -> str:
    return f"The certificate of {address}, asked for {model}, is not trusted: {phrases.printable(why)[:200]}. If it is your own, name its authority in llm.ca."


def not_connected(model: str, address: str, limit_s: float) -> str:
    return f"{address} did not take a connection for {model} within {limit_s:g} s. Check the network and llm.proxy, or allow more with llm.connect_s."


def silent(model: str, address: str, limit_s: float) -> str:
    return f"{model} at {address} was silent for {limit_s:g} s, so it was given up. Allow more with llm.read_s, or choose a quicker model."


def never_ending(model: str, address: str, limit_s: float) -> str:
    return f"{model} at {address} was still answering after {limit_s:g} s, so it was given up. Lower llm.answer_tokens, or choose a quicker model."


def rate_limited(model: str, after_s: float | None, said: str) -> str:
    when = "later" if after_s is None or after_s > 86_400 else f"in {after_s:.0f} s"
    return f"{model} has had as many questions as its provider allows.{_said(said)} Try again {when}, or lower llm.at_once."


def quota_used_up(model: str, said: str) -> str:
    return f"The quota for {model} is used up.{_said(said)} Raise it with the provider, or choose another model."


def context_too_small(model: str, said: str) -> str:
    return f"The question is longer than what {model} takes.{_said(said)} If it takes more, set its context_tokens; else choose one that does."


def request_refused(model: str, address: str, status: int, said: str) -> str:
    return (
        f"{address} refused the question for {model} (HTTP {status}).{_said(said)} Check the model's name and api_base."
    )


def sent_elsewhere(model: str, address: str, where: str) -> str:
    return f"{address}, asked for {model}, points to {phrases.printable(where)[:200]}. It is not followed, as your key would go along; set api_base to it if it is right."


def not_an_answer(model: str, address: str, kind: str) -> str:
    what = f" ({phrases.printable(kind)[:60]})" if kind else ""
    return f"What {address} sent for {model} is not a model's answer in a stream{what}. Check api_base; for most endpoints it ends in /v1."


def broken_off(model: str, address: str, why: str) -> str:
    return f"The connection to {model} at {address} broke off, again and again: {phrases.printable(why)[:200]}. Run again later."


def server_failed(model: str, address: str, status: int | None, said: str) -> str:
    how = "with errors of its own" if status is None else f"with errors of its own (HTTP {status})"
    return f"{address} answered {how} when {model} was asked.{_said(said)} Run again later, or choose another model."


def _said(text: str) -> str:
    """What a provider said, in quotes, where it said anything."""
    short = phrases.cut(phrases.printable(" ".join(text.split())), 200)
    return f" It said: “{short}”." if short else ""


def not_askable(model: str, why: str) -> str:
    return f"{model} cannot be asked: litellm refused before anything was sent.{_said(why)} Check its name and its settings."


def answered(model: str, elapsed_s: float, context_tokens: int, cost_usd: float | None) -> str:
    cost = f", {phrases.dollars(cost_usd)}" if cost_usd else ""
    return f"{model} answered in {elapsed_s:.1f} s (context of {phrases.tokens(context_tokens)}{cost})"


def answered_oddly(how: str) -> str:
    return f"its answer to a simple question was not one: {how.replace('_', ' ')}"


def no_answer_in_time(model: str, limit_s: float) -> str:
    return f"{model} did not answer a simple question within {limit_s:.0f} s. Look at what runs its endpoint, or choose a quicker model."


def context_is_small(answer_tokens: int) -> str:
    return f"Its context is small beside answers of up to {phrases.tokens(answer_tokens)}: only short programs fit. Lower llm.answer_tokens, or choose one with a larger context."


def model_is_slow() -> str:
    return (
        "It is slow: few versions come from it in a run. Give runs more time with --seconds, or choose a quicker model."
    )


def name_odd(setting: str, name: str) -> str:
    shown = phrases.printable(name)[:60]
    return f"“{shown}” in {setting} cannot be a model's name. A model is “provider/name”, for example “openai/gpt-5-mini”, or “local”."


def closed(model: str) -> str:
    return f"{model} was not asked any more: the run is over."


def tokens_used_up(most: int, used: int, wanted: int) -> str:
    return f"No more is asked of models: {used:,} of the {most:,} tokens of llm.max_tokens are used, and the next question may take {wanted:,}. Set llm.max_tokens higher to go further."


def money_used_up(most_usd: float, spent_usd: float, wanted_usd: float) -> str:
    may = f", and the next question may cost {phrases.dollars(wanted_usd)}" if wanted_usd else ""
    return f"No more is asked of models: {phrases.dollars(spent_usd)} of the {phrases.dollars(most_usd)} of llm.max_cost_usd are spent{may}. Set llm.max_cost_usd higher to go further."
