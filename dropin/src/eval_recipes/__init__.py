"""eval-recipes' import path, answered by ringtrue."""

from __future__ import annotations

from _ringtrue_dropin import refuse_to_shadow

refuse_to_shadow("eval-recipes")
