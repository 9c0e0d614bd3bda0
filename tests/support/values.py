"""Right programs whose values are not quite plain, each with a test that plain `exec` says it passes.

`expression | test`: the program is `def f(): return expression` behind the imports that both sides share.
"""

from __future__ import annotations

SHARED = """
import array, datetime, decimal, enum, fractions, ipaddress, itertools, pathlib, types, uuid
from collections import ChainMap, Counter, OrderedDict, UserDict, UserList, UserString, defaultdict, deque, namedtuple
from dataclasses import dataclass
from typing import NamedTuple
"""

OWN = """
class Bad(Exception):
    def __init__(self, code):
        super().__init__("bad")
        self.code = code
class Words(list):
    def total(self):
        return sum(self)
@dataclass
class Point:
    x: int
    y: int
class Shade(str, enum.Enum):
    DARK = "dark"
class Loud(list):
    def __iter__(self):
        return iter(["loud"])
class Shown:
    def __repr__(self):
        return "Shown()"
class Pot:
    def __init__(self):
        self.herb = "mint"
    def __contains__(self, item):
        return item == self.herb
class Color(enum.Enum):
    RED = 1
    GREEN = 2
def fail():
    raise Bad(7)
class Sum(NamedTuple):
    x: int
    def __add__(self, other):
        return Sum(self.x + other.x)
    def __str__(self):
        return f"<{self.x}>"
    def __bool__(self):
        return self.x > 0
class Rank(NamedTuple):
    name: str
    at: int
    def __lt__(self, other):
        return self.at < other.at
class Money(float):
    def __add__(self, other):
        return Money(float(self) + float(other))
    def __str__(self):
        return f"{float(self):.2f} EUR"
class Caseless(str):
    def __eq__(self, other):
        return self.lower() == other.lower()
    __hash__ = str.__hash__
class Access(enum.IntFlag):
    READ = 4
    WRITE = 2
class Triple(tuple):
    _fields = ("a", "b")
class Told(ValueError):
    def __str__(self):
        return f"told {self.args[0]}"
def tell():
    raise Told(3)
def circle():
    error = Bad(1)
    error.me = error.__cause__ = error
    raise error
class Ledger:
    def __init__(self):
        self.lines = []
    def __enter__(self):
        return self
    def __exit__(self, kind, error, trace):
        self.lines.append(str(error) if kind else "kept")
        return kind is KeyError
def inner(pair):
    pair[0].append(9)
    pair[1]["k"] = 1
    return None
def documented():
    "what it does"
def counting():
    yield from range(3)
class Box:
    def __init__(self):
        self.items = []
    def put(self, item):
        self.items.append(item)
        return self
SAME = Point(1, 2)
class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2
class Loudly(str):
    def shout(self):
        return self.upper() + "!"
class Vector(NamedTuple):
    x: int
    y: int
    def length(self):
        return abs(self.x) + abs(self.y)
@dataclass(frozen=True)
class Key:
    a: int
class Equal:
    def __eq__(self, other):
        return True
class Plain:
    def __bytes__(self):
        return b"plain"
def named():
    return lambda level: level.name
def missing():
    raise FileNotFoundError(2, "no", "a.txt")
def wrapped():
    try:
        int("x")
    except ValueError as error:
        raise KeyError(1) from error
HOURS = datetime.timezone(datetime.timedelta(hours=1), "IST")
"""

LINES = """
Counter("aab") | f() == {"a": 2, "b": 1}
Counter("aab") | f().most_common(1) == [("a", 2)]
Counter("aab") | f()["z"] == 0
Counter("aab") | f() + Counter("b") == Counter("aabb")
Counter("aab") | isinstance(f(), Counter)
defaultdict(list, {"a": [1]}) | f() == {"a": [1]}
defaultdict(list, {"a": [1]}) | f()["zz"] == []
defaultdict(int) | f().default_factory is int
defaultdict(lambda: 5) | f()["x"] == 5
OrderedDict([("a", 1), ("b", 2)]) | f() == OrderedDict([("a", 1), ("b", 2)])
OrderedDict([("b", 2), ("a", 1)]) | f() != OrderedDict([("a", 1), ("b", 2)])
OrderedDict([("b", 2), ("a", 1)]) | list(f()) == ["b", "a"]
{"a": 1, "b": 2}.keys() | f() == {"a", "b"}
{"a": 1, "b": 2}.keys() | list(f()) == ["a", "b"]
{"a": 1, "b": 2}.values() | list(f()) == [1, 2]
{"a": 1, "b": 2}.values() | f() != [1, 2]
{"a": 1, "b": 2}.items() | f() == {("a", 1), ("b", 2)}
{"a": 1}.items() | dict(f()) == {"a": 1}
pathlib.Path("/a/b.txt") | f() == pathlib.Path("/a/b.txt")
pathlib.Path("/a/b.txt") | f().suffix == ".txt" and f().name == "b.txt"
pathlib.PurePosixPath("a") / "b" | str(f()) == "a/b"
uuid.UUID(int=5) | f() == uuid.UUID(int=5)
uuid.UUID(int=5) | f().int == 5
ipaddress.ip_address("10.0.0.1") | f() == ipaddress.ip_address("10.0.0.1")
ipaddress.ip_address("::1") | f().is_loopback
ipaddress.ip_network("10.0.0.0/8") | ipaddress.ip_address("10.1.1.1") in f()
array.array("i", [1, 2, 3]) | f() == array.array("i", [1, 2, 3])
array.array("d", [1.5]) | list(f()) == [1.5]
memoryview(b"abc") | f() == b"abc"
slice(1, 5, 2) | f() == slice(1, 5, 2)
slice(1, 3) | [0, 1, 2, 3][f()] == [1, 2]
types.SimpleNamespace(a=1, b=[2]) | f() == types.SimpleNamespace(a=1, b=[2])
types.SimpleNamespace(a=1, b=[2]) | f().b == [2]
types.MappingProxyType({"a": 1}) | f() == {"a": 1}
types.MappingProxyType({"a": 1}) | f()["a"] == 1
datetime.timezone.utc | f() == datetime.timezone.utc
datetime.datetime(2024, 1, 2, tzinfo=datetime.timezone.utc) | f().utcoffset() == datetime.timedelta(0)
datetime.date(2024, 2, 29) | f() + datetime.timedelta(days=1) == datetime.date(2024, 3, 1)
decimal.Decimal("1.10") | f() == decimal.Decimal("1.1")
fractions.Fraction(1, 3) | f() * 3 == 1
deque([1, 2], maxlen=2) | f().maxlen == 2
namedtuple("P", "x y")(1, 2) | f().x == 1 and f() == (1, 2)
bytearray(b"ab") | f() == b"ab"
range(0, 10, 3) | f() == range(0, 10, 3) and 9 in f()
frozenset({1, 2}) | f() == {1, 2}
complex(1, 2) | f() == 1 + 2j
10 ** 5000 | f() == 10 ** 5000
(i * i for i in range(4)) | list(f()) == [0, 1, 4, 9]
zip([1, 2], "ab") | list(f()) == [(1, "a"), (2, "b")]
map(str, [1, 2]) | list(f()) == ["1", "2"]
reversed([1, 2]) | list(f()) == [2, 1]
iter([1, 2]) | next(f()) == 1
Words([1, 2]) | f() == [1, 2] and f().total() == 3
Words([1, 2]) | 2 in f() and 5 not in f()
Point(1, 2) | f().x == 1
SAME | f() is f()
Color.RED | f().name == "RED" and f().value == 1
Box().put(3).put(4) | f().items == [3, 4] and f().put(5).items == [3, 4, 5]
(lambda x: x + 1) | f()(2) == 3
documented | f().__doc__ == "what it does" and f().__name__ == "documented"
counting | list(f()()) == [0, 1, 2] and sum(1 for _ in f()()) == 3
itertools.count(5) | list(itertools.islice(f(), 2)) == [5, 6]
inner | (lambda p: (f()(p), p)[1])(([1], {})) == ([1, 9], {"k": 1})
fail | caught(f()) == ("Bad", 7, "bad")
Shade.DARK | f() == "dark" and f().upper() == "DARK"
Words([1, 2]) | isinstance(f(), list) and not isinstance(f(), dict)
Loud([1, 2]) | f() == [1, 2] and list(f()) == ["loud"]
UserDict(a=1) | f() == {"a": 1} and f()["a"] == 1
UserList([1, 2]) | f() == [1, 2]
UserString("ab") | f() == "ab"
ChainMap({"a": 1}, {"b": 2}) | f() == {"a": 1, "b": 2}
type(None) | f() is type(None) and isinstance(None, f())
NotImplemented | f() is NotImplemented
Shown() | repr(f()) == "Shown()" and repr([f()]) == "[Shown()]"
Level.HIGH | f() == 2 and f().name == "HIGH" and f().value == 2
Level.LOW | f() < 2 and [5, 6][f()] == 6 and type(f()).__name__ == "Level" and f() is f()
(named(), Level.HIGH) | f()[0](f()[1]) == "HIGH"
Level | f().LOW in [1] and isinstance(f()(1), f()) and not isinstance(1, f())
Loudly("ab") | f() == "ab" and f().shout() == "AB!" and "-".join([f(), f()]) == "ab-ab"
Vector(1, -2) | f() == (1, -2) and f().length() == 3 and {(1, -2): 5}[f()] == 5
[Vector(2, 1), Vector(1, 2)] | sorted(f())[0] == (1, 2) and f()[0]._replace(x=9).x == 9
(Vector, Vector(1, 2)) | isinstance(f()[1], f()[0])
[Key(1), Key(1), Key(2)] | len(set(f())) == 2 and {f()[0]: 5}[f()[1]] == 5
{Key(1): "a"} | f() == {key: "a" for key in f()} and len({*f(), *f()}) == 1
Equal() | refused(lambda: {f()})
Plain() | bytes(f()) == b"plain" and type(f()).__name__ == "Plain" and f().__class__.__name__ == "Plain"
Point(1, 2) | not callable(f()) and refused(lambda: f()(1))
len | callable(f()) and f()([1]) == 1
missing | file_of(f()) == (2, "a.txt")
wrapped | cause_of(f()) == "ValueError"
HOURS | f().tzname(None) == "IST"
datetime.datetime(2024, 1, 2, 3, tzinfo=HOURS, fold=1) | f().tzname() == "IST" and f().fold == 1 and f().hour == 3
datetime.time(3, tzinfo=HOURS) | f().tzname() == "IST" and f().hour == 3
namedtuple("P", "x class x", rename=True)(1, 2, 3) | f() == (1, 2, 3) and f()._1 == 2
Level.HIGH | repr(f()) == "<Level.HIGH: 2>" and f"{f()}" == "2"
Shade.DARK | str(f()) == "Shade.DARK" and repr(f()) == "<Shade.DARK: 'dark'>"
Sum(3) | str(f()) == "<3>" and f() + f() == (6,) and f() == (3,) and f()._replace(x=0).x == 0
[Sum(0), Sum(1)] | not f()[0] and bool(f()[1]) and repr(f()[1]) == "Sum(x=1)"
[Rank("a", 3), Rank("b", 1)] | sorted(f())[0].name == "b" and min(f()) == ("b", 1) and "b" in f()[1]
[Money(2), Money(3)] | str(f()[0] + f()[1]) == "5.00 EUR" and f()[0] == 2.0 and f()[0] - 1 == 1
[Caseless("A"), Caseless("a")] | f()[0] == f()[1] and f()[0] == "A" and len({*f()}) == 2
[Access.READ, Access.WRITE] | f()[0] in (f()[0] ^ f()[1]) and f()[0] ^ f()[1] == 6
Triple([1, 2, 3]) | f() == (1, 2, 3)
tell | text_of(f()) == "told 3"
circle | text_of(f()) == "bad"
Ledger() | left(f(), KeyError("a"), True) == ["'a'"] and left(f(), OSError("b"), False) == ["b"]
Pot() | f().herb == "mint" and "mint" in f() and "dill" not in f()
"""

HELPER = """
def caught(call):
    try:
        call()
    except Exception as error:
        return type(error).__name__, error.code, str(error)
def refused(call):
    try:
        call()
    except TypeError as error:
        return True
    return False
def file_of(call):
    try:
        call()
    except FileNotFoundError as error:
        return error.errno, error.filename
def text_of(call):
    try:
        call()
    except Exception as error:
        return str(error)
def left(manager, error, suppressed):
    try:
        with manager:
            raise error
    except type(error):
        assert not suppressed
    else:
        assert suppressed
    return manager.lines
def cause_of(call):
    try:
        call()
    except KeyError as error:
        return type(error.__cause__).__name__
"""

VALUES = [tuple(part.strip() for part in line.split(" | ")) for line in LINES.strip().splitlines()]
