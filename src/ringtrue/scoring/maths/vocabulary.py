"""The tables of notation: characters, LaTeX commands, function names, words."""

from __future__ import annotations

import re
from fractions import Fraction

_FRACTIONS = {
    "½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅕": "1/5", "⅖": "2/5", "⅗": "3/5", "⅘": "4/5",
    "⅙": "1/6", "⅚": "5/6", "⅐": "1/7", "⅛": "1/8", "⅜": "3/8", "⅝": "5/8", "⅞": "7/8", "⅑": "1/9", "⅒": "1/10",
}  # fmt: skip
_GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ζ": "zeta", "η": "eta", "θ": "theta",
    "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "ρ": "rho", "σ": "sigma", "τ": "tau", "φ": "phi",
    "χ": "chi", "ψ": "psi", "ω": "omega", "Γ": "Gamma", "Δ": "Delta", "Θ": "Theta", "Λ": "Lambda", "Σ": "Sigma",
    "Φ": "Phi", "Ψ": "Psi", "Ω": "Omega", "π": "pi", "Π": "Pi",
}  # fmt: skip
_SIGNS = {
    "−": "-", "‐": "-", "‑": "-", "‒": "-", "–": "-", "×": r"\times ", "✕": r"\times ", "·": "*", "∙": "*", "⋅": "*",
    "∗": "*", "÷": "/", "⁄": "/", "∕": "/", "√": r"\root ", "∛": r"\cuberoot ", "∞": r"\infty ", "≤": r"\le ",
    "≦": r"\le ", "⩽": r"\le ", "≥": r"\ge ", "≧": r"\ge ", "⩾": r"\ge ", "≠": r"\ne ", "≈": r"\approx ",
    "≃": r"\approx ", "≅": r"\approx ", "≡": r"\equiv ", "±": r"\pm ", "∓": r"\mp ", "∪": r"\cup ", "∩": r"\cap ",
    "∖": r"\setminus ", "∈": r"\in ", "∅": r"\emptyset ", "°": r"^\circ ", "º": r"^\circ ", "′": "'", "’": "'",
    "℃": r"^\circ C", "℉": r"^\circ F",
    "⌊": r"\lfloor ", "⌋": r"\rfloor ", "⌈": r"\lceil ", "⌉": r"\rceil ", "⟨": r"\langle ", "⟩": r"\rangle ",
    "〈": r"\langle ", "〉": r"\rangle ", "ℝ": r"\mathbb{R}", "ℤ": r"\mathbb{Z}", "ℚ": r"\mathbb{Q}",
    "ℂ": r"\mathbb{C}", "ℕ": r"\mathbb{N}", "…": r"\ldots ", "⋯": r"\ldots ", "⇒": r"\Rightarrow ", "€": r"\euro ",
    "£": r"\pounds ", "¥": r"\yen ", "￥": r"\yen ", "₹": r"\rupee ", "、": ",", "。": ".", "٪": "%", "٫": ".",
    "٬": ",", "“": '"', "”": '"', "‘": "'", "µ": r"\mu ", "∣": "|", "｡": ".",
}  # fmt: skip
_SPACES = "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_INVISIBLE = (
    "\u00ad\u061c\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2066\u2067\u2068"
    "\u2069\ufeff"
)
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿⁱˣ", "0123456789+-()nix")
_LOWERED = str.maketrans("₀₁₂₃₄₅₆₇₈₉₊₋₍₎ₙₓ", "0123456789+-()nx")
_RAISED_RUN = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿⁱˣ]+")
_LOWERED_RUN = re.compile("[₀₁₂₃₄₅₆₇₈₉₊₋₍₎ₙₓ]+")
_FOREIGN_DIGIT = re.compile(r"[^\D0-9]")
_TABLE: dict[int, str] = {
    **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
    **{ord(space): " " for space in _SPACES},
    **{ord(mark): "" for mark in _INVISIBLE},
    **{ord(sign): written for sign, written in _SIGNS.items()},
    **{ord(letter): rf"\{name} " for letter, name in _GREEK.items()},
    **{ord(sign): rf"\frac{{{value.replace('/', '}{')}}}" for sign, value in _FRACTIONS.items()},
}


def ascii_notation(text: str) -> str:
    """The text with mathematical characters, foreign digits and odd spaces written in ASCII and LaTeX."""
    if text.isascii():
        return text
    text = _RAISED_RUN.sub(lambda run: f"^{{{run[0].translate(_RAISED)}}}", text)
    text = _LOWERED_RUN.sub(lambda run: f"_{{{run[0].translate(_LOWERED)}}}", text)
    text = text.translate(_TABLE)
    return text if text.isascii() else _FOREIGN_DIGIT.sub(lambda digit: str(int(digit[0])), text)


SPACING = frozenset((",", ";", ":", " ", ">", "enspace", "thinspace", "medspace", "thickspace", "nobreakspace", "/"))
_LOOKS = """
    left right middle mathopen mathclose big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr Biggl Biggr displaystyle
    textstyle scriptstyle limits nolimits hfill notag nonumber hline strut null mathbf mathit mathsf mathcal mathnormal
    boldsymbol bm pmb vec hat widehat overrightarrow underline fbox boxed ensuremath ! ( ) [ ]
"""
IGNORED = frozenset(_LOOKS.split())
"""Commands that change the looks of what follows, not what it says."""
_LAYOUT = "color textcolor hspace vspace phantom hphantom vphantom label tag hskip rule"
WITH_ARGUMENT = frozenset(_LAYOUT.split())
"""Commands that are ignored together with their first argument."""
_TEXT = "text mbox hbox textbf textit textrm texttt textsf textnormal textup emph mathrm operatorname mathtt"
UPRIGHT = frozenset(_TEXT.split())
"""Commands whose argument is words."""
OPERATORS = {
    "cdot": "*", "times": "*", "ast": "*", "star": "*", "bullet": "*", "div": "/", "pm": "+-", "mp": "-+", "le": "<=",
    "leq": "<=", "leqslant": "<=", "leqq": "<=", "lt": "<", "ge": ">=", "geq": ">=", "geqslant": ">=", "geqq": ">=",
    "gt": ">", "ne": "!=", "neq": "!=", "approx": "~", "thickapprox": "~", "simeq": "~", "approxeq": "~", "cong": "~",
    "doteq": "~", "equiv": "=", "cup": "union", "bigcup": "union", "cap": "intersection", "bigcap": "intersection",
    "setminus": "difference", "smallsetminus": "difference", "backslash": "difference", "in": "in", "mid": "|",
    "vert": "|", "lvert": "|", "rvert": "|", "Vert": "|", "lVert": "|", "rVert": "|", "|": "|", "colon": ":",
    "lor": "or", "vee": "or", "land": "and", "wedge": "and", "Rightarrow": "=>", "implies": "=>", "therefore": "=>",
    "Longrightarrow": "=>", "%": "%", "&": "and", "_": "_", "\\": "row", "cr": "row", "newline": "row", "prime": "'",
    "ldots": "...", "dots": "...", "cdots": "...", "dotsc": "...", "dotsb": "...", "colonequals": "=", "iff": "=>",
    "Leftrightarrow": "=>",
}  # fmt: skip
BRACKETS = {
    "{": ("open", r"\{"), "}": ("close", r"\}"), "lbrace": ("open", r"\{"), "rbrace": ("close", r"\}"),
    "langle": ("open", "<"), "rangle": ("close", ">"), "lfloor": ("open", "floor"), "rfloor": ("close", "floor"),
    "lceil": ("open", "ceil"), "rceil": ("close", "ceil"), "lbrack": ("open", "["), "rbrack": ("close", "]"),
    "lparen": ("open", "("), "rparen": ("close", ")"),
}  # fmt: skip
CURRENCIES = {
    "$": "dollars", "euro": "euros", "pounds": "pounds", "yen": "yen", "rupee": "rupees", "textdollar": "dollars",
    "texteuro": "euros",
}  # fmt: skip
RENAMED = {
    "dfrac": "frac", "tfrac": "frac", "cfrac": "frac", "sfrac": "frac", "nicefrac": "frac", "dbinom": "binom",
    "tbinom": "binom", "varnothing": "emptyset", "degree": "circ", "textdegree": "circ", "lg": "log10",
    "varepsilon": "epsilon", "vartheta": "theta", "varphi": "phi", "varrho": "rho",
}  # fmt: skip
FUNCTIONS = {
    "sin": "sin", "cos": "cos", "tan": "tan", "cot": "cot", "sec": "sec", "csc": "csc", "arcsin": "arcsin",
    "arccos": "arccos", "arctan": "arctan", "asin": "arcsin", "acos": "arccos", "atan": "arctan", "sinh": "sinh",
    "cosh": "cosh", "tanh": "tanh", "ln": "ln", "log": "log", "log10": "log10", "exp": "exp", "sqrt": "sqrt",
    "root": "sqrt", "cuberoot": "cbrt", "cbrt": "cbrt", "abs": "abs", "floor": "floor", "ceil": "ceil", "gcd": "gcd",
    "lcm": "lcm", "max": "max", "min": "min", "binom": "binom", "cis": "cis", "arccot": "arccot", "cosec": "csc",
    "factorial": "factorial",
}  # fmt: skip
INVERSES = {"sin": "arcsin", "cos": "arccos", "tan": "arctan", "cot": "arccot"}
CONSTANTS = {"pi": "pi", "infty": "infinity", "infinity": "infinity", "inf": "infinity", "oo": "infinity"}
LETTERS = frozenset(name.lower() for name in _GREEK.values()) | frozenset(_GREEK.values())
_COUNTING = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty
"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
NUMBER_WORDS = {word: number for number, word in enumerate(_COUNTING.split())}
NUMBER_WORDS |= {
    f"{tens}{joint}{word}": 10 * place + number
    for place, tens in enumerate(_TENS.split(), 2)
    for number, word in enumerate(["", *_COUNTING.split()[1:10]])
    for joint in ("", "-", " ")
    if bool(joint) == bool(word)
}
SCALES = {
    "percent": Fraction(1, 100), "hundred": Fraction(100), "thousand": Fraction(1_000),
    "million": Fraction(10**6), "billion": Fraction(10**9), "trillion": Fraction(10**12),
}  # fmt: skip
"""Words behind a number that multiply it."""
REALS = r"\mathbb{R}"
ALL_REALS = frozenset(("all real numbers", "all reals", "real numbers", "reals", "all real values"))
NO_SOLUTION = frozenset(
    ("no solution", "no solutions", "no real solution", "no real solutions", "empty set", "the empty set", "none")
)
