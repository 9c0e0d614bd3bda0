"""Options that many commands have."""

from __future__ import annotations

import click

from ringtrue.store.database import DEFAULT

store_option = click.option("--store", default=DEFAULT, show_default=True, metavar="URL", help="Where runs are kept.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
