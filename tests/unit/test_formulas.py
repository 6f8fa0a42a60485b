"""Formulas in LaTeX and HTML, as papers and converters write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.formulas import (
    citations_apart,
    from_html,
    from_latex,
    from_mhchem,
    plain_unicode,
    subscript,
    superscript,
)
from domain.identity import display_name


@pytest.mark.parametrize(
    ("latex", "plain"),
    [
        (r"$\text{CaH}_2$", "CaH₂"),
        (r"$CaH_2(100)/H_2$", "CaH₂(100)/H₂"),
        (r"$\mathrm{Ca^{2+}}$", "Ca²⁺"),
        (r"$\text{Ca}^{2+}$ and $\text{H}^-$", "Ca²⁺ and H⁻"),
        (r"$T_\text{c}$ of $\text{LaH}_{10}$", "Tc of LaH₁₀"),
        (r"$\text{H}_2^{\delta-}$ dimers", "H₂ᵟ⁻ dimers"),
        (r"$\text{CaH}_2 + \text{H}_2 \leftrightarrow \text{CaH}_4$", "CaH₂ + H₂ ↔ CaH₄"),
        (r"at $P = 40$ GPa and $T = 1500$ K", "at P = 40 GPa and T = 1500 K"),
        (r"$\alpha$-Fe$_2$O$_3$", "α-Fe₂O₃"),
        (r"\alpha-Fe$_2$O$_3$", "α-Fe₂O₃"),
        (r"$\mathrm { C a H } _ { 2 }$", "CaH₂"),
        (r"$[\mathrm{Ru(bpy)_3}]^{2+}$", "[Ru(bpy)₃]²⁺"),
        (r"$^{13}$C and Fe$^{\mathrm{III}}$", "¹³C and Feᴵᴵᴵ"),
        (r"$\mathrm{LiNi_{0.8}Co_{0.1}Mn_{0.1}O_2}$", "LiNi₀.₈Co₀.₁Mn₀.₁O₂"),
        (r"$\mathrm{TiO_{2-x}}$", "TiO₂₋ₓ"),
        (r"10$^{-3}$ mol, 250\,K, 25 $^\circ$C", "10⁻³ mol, 250 K, 25 °C"),
        (r"2,2$'$-bipyridine", "2,2′-bipyridine"),
        (r"$\Delta G^\ddagger$", "ΔG‡"),
        (r"50\% of \textbf{bold} and \emph{slanted}", "50% of bold and slanted"),
        ("costs $5 and $10 more", "costs $5 and $10 more"),
        (r"C:\temp", r"C:\temp"),
        (r"\ce{SO4^2-} and $\ce{2H2 + O2 -> 2H2O}$", "SO₄²⁻ and 2H₂ + O₂ → 2H₂O"),
        (r"H\textsubscript{2}O and Ca\textsuperscript{2+}", "H₂O and Ca²⁺"),
    ],
)
def test_latex(latex: str, plain: str) -> None:
    assert from_latex(latex) == plain


@pytest.mark.parametrize(
    ("mhchem", "plain"),
    [
        ("CuSO4.5H2O", "CuSO₄·5H₂O"),
        ("CuSO4*5H2O", "CuSO₄·5H₂O"),
        ("AgCl2-", "AgCl₂⁻"),
        ("Fe^3+", "Fe³⁺"),
        ("^{13}C", "¹³C"),
        ("[Fe(CN)6]^3-", "[Fe(CN)₆]³⁻"),
        ("N2 + 3H2 <=> 2NH3", "N₂ + 3H₂ ⇌ 2NH₃"),
        ("Cs2CO3", "Cs₂CO₃"),
    ],
)
def test_mhchem(mhchem: str, plain: str) -> None:
    assert from_mhchem(mhchem) == plain


@pytest.mark.parametrize(
    ("html", "plain"),
    [
        ("CO<sub>2</sub>", "CO₂"),
        ("Fe<sup>3+</sup> and SO<SUB>4</SUB><SUP>2&minus;</SUP>", "Fe³⁺ and SO₄²⁻"),
        ("&alpha;-Fe<sub>2</sub>O<sub>3</sub>", "α-Fe₂O₃"),
        ("<i>n</i>-BuLi at &minus;78&nbsp;&deg;C", "n-BuLi at −78\u00a0°C"),
        ("a < b and c > d", "a < b and c > d"),
        ("T<sub>c</sub>", "Tc"),
    ],
)
def test_html(html: str, plain: str) -> None:
    assert from_html(html) == plain


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("hydrogen storage¹,² and", "hydrogen storage [1,2] and"),
        ("nanotubes⁴–⁶.", "nanotubes [4–6]."),
        ("by co-workers.¹² Next", "by co-workers.[12] Next"),
        ("an area of 5 cm² is", "an area of 5 cm² is"),
        ("¹³C and Fe³⁺ ions", "¹³C and Fe³⁺ ions"),
        ("CO₂ rises", "CO₂ rises"),
        ("with Pd(PPh₃)₄¹ in", "with Pd(PPh₃)₄ [1] in"),
        ("made from Cs₂CO₃¹,².", "made from Cs₂CO₃ [1,2]."),
        ("SO₄²⁻ and Hg₂²⁺ ions", "SO₄²⁻ and Hg₂²⁺ ions"),
        ("with x₁² and y", "with x₁² and y"),
    ],
)
def test_reference_numbers_do_not_become_part_of_words(text: str, plain: str) -> None:
    assert citations_apart(text) == plain


def test_scripts() -> None:
    assert subscript("12") == "₁₂"
    assert subscript("max") == "max"
    assert superscript("2−") == "²⁻"
    assert superscript("III") == "ᴵᴵᴵ"


def test_pandoc_scripts() -> None:
    assert plain_unicode("H~2~O and Ca^2+^ at ~50 nm and ~60 nm") == "H₂O and Ca²⁺ at ~50 nm and ~60 nm"


_counts = st.integers(2, 99)
_elements = st.sampled_from(["H", "O", "Fe", "Ca", "Cl", "Na", "C", "N"])


@given(
    st.lists(st.tuples(_elements, _counts), min_size=1, max_size=4), st.sampled_from(["", "+", "2+", "3-"])
)
def test_every_markup_of_a_formula_is_the_same_name(parts: list[tuple[str, int]], charge: str) -> None:
    """LaTeX, mhchem, HTML and Unicode of one formula have one ASCII form, but for what ASCII cannot tell."""
    if charge and len(parts) == 1:
        return  # O2- in ASCII is oxide, while O with two and a minus is superoxide
    latex = "".join(f"{element}_{{{count}}}" for element, count in parts)
    html = "".join(f"{element}<sub>{count}</sub>" for element, count in parts)
    mhchem = "".join(f"{element}{count}" for element, count in parts)
    ascii_form = mhchem + charge
    power = f"^{{{charge}}}" if charge else ""
    assert display_name(from_latex(f"$\\mathrm{{{latex}{power}}}$")) == ascii_form
    assert display_name(from_html(html + (f"<sup>{charge}</sup>" if charge else ""))) == ascii_form
    assert display_name(from_mhchem(mhchem + power)) == ascii_form


@given(st.text(alphabet=st.sampled_from("aH2$\\{}^_ ()[]<>&;~-ce"), max_size=60))
def test_broken_markup_never_raises(text: str) -> None:
    plain_unicode(text)
