"""Sentences for codes: one for each, in each language, whatever the parameters are."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dealer
from dealer.words import LANGUAGES, Words, sentence
from dealer.words.filling import choose, fields, fit
from dealer.words.language import read

CODES = Path(__file__).with_name("codes.txt").read_text(encoding="utf-8").split()
"""Every code of the glossary, section 6, then those of the doors."""
SOURCES = Path(dealer.__file__).parent

ANYTHING = st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.text() | st.integers())


def patterns_of(lang: str, code: str) -> tuple[str, ...]:
    """The patterns of a code, from the fullest on."""
    found = read(lang).refusals[code]
    return (found,) if isinstance(found, str) else found


def refusals_in(tree: ast.AST) -> Iterator[ast.expr]:
    """The first argument of every `Refusal(...)` in a source."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args:
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name == "Refusal":
                yield node.args[0]


def codes_in(source: str) -> Iterator[str]:
    """The codes a source refuses with; of a made-up one its fixed beginning and `*`."""
    for argument in refusals_in(ast.parse(source)):
        if isinstance(argument, ast.JoinedStr):
            first = argument.values[0]
            yield f"{first.value!s}*" if isinstance(first, ast.Constant) else "*"
            continue
        for node in ast.walk(argument):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_codes_are_those_of_the_glossary(lang: str) -> None:
    """Every code of the glossary's section 6 and of the doors has its sentence, and there is no other."""
    assert sorted(read(lang).refusals) == sorted(CODES)


def test_the_scan_finds_what_it_looks_for() -> None:
    """The scan of the sources sees plain, conditional and made-up codes."""
    source = 'Refusal("a")\nx.Refusal("b" if y else "c", {"d": 1})\nRefusal(f"table_{s}")\nOther("e")'
    assert list(codes_in(source)) == ["a", "b", "c", "table_*"]


def test_every_code_of_the_sources_has_a_sentence() -> None:
    """No refusal leaves the house without words: each `Refusal("...")` under dealer/ is known."""
    used = {code for path in SOURCES.rglob("*.py") for code in codes_in(path.read_text(encoding="utf-8"))}
    assert "wrong_phase" in used
    plain = {code for code in used if not code.endswith("*")}
    assert plain - set(CODES) == set()
    for made_up in used - plain:
        assert any(code.startswith(made_up[:-1]) for code in CODES), made_up


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("code", CODES)
def test_every_sentence_is_one(lang: str, code: str) -> None:
    """A sentence ends as one, and its last form asks for no parameter, so it can always be said."""
    patterns = patterns_of(lang, code)
    assert all(pattern.endswith(".") for pattern in patterns)
    assert [bool(fields(pattern)) for pattern in patterns] == [True] * (len(patterns) - 1) + [False]
    assert sentence(code, None, lang) == patterns[-1]


@pytest.mark.parametrize("code", CODES)
def test_languages_ask_for_the_same_parameters(code: str) -> None:
    """What one language can say of a refusal the others can say too."""
    asked = {lang: [fields(pattern) for pattern in patterns_of(lang, code)] for lang in LANGUAGES}
    assert len({str([sorted(names) for names in each]) for each in asked.values()}) == 1


@given(
    st.sampled_from(CODES) | st.text(),
    st.dictionaries(
        st.sampled_from(["min", "max", "phase", "seat", "stack", "option"]) | st.text(), ANYTHING
    ),
    st.sampled_from(LANGUAGES),
)
def test_no_parameter_breaks_a_sentence(code: str, params: dict[str, object], lang: str) -> None:
    """Whatever came along, there is a sentence, on one line, without control characters or open brackets."""
    said = sentence(code, params, lang)
    assert said.endswith(".")
    assert said.isprintable()
    assert not {"{", "}", "<", "\x1b"} & set(said)


@pytest.mark.parametrize(
    ("lang", "code", "params", "said"),
    [
        ("en", "stake_below_minimum", {"min": 12500}, "The smallest stake is 12,500."),
        ("es", "stake_below_minimum", {"min": 12500}, "La postura mínima es 12.500."),
        ("es", "wrong_phase", {"phase": "speak_left"}, "Ahora no: habla el paño izquierdo."),
        ("ca", "stake_below_minimum", {"min": 12500}, "L'aposta mínima és de 12.500."),
        ("ca", "wrong_phase", {"phase": "speak_left"}, "Ara no: parla el tapet esquerre."),
        ("en", "wrong_phase", {"phase": "nap"}, "That cannot be done at this point of the round."),
        ("en", "no_such_seat", {"seat": 1001}, "This table has no seat 1001."),
        ("es", "seat_taken", {"seat": "D1"}, "El asiento D1 está ocupado."),
        ("en", "options_conflict", {"options": ["a", "b"]}, "These options do not go together: a, b."),
        ("en", "option_unknown", {"option": "no such\n"}, "There is no such option."),
        ("en", "insufficient_chips", {"stack": True}, "You do not have that many chips."),
        ("en", "cut_out_of_range", {"min": 10}, "The shoe cannot be cut there."),
        ("en", "of_another_age", {}, "That cannot be done now."),
    ],
)
def test_parameters_are_put_in(lang: str, code: str, params: dict[str, object], said: str) -> None:
    """Whole numbers, short ids and phases are put into words; anything else is left unsaid (design 8)."""
    assert sentence(code, params, lang) == said
    assert Words(lang).sentence(code, params) == said


def test_an_amount_of_nothing_is_said() -> None:
    """Nought chips is a number like any other."""
    assert sentence("insufficient_chips", {"stack": 0}, "en") == "You have only 0 chips for that."


def test_a_value_is_never_a_pattern() -> None:
    """What stands in brackets within a parameter is not looked up again."""
    assert fit("option", "{min}", ",") == ""
    assert choose(("{a}.", "-."), {"a": "{b}", "b": "x"}) == "{b}."


def test_no_such_language() -> None:
    """A language without a file is named as such, with those there are."""
    with pytest.raises(ValueError, match=r"'fr'.*en, es, ca$"):
        sentence("malformed", None, "fr")
