"""Plain English words for generated texts; the lists are this project's own."""

from __future__ import annotations

import random
from functools import cache

_NOUNS = (
    "acorn anchor apron arrow badge bakery balcony barrel basket beacon bench blanket bottle bowl bridge broom bucket "
    "button cabin camera candle canoe canvas carpet castle chain chair chalk chimney clock cloud coin comb compass "
    "cottage cradle crane crate curtain desk diary dome door drum engine envelope fence ferry field flag flask flute "
    "forest fork fountain frame garden gate glove granary guitar hammer harbor hat hedge helmet hill hook horn island "
    "jacket jar kettle key kite ladder lake lamp lantern leaf ledger lemon letter library lighthouse lock loom magnet "
    "map market mast meadow medal mill mirror mitten mountain museum nail needle nest notebook oar oven paddle palace "
    "parcel path pebble pencil piano pillow pipe pitcher plank plow pocket pond porch prism pulley pump puzzle quilt "
    "raft rail ribbon river road rocket roof rope rudder saddle sail scale scarf school shed shelf shovel signal "
    "spoon spring stable staircase station statue stool stove stream street tablet teapot telescope tent thread "
    "ticket tower trail train tray trumpet tunnel umbrella valley vase village violin wagon wallet wall watch well "
    "wheel whistle window workshop yard"
)
NOUNS = _NOUNS.split()
_ADJECTIVES = (
    "amber ancient bitter blue bold brave bright brisk broad calm careful cheap cheerful clean clever cloudy cold "
    "common crimson crisp curious damp dark deep distant dry dusty eager early easy elegant empty faint famous fancy "
    "fast fierce final fine firm flat fresh gentle giant glad golden grand grave gray green happy harsh heavy hidden "
    "hollow honest huge humble icy idle jolly keen kind large late lazy light little lively lonely long loud lucky "
    "mellow mild modern narrow neat new noble noisy odd old pale patient plain polite proud pure quick quiet rapid "
    "rare red rich ripe rough round royal rusty salty secret shallow sharp shiny short silent silver simple slim slow "
    "small smooth soft solid sour steady steep stern still strange strong sunny sweet swift tall tame tender thick "
    "thin tidy tiny vast vivid warm weary white wide wild wise wooden young"
)
ADJECTIVES = _ADJECTIVES.split()
_VERBS = (
    "admired borrowed built carried cleaned closed counted crossed described drew examined fetched filled found "
    "followed guarded hid ignored kept lifted measured mended moved noticed opened painted passed placed polished "
    "praised pulled remembered repaired sketched sold studied touched turned visited watched"
)
VERBS = _VERBS.split()
_PEOPLE = "Ada Boris Clara Dmitri Elena Farid Greta Hugo Ines Jonas Kavita Liam Mina Nadia Omar Petra Quinn Rosa"
PEOPLE = _PEOPLE.split()


@cache
def pairs() -> tuple[str, ...]:
    """Every adjective with every noun, `amber-acorn` first."""
    return tuple(f"{adjective}-{noun}" for adjective in ADJECTIVES for noun in NOUNS)


def sentence(chance: random.Random) -> str:
    """A sentence of everyday prose that holds no number."""
    who, other = chance.sample(PEOPLE, 2)
    one, two = (f"the {chance.choice(ADJECTIVES)} {chance.choice(NOUNS)}" for _ in range(2))
    did, too = chance.sample(VERBS, 2)
    shape = chance.randrange(4)
    if shape == 0:
        return f"{who} {did} {one} before {other} {too} {two}."
    if shape == 1:
        return f"Near {one}, {who} {did} {two} and thought of {other}."
    if shape == 2:
        return f"Nobody in the {chance.choice(NOUNS)} knew why {who} {did} {one}, but {other} {too} {two} all the same."
    return f"When {who} {did} {one}, it was already late, and {other} had {too} {two}."
