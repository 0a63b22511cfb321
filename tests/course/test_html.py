"""Markup is made in one place: what somebody else wrote is text there, shortened where it is long, and nothing else."""

import html
import json
import re
from typing import Any

import pytest

from lesson_code.course.html import (
    LIMIT,
    Html,
    bare,
    folded,
    items,
    join,
    label,
    page,
    prose,
    raw,
    table,
    tag,
    text,
)

FOREIGN = {
    "a script": ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
    "an image": ('<img src=x onerror="alert(1)">', "&lt;img src=x onerror=&quot;alert(1)&quot;&gt;"),
    "the end of an element": ("</li></ul><h1>", "&lt;/li&gt;&lt;/ul&gt;&lt;h1&gt;"),
    "a comment": ("<!-- -->", "&lt;!-- --&gt;"),
    "an ampersand": ("a & b", "a &amp; b"),
    "an entity": ("&lt;b&gt;", "&amp;lt;b&amp;gt;"),
    "quotes": ("'a' \"b\"", "&#x27;a&#x27; &quot;b&quot;"),
    "right to left": ("a\u202egpj.exe", "a\\u202egpj.exe"),
    "isolates": ("\u2066a\u2069", "\\u2066a\\u2069"),
    "a lone surrogate": ("a\udcf1\ud83d", "a\\udcf1\\ud83d"),
    "NUL": ("a\x00b", "a\\x00b"),
    "an escape of a terminal": ("\x1b[2J", "\\x1b[2J"),
    "a carriage return": ("a\rb", "a\\rb"),
    "a line separator": ("a\u2028b", "a\\u2028b"),
    "lines": ("a\nb", "a\nb"),
    "emoji": ("listo 👍🏽 👩‍💻 ñ 日本", "listo 👍🏽 👩‍💻 ñ 日本"),
    "Hebrew": ("שלום", "שלום"),
    "a number": (4, "4"),
    "nothing": (None, "None"),
}
foreign = pytest.mark.parametrize("given, shown", FOREIGN.values(), ids=FOREIGN)

MAKERS = {
    "text": text,
    "tag": lambda given: tag("p", given),
    "join": lambda given: join(["a", given]),
    "items": lambda given: items([given]),
    "folded": lambda given: folded("Más", given),
    "page": page,
    "table cell": lambda given: table("Título", ["a", "b"], [["1", given]]),
    "table heading": lambda given: table("Título", ["a", given], [["1", "2"]]),
    "row heading": lambda given: table("Título", ["a", "b"], [[given, "2"]]),
    "caption": lambda given: table(given, ["a", "b"], [["1", "2"]]),
    "summary": lambda given: folded(given, "a"),
}


def plain(markup: str) -> str:
    """What a reader sees of some markup."""
    return html.unescape(re.sub(r"<[^>]*>", "", markup))


@foreign
@pytest.mark.parametrize("maker", MAKERS)
def test_a_text_is_a_text_wherever_it_stands(maker: str, given: object, shown: str) -> None:
    made = MAKERS[maker](given)
    assert isinstance(made, Html)
    assert shown in made
    assert str(made).count("<") == str(MAKERS[maker]("x")).count("<")
    assert made.encode("utf-8")  # a lone surrogate would not go to the browser


@pytest.mark.parametrize("given", [words for words, _ in FOREIGN.values() if isinstance(words, str)], ids=ascii)
@pytest.mark.parametrize("maker", [prose, raw, lambda words: label("same", f"a{words}")], ids=["prose", "raw", "label"])
def test_what_takes_words_takes_no_markup(maker: Any, given: str) -> None:
    made = maker(given)
    assert not re.search(r"<(script|img|h1|/li|!--)", made)
    assert "\x00" not in made and "\u202e" not in made
    assert made.encode("utf-8")


def test_what_is_markup_already_is_not_escaped_again() -> None:
    inner = tag("b", "a & b")
    assert tag("p", inner) == "<p><b>a &amp; b</b></p>"
    assert join([inner, inner], ", ") == f"{inner}, {inner}"
    assert items([inner]) == f"<ul><li>{inner}</li></ul>"
    assert folded("Más", inner) == f"<details><summary>Más</summary>{inner}</details>"
    assert page(page(inner)).count("&amp;") == 1


def test_markup_that_was_put_together_as_text_is_text() -> None:
    """Adding to Html gives a str: nobody escapes half of it by accident."""
    assert "&lt;b&gt;" in tag("p", tag("b", "a") + " y <script>")
    assert "<script>" not in tag("p", tag("b", "a") + " y <script>")


@pytest.mark.parametrize("given", ['a" onclick="alert(1)', "a' b", "<b>", "a & b", "&quot;"])
def test_an_attribute_stays_inside_its_quotes(given: str) -> None:
    made = tag("p", "x", title=given)
    match = re.fullmatch(r'<p title="([^"<>]*)">x</p>', made)
    assert match and html.unescape(match[1]) == given


@pytest.mark.parametrize("given", ["a\udcf1", "a\x00b", "a\u202eb"], ids=ascii)
def test_an_attribute_holds_nothing_that_a_text_may_not_hold(given: str) -> None:
    made = tag("p", "x", title=given)
    assert given[1] not in made
    assert made.encode("utf-8")


def test_an_attribute_is_named_as_in_html_and_left_out_where_it_is_none() -> None:
    assert tag("p", "x", class_="a b", aria_label="c") == '<p class="a b" aria-label="c">x</p>'
    assert tag("p", "x", id=None) == "<p>x</p>"
    assert tag("td", "x", colspan=2) == '<td colspan="2">x</td>'
    assert tag("li", "x", value=0) == '<li value="0">x</li>'


@pytest.mark.parametrize("unit", ["x", "<", "&", "\n", "👍", "\x00"])
def test_a_text_of_a_megabyte_is_shortened_and_its_size_said(unit: str) -> None:
    whole = f"principio{unit * 1_000_000}final"
    made = text(whole)
    assert len(made) < 7 * LIMIT  # an escaped character has six at most
    assert made.startswith("principio") and made.endswith("final")
    assert f"{len(whole)} caracteres" in made
    assert len(plain(made)) <= 4 * LIMIT + 100


@pytest.mark.parametrize("maker", MAKERS)
def test_a_text_of_a_megabyte_is_shortened_wherever_it_stands(maker: str) -> None:
    made = MAKERS[maker]("<" * 1_000_000)
    assert len(made) < 7 * LIMIT
    assert "1000000 caracteres" in made


def test_a_text_that_is_not_too_long_is_whole() -> None:
    assert text("x" * LIMIT) == "x" * LIMIT
    assert text("x" * (LIMIT + 1)) != "x" * (LIMIT + 1)
    assert text("abc", limit=3) == "abc"
    assert text("abcdef", limit=4).startswith("ab\n") and text("abcdef", limit=4).endswith("\nef")


def test_json_is_shown_as_it_is_on_disk() -> None:
    value = {"a": "ñ <b> & 👍", "b": [1, None, True]}
    made = raw(value)
    assert made.startswith("<pre>") and made.endswith("</pre>")
    assert "<b>" not in made
    assert plain(made) == json.dumps(value, ensure_ascii=False, indent=2)


@pytest.mark.parametrize(
    "words, markup",
    [
        ("nada", "nada"),
        ("", ""),
        ("`a`", "<code>a</code>"),
        ("**a**", "<strong>a</strong>"),
        ("Un `a` y **otro**.", "Un <code>a</code> y <strong>otro</strong>."),
        ("`a``b`", "<code>a</code><code>b</code>"),
        ("`<b>`", "<code>&lt;b&gt;</code>"),
        ("**<i>&**", "<strong>&lt;i&gt;&amp;</strong>"),
        ("`a**b**`", "<code>a**b**</code>"),
        ("**a `b`**", "<strong>a <code>b</code></strong>"),
        ("sin `cerrar", "sin `cerrar"),
        ("sin **cerrar", "sin **cerrar"),
        ("2 * 3 * 4", "2 * 3 * 4"),
        ("<`a`>", "&lt;<code>a</code>&gt;"),
    ],
)
def test_a_sentence_of_ours_may_have_code_and_strong_words(words: str, markup: str) -> None:
    assert prose(words) == markup


@pytest.mark.parametrize("words", ["`sin cerrar", "**sin cerrar", "`a``b", "**a****b"])
def test_a_sentence_with_half_a_mark_loses_nothing(words: str) -> None:
    assert plain(prose(words)).replace("`", "").replace("*", "") == bare(words).replace("`", "").replace("*", "")


@pytest.mark.parametrize("words", ["Un `a` y **otro**.", "nada", "`a`**b**"])
def test_a_sentence_says_the_same_without_its_markup(words: str) -> None:
    assert plain(prose(words)) == bare(words)


def test_a_label_says_what_its_colour_means() -> None:
    assert label("same", "= igual") == '<span class="curso-label curso-same">= igual</span>'


@pytest.mark.parametrize("words", ["", " ", "\n\t", "\u00a0"])
def test_a_label_without_words_is_refused(words: str) -> None:
    with pytest.raises(ValueError, match="words"):
        label("same", words)


@pytest.mark.parametrize("meaning", ["", "red", "Same", 'same" onclick="'])
def test_a_label_of_an_unknown_meaning_is_refused(meaning: str) -> None:
    with pytest.raises(ValueError, match="'arrived', 'changed', 'chosen', 'lost', 'same'"):
        label(meaning, "= igual")


def test_a_table_says_what_each_cell_is() -> None:
    made = table("Lo que quedó", ["dónde", "qué"], [["disco", "nada"], ["mundo", "un reporte"]])
    assert made.count("<table>") == made.count("</table>") == 1
    assert made.index("<caption") < made.index("<thead>") < made.index("<tbody>")
    assert re.findall(r'<th scope="(\w+)"[^>]*>([^<]*)</th>', made) == [
        ("col", "dónde"),
        ("col", "qué"),
        ("row", "disco"),
        ("row", "mundo"),
    ]
    assert re.findall(r"<td[^>]*>([^<]*)</td>", made) == ["nada", "un reporte"]


def test_a_page_says_in_which_language_it_is() -> None:
    assert page("hola") == '<div lang="es">hola</div>'
