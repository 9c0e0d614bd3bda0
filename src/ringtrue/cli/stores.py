"""The option every command on stored runs has."""

from __future__ import annotations

import click

from ringtrue.store.database import DEFAULT

store_option = click.option("--store", default=DEFAULT, show_default=True, metavar="URL", help="Where runs are kept.")
