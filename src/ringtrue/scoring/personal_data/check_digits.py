"""Check digits: whether a number that people are known by can be one at all.

Every function takes the bare number, ASCII digits and capital letters without separators, of the length it is for.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

_VERHOEFF_PERMUTED = (1, 5, 7, 6, 2, 8, 3, 0, 9, 4)
_FISCAL_ODD = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23)
_VIN_VALUES = dict(zip("ABCDEFGHJKLMNPRSTUVWXYZ0123456789", [*"12345678123457923456789", *range(10)], strict=True))
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)


def luhn(number: str) -> bool:
    """Luhn's sum, every second digit from the right doubled, ends in 0 (cards, Canada's SIN, Sweden's numbers)."""
    doubled = sum(sum(divmod(2 * int(digit), 10)) for digit in number[-2::-2])
    return (doubled + sum(map(int, number[::-2]))) % 10 == 0


def iban(number: str) -> bool:
    """ISO 13616: the account, then country and check digits, letters as 10 to 35, leaves 1 modulo 97."""
    return int("".join(str(int(sign, 36)) for sign in number[4:] + number[:4])) % 97 == 1


def verhoeff(number: str) -> bool:
    """Verhoeff's check over the dihedral group of ten elements comes out neutral (Aadhaar)."""
    check = 0
    for place, digit in enumerate(reversed(number)):
        item = int(digit)
        for _ in range(place % 8):
            item = _VERHOEFF_PERMUTED[item]
        check = _dihedral(check, item)
    return check == 0


def mod_11_10(number: str) -> bool:
    """ISO 7064's hybrid check of digits leaves 1 (Germany's tax id)."""
    check = 10
    for digit in number[:-1]:
        check = ((int(digit) + check) % 10 or 10) * 2 % 11
    return (check + int(number[-1])) % 10 == 1


def weighted_sum_holds(number: str, weights: Sequence[int], modulus: int) -> bool:
    """The digits, each times its weight, add up to a multiple of the modulus."""
    return sum(int(digit) * weight for digit, weight in zip(number, weights, strict=True)) % modulus == 0


def uk_nhs(number: str) -> bool:
    """Ten digits, weights 10 to 1, modulo 11."""
    return weighted_sum_holds(number, range(10, 0, -1), 11)


def nl_bsn(number: str) -> bool:
    """Nine digits, weights 9 to 2 and -1, modulo 11; zeros alone are not a number."""
    return int(number) > 0 and weighted_sum_holds(number, (9, 8, 7, 6, 5, 4, 3, 2, -1), 11)


def pl_pesel(number: str) -> bool:
    """A day of birth, whose month encodes the century, and a weighted sum modulo 10."""
    year, month, day = int(number[:2]), int(number[2:4]), int(number[4:6])
    century = (1900, 2000, 2100, 2200, 1800)[month // 20]
    return is_day(century + year, month % 20, day) and weighted_sum_holds(number, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1), 10)


def fr_nir(number: str) -> bool:
    """Thirteen signs, Corsica's 2A and 2B as 19 and 18, and 97 minus their remainder."""
    body = number[:13].replace("2A", "19").replace("2B", "18")
    return body.isdigit() and 97 - int(body) % 97 == int(number[13:])


def es_dni(number: str) -> bool:
    """Eight digits, or X, Y, Z for the first of them, and the letter of their remainder modulo 23."""
    body = int(str("XYZ".find(number[0])) + number[1:-1]) if number[0] in "XYZ" else int(number[:-1])
    return "TRWAGMYFPDXBNJZSQVHLCKE"[body % 23] == number[-1]


def it_codice_fiscale(number: str) -> bool:
    """Sixteen signs whose last is the letter of a sum that values odd and even places differently."""
    total = 0
    for place, sign in enumerate(number[:15]):
        value = int(sign) if sign.isdigit() else ord(sign) - ord("A")
        total += value if place % 2 else _FISCAL_ODD[value]
    return chr(ord("A") + total % 26) == number[15]


def fi_hetu(number: str) -> bool:
    """A day of birth and, but for the hyphen of 1900, a sign for its century; nine digits modulo 31 as a letter."""
    sign, serial, last = number[6:-4], number[-4:-1], number[-1]
    century = 1800 if sign == "+" else 2000 if "A" <= sign <= "F" else 1900
    born = is_day(century + int(number[4:6]), int(number[2:4]), int(number[:2]))
    return born and "0123456789ABCDEFHJKLMNPRSTUVWXY"[int(number[:6] + serial) % 31] == last


def ie_ppsn(number: str) -> bool:
    """Seven digits, weights 8 to 2, a second letter counting nine times, and the letter of that modulo 23."""
    total = sum(int(digit) * weight for digit, weight in zip(number[:7], range(8, 1, -1), strict=True))
    total += 9 * (ord(number[8]) - ord("@")) if number[8:] not in ("", "W") else 0
    return "WABCDEFGHIJKLMNOPQRSTUV"[total % 23] == number[7]


def se_personnummer(number: str) -> bool:
    """A day of birth, coordination numbers with 60 more, and Luhn's check of the last ten digits."""
    last = number.replace("+", "")[-10:]
    return is_day(2000 + int(last[:2]), int(last[2:4]), int(last[4:6]) % 60) and luhn(last)


def dk_cpr(number: str) -> bool:
    """A day of birth; newer numbers have no check digit."""
    return is_day(2000 + int(number[4:6]), int(number[2:4]), int(number[:2]))


def vin(number: str) -> bool:
    """Seventeen signs whose ninth is the weighted sum modulo 11, X for 10 (North America's rule)."""
    total = sum(int(_VIN_VALUES[sign]) * weight for sign, weight in zip(number, _VIN_WEIGHTS, strict=True))
    return "0123456789X"[total % 11] == number[8]


def gstin(number: str) -> bool:
    """Fifteen signs in base 36, every second one doubled, whose digits add up to a multiple of 36."""
    values = [int(sign, 36) * (1 + place % 2) for place, sign in enumerate(number[:14])]
    return -sum(sum(divmod(value, 36)) for value in values) % 36 == int(number[14], 36)


def npi(number: str) -> bool:
    """Luhn's check of the ten digits behind the prefix of US health cards."""
    return luhn("80840" + number)


def dea(number: str) -> bool:
    """Two letters and seven digits: the odd places and twice the even ones end in the last digit."""
    digits = [int(digit) for digit in number[-7:]]
    return (sum(digits[:6:2]) + 2 * sum(digits[1:6:2])) % 10 == digits[6]


def is_day(year: int, month: int, day: int) -> bool:
    """Whether the calendar has this day."""
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def _dihedral(left: int, right: int) -> int:
    turned = left - right if left > 4 else left + right
    return turned % 5 + 5 * ((left > 4) != (right > 4))
