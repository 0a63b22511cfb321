import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lesson_code.harness.strict import MAX_DEPTH, MAX_DIGITS, can_be_stored, canonical, parse
from tests.support import NOT_STRICT

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize("kind", NOT_STRICT)
def test_what_is_not_understood_to_the_last_byte_is_refused_in_one_sentence(kind: str) -> None:
    with pytest.raises(ValueError) as caught:
        parse(NOT_STRICT[kind])
    assert str(caught.value) and "\n" not in str(caught.value)


def test_a_bom_is_named() -> None:
    with pytest.raises(ValueError, match="BOM"):
        parse(b"\xef\xbb\xbf{}")


def test_a_repeated_key_is_named() -> None:
    with pytest.raises(ValueError, match="turns"):
        parse(b'{"turns": 1, "turns": 2}')


def test_a_break_is_told_by_line_and_column() -> None:
    with pytest.raises(ValueError, match="línea 2, columna 3"):
        parse(b'{"a": 1,\n  x}')


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b' {"a" : [1, 2.5, true, null]}\n', {"a": [1, 2.5, True, None]}),
        ('"ñ 😀"'.encode(), "ñ 😀"),
        (b'"\\u00f1 \\ud83d\\ude00"', "ñ 😀"),
        (b"1e308", 1e308),
        (b"-0.0", -0.0),
        (b"[" * (MAX_DEPTH - 1) + b"7" + b"]" * (MAX_DEPTH - 1), None),
        (b"9" * MAX_DIGITS, int("9" * MAX_DIGITS)),
    ],
)
def test_strict_json_is_read_as_it_is(data: bytes, value: Any) -> None:
    assert value is None or parse(data) == value
    parse(data)


def test_the_digits_and_the_depth_have_the_limits_that_are_written() -> None:
    for data in (b"9" * (MAX_DIGITS + 1), b"[" * (MAX_DEPTH + 2) + b"]" * (MAX_DEPTH + 2)):
        with pytest.raises(ValueError):
            parse(data)


@given(JSON)
def test_what_can_be_stored_comes_back_the_same(value: Any) -> None:
    data = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
    if can_be_stored(value):
        assert parse(data) == value


@pytest.mark.parametrize(
    "value",
    [float("nan"), float("inf"), "a\udcf1", ("a",), {1: "a"}, {"a"}, b"a", object(), 10**1000, 10**9999],
    ids=lambda value: type(value).__name__,
)
def test_what_would_not_come_back_the_same_cannot_be_stored(value: Any) -> None:
    assert not can_be_stored(value) and not can_be_stored([{"a": value}])


def test_what_contains_itself_cannot_be_stored() -> None:
    endless: list[Any] = []
    endless.append(endless)
    assert not can_be_stored(endless)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, 1.0),
        (0, -0.0),
        (100, 1e2),
        (10**22, 1e22),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ({"a": [{"b": 1, "c": 2.0}]}, {"a": [{"c": 2, "b": 1.0}]}),
    ],
)
def test_one_value_has_one_canonical_text(one: Any, other: Any) -> None:
    assert canonical(one) == canonical(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (True, 1),
        (False, 0),
        (True, 1.0),
        (1, "1"),
        (None, False),
        (None, "null"),
        ("", None),
        ([], {}),
        ([1, 2], [2, 1]),
        (1, 1.5),
        ({"a": None}, {}),
        ("ñ", "n\u0303"),
        ({"n": [True]}, {"n": [1]}),
        ("a", "A"),
    ],
)
def test_two_values_have_two_canonical_texts(one: Any, other: Any) -> None:
    assert canonical(one) != canonical(other)


@given(JSON)
def test_going_to_disk_and_back_changes_no_canonical_text(value: Any) -> None:
    assert canonical(json.loads(json.dumps(value))) == canonical(value)
