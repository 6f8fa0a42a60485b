"""Formulas written in LaTeX or HTML, turned into plain Unicode that reads well.

`$\\text{CaH}_2$` and `CaH<sub>2</sub>` become CaH₂, `$\\mathrm{Ca^{2+}}$` becomes Ca²⁺,
`\\ce{SO4^2-}` SO₄²⁻, `\\alpha` α. Nothing that carries meaning is dropped: a subscript that
has no Unicode form stays as plain letters (T_c is Tc).
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable

from domain.latex_symbols import ARGUMENT_DROPPED, COMBINING, FONTS, SPACES, SYMBOLS

_SUB = dict(zip("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎", strict=True)) | {"–": "₋"}
_SUB_LETTERS = {"x": "ₓ", "n": "ₙ"}
_SUP = dict(
    zip(
        "0123456789+-−=()abcdefghijklmnoprstuvwxyzIVβγδ",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴵⱽᵝᵞᵟ",
        strict=True,
    )
) | {"–": "⁻", "'": "′", "′": "′", "°": "°"}


def subscript(text: str) -> str:
    """Digits, signs, brackets and the variables x and n as subscripts; other letters as they are.

    "2" is ₂, "0.8" ₀.₈, "1-x" ₁₋ₓ; "c" of T_c has no subscript and stays "c".
    """
    letters = [character for character in text if character.isalpha()]
    table = _SUB | _SUB_LETTERS if all(letter in _SUB_LETTERS for letter in letters) else _SUB
    return "".join(table.get(character, character) for character in text)


def superscript(text: str) -> str:
    """Digits, signs and letters as superscripts; letters only if all of them have that form."""
    table = _SUP
    if any(character.isalpha() and character not in _SUP for character in text):
        table = {key: value for key, value in _SUP.items() if not key.isalpha()}
    return "".join(table.get(character, character) for character in text)


# ---------------------------------------------------------------- HTML

_HTML_SCRIPT = re.compile(r"<(sub|sup)\b[^>]*>(.{0,200}?)</\1\s*>", re.IGNORECASE | re.DOTALL)
_HTML_TAG = re.compile(
    r"</?(?:i|em|b|strong|u|span|small|sc|italic|bold|font|tt|code|a|p|br|inf)(?:\s+[\w:-]+\s*=\s*(?:\"[^\"]*\"|'[^']*'))*\s*/?>",
    re.IGNORECASE,
)


def from_html(text: str) -> str:
    """Plain Unicode of text with inline HTML: `<sub>`, `<sup>`, emphasis, entities."""

    def script(match: re.Match[str]) -> str:
        content = html.unescape(_HTML_TAG.sub("", match[2])).strip()
        return (subscript if match[1].lower() == "sub" else superscript)(content)

    if "<" in text:
        text = _HTML_TAG.sub("", _HTML_SCRIPT.sub(script, text))
    return html.unescape(text) if "&" in text else text


# ---------------------------------------------------------------- LaTeX

# As in pandoc: an opening dollar has no space after it, a closing one no space before and no digit after,
# so "$5 and $10" is money. The converter's habit of "$ x $" is told from that by a command or script in it.
_MATH = re.compile(
    r"\$\$(?P<display>.{1,3000}?)\$\$|\\\[(?P<square>.{1,3000}?)\\\]|\\\((?P<round>.{1,1000}?)\\\)"
    r"|(?<![\\$])\$(?P<inline>(?:\\\$|[^$\n]|\n(?!\n)){1,1000}?)(?<!\\)\$(?!\d)",
    re.DOTALL,
)
_NEEDS_MATH = re.compile(r"[\\^_{}]")
_COMMAND = re.compile(r"\\([A-Za-z]+)\*?|\\(.)", re.DOTALL)
_OPERATOR = "=<>≤≥≈≃≅≡≠∼~+→←↔⇌⟶×±∝≪≫/,;"
_HARD_SPACE = "\x00"


def from_latex(text: str) -> str:
    """Plain Unicode of text with LaTeX: math between dollars or `\\( \\)`, `\\ce{}`, loose commands."""
    if "$" not in text and "\\" not in text:
        return text

    def math(match: re.Match[str]) -> str:
        content = next(group for group in match.groups() if group is not None)
        spaced = content[:1].isspace() or content[-1:].isspace()
        if match["inline"] is not None and spaced and not _NEEDS_MATH.search(content):
            return match[0]
        return _math_to_unicode(content)

    try:
        return _Reader(_MATH.sub(math, text), math=False).read()
    except RecursionError:  # braces hundreds deep are no formula
        return text


def _math_to_unicode(content: str) -> str:
    out = _Reader(content, math=True).read()
    # LaTeX ignores blanks in math; those beside an operator are kept, since they read well
    out = re.sub(rf"(?<![{re.escape(_OPERATOR)}\s])[ \t\n]+(?![{re.escape(_OPERATOR)}\s])", "", out.strip())
    return re.sub(r"\s+", " ", out.replace(_HARD_SPACE, " ")).strip()


class _Reader:
    """Reads LaTeX from left to right. In math `^` and `_` are scripts; in text they are characters."""

    def __init__(self, source: str, *, math: bool) -> None:
        self.source, self.math, self.position = source, math, 0

    def read(self, until: str = "") -> str:
        """Unicode up to the closing character (which is consumed) or the end."""
        out: list[str] = []
        while self.position < len(self.source):
            character = self.source[self.position]
            if until and character == until:
                self.position += 1
                break
            if character == "\\":
                out.append(self._command())
                continue
            self.position += 1
            out.append(self._plain(character))
        return "".join(out)

    def _plain(self, character: str) -> str:
        if not self.math:
            return character
        if character == "{":
            return self.read("}")
        if character in "^_":
            content = self._argument().replace(_HARD_SPACE, "").replace(" ", "")
            return superscript(content) if character == "^" else subscript(content)
        return {"'": "′", "~": _HARD_SPACE, "}": "", "&": " ", "-": "−" if self._is_minus() else "-"}.get(
            character, character
        )

    def _is_minus(self) -> bool:
        """A hyphen in math is a minus, unless it joins letters (`\\mathrm{metal-organic}`)."""
        before, after = self.source[: self.position - 1][-1:], self.source[self.position : self.position + 1]
        return not (before.isalpha() and after.isalpha())

    def _argument(self) -> str:
        """The next group, command or character."""
        while self.position < len(self.source) and self.source[self.position] == " ":
            self.position += 1
        if self.position >= len(self.source):
            return ""
        character = self.source[self.position]
        if character == "\\":
            return self._command()
        self.position += 1
        return self.read("}") if character == "{" else self._plain(character)

    def _raw_group(self) -> str:
        """The text of a braced group as it stands, or an empty string where none follows."""
        match = re.compile(r"\s*\{").match(self.source, self.position)
        if not match:
            return ""
        depth, start = 1, match.end()
        for index in range(start, len(self.source)):
            depth += {"{": 1, "}": -1}.get(self.source[index], 0) if self.source[index - 1] != "\\" else 0
            if depth == 0:
                self.position = index + 1
                return self.source[start:index]
        self.position = len(self.source)
        return self.source[start:]

    def _command(self) -> str:
        match = _COMMAND.match(self.source, self.position)
        if not match:  # a lone backslash at the end
            self.position += 1
            return ""
        self.position = match.end()
        name = match[1]
        if name is None:
            return self._escaped(match[2])
        out = self._named(name)
        if out is None:  # not ours to know
            return "" if self.math else match[0]
        return out

    def _named(self, name: str) -> str | None:
        out: str | None = None
        if name in _HANDLERS:
            out = _HANDLERS[name](self)
        elif name in SYMBOLS:
            self._end_of_name()
            out = SYMBOLS[name]
        elif name in SPACES:
            out = _HARD_SPACE if self.math else " "
        elif name in ARGUMENT_DROPPED:
            self._raw_group()
            out = ""
        elif name in COMBINING:
            out = self._argument() + COMBINING[name]
        elif name in FONTS:
            out = self._font(name)
        return out

    def _end_of_name(self) -> None:
        """In text `{}` or a blank ends a command's name and is not printed; before a word it is kept."""
        if not self.math:
            match = re.compile(r"\{\}| (?=[A-Z0-9({\[-])").match(self.source, self.position)
            self.position = match.end() if match else self.position

    def _escaped(self, character: str) -> str:
        if character in ",;:> ":
            return _HARD_SPACE if self.math else " "
        if character in "!/\n":
            return ""
        if character == "\\":
            return " "
        if character in "[]()" and not self.math:
            return "\\" + character
        return character

    def _font(self, name: str) -> str:
        if not self.math and not re.match(r"\s*\{", self.source[self.position :]):
            return ""
        content = self._raw_group() if re.match(r"\s*\{", self.source[self.position :]) else None
        if content is None:  # {\rm CaH_2}: the rest of the group
            return ""
        keeps_blanks = name.startswith(("text", "mbox", "hbox", "emph")) or not self.math
        if not keeps_blanks:
            return _Reader(content, math=True).read()
        # \text{} is text, but converters put formulas into it: \text{CaH_2}
        inner = _Reader(content, math=self.math).read()
        return inner.replace(" ", _HARD_SPACE) if self.math else inner


def _fraction(reader: _Reader) -> str:
    above, below = reader._argument(), reader._argument()
    return "/".join(
        f"({part})" if re.search(r"[+−/ ]", part) and len(part) > 1 else part for part in (above, below)
    )


def _quantity(reader: _Reader) -> str:
    number, unit = reader._argument(), reader._argument()
    return f"{number}{_HARD_SPACE if reader.math else ' '}{unit}"


def _root(reader: _Reader) -> str:
    content = reader._argument()
    return f"√{content}" if len(content) == 1 else f"√({content})"


def _chemistry(reader: _Reader) -> str:
    out = from_mhchem(reader._raw_group())
    return out.replace(" ", _HARD_SPACE) if reader.math else out


_HANDLERS: dict[str, Callable[[_Reader], str]] = {
    "ce": _chemistry,
    "cf": _chemistry,
    "chemfig": _chemistry,
    "frac": _fraction,
    "dfrac": _fraction,
    "tfrac": _fraction,
    "sfrac": _fraction,
    "SI": _quantity,
    "qty": _quantity,
    "sqrt": _root,
    "textsubscript": lambda reader: subscript(reader._argument()),
    "textsuperscript": lambda reader: superscript(reader._argument()),
    "left": lambda reader: "",
    "right": lambda reader: "",
}


# ---------------------------------------------------------------- mhchem

_ARROWS = (
    ("<=>>", " ⇌ "),
    ("<<=>", " ⇌ "),
    ("<=>", " ⇌ "),
    ("<-->", " ⇄ "),
    ("<->", " ↔ "),
    ("->", " → "),
    ("<-", " ← "),
)
_MHCHEM = re.compile(
    r"(?P<script>[\^_](?:\{[^{}]*\}|[0-9]*[+-]|[0-9]+|\\[A-Za-z]+|.))"
    r"|(?P<count>(?<=[A-Za-z)\]}])\d+(?:\.\d+(?!\d*[HD]2O))?)"
    r"|(?P<charge>(?<=[A-Za-z0-9)\]}])[+-](?=$|[\s)\],;]))"
    r"|(?P<dot>(?<=[A-Za-z0-9)\]])\s*[.*]\s*(?=\d*[A-Z(]))"
    r"|(?P<triple>#)"
)


def from_mhchem(formula: str) -> str:
    """Unicode of the argument of `\\ce`: SO4^2- is SO₄²⁻, 2H2 + O2 -> 2H2O keeps its coefficients."""
    for arrow, sign in _ARROWS:
        formula = re.sub(rf"\s*{re.escape(arrow)}(?:\[[^\]]*\]){{0,2}}\s*", sign, formula)

    def replace(match: re.Match[str]) -> str:
        text = match[0]
        if match["script"]:
            content = _Reader(text[1:].strip("{}"), math=True).read()
            return superscript(content) if text[0] == "^" else subscript(content)
        if match["count"]:
            return subscript(text)
        if match["charge"]:
            return superscript(text)
        return "·" if match["dot"] else "≡"

    plain = _MHCHEM.sub(replace, formula)
    return re.sub(r"\s+", " ", _Reader(plain, math=True).read().replace(_HARD_SPACE, " ")).strip()


# ---------------------------------------------------------------- all of it

_PANDOC = re.compile(r"(?<=[A-Za-z)\]])(?:~([0-9.xn+−–-]{1,6})~|\^([0-9n+−–-]{1,5})\^)")
_SUPERSCRIPT_RUN = r"[⁰¹²³⁴-⁹]{1,3}(?:[,–⁻-]\s?[⁰¹²³⁴-⁹]{1,3})*"
# After a word; after a formula that ends in a subscript (a charge would have its sign); after punctuation.
_CITATION = re.compile(
    r"(?P<name>(?<=[a-z]{4})|(?<=[)\]A-Z][₀-₉])|(?<=[A-Z][a-z][₀-₉]))"
    rf"{_SUPERSCRIPT_RUN}(?=[\s.,;:)]|$)"
    rf"|(?<=[.,;:)]){_SUPERSCRIPT_RUN}(?=\s|$)"
)
_FROM_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789–")


def citations_apart(text: str) -> str:
    """Superscript reference numbers as bracketed ones: "storage¹²,¹³" is "storage [12,13]".

    Otherwise "nanotubes¹²" would be read as a name of its own. Only bare numbers are taken, after a word
    of four small letters, a formula that ends in a subscript, or punctuation: cm², ¹³C, Fe³⁺ and SO₄²⁻
    are left alone.
    """

    def bracket(match: re.Match[str]) -> str:
        numbers = match[0].translate(_FROM_SUPERSCRIPT)
        return f" [{numbers}]" if match["name"] is not None else f"[{numbers}]"

    return _CITATION.sub(bracket, text)


def plain_unicode(text: str) -> str:
    """Text with any of the markups, as plain Unicode; other characters and line breaks stay."""
    text = from_latex(from_html(text))
    text = _PANDOC.sub(lambda match: subscript(match[1]) if match[1] else superscript(match[2]), text)
    return citations_apart(text)
