"""The tables, and which version of them this is."""

from __future__ import annotations

from sqlalchemy import Column, Connection, Float, Index, Integer, MetaData, String, Table, Text, update

VERSION = 5

MIGRATIONS: dict[int, tuple[str, ...]] = {
    2: (
        "ALTER TABLE rows ADD COLUMN dataset VARCHAR(200)",
        "ALTER TABLE rows ADD COLUMN status VARCHAR(8)",
        "ALTER TABLE rows ADD COLUMN value FLOAT",
        "ALTER TABLE runs ADD COLUMN name VARCHAR(200)",
        "ALTER TABLE runs ADD COLUMN outcome TEXT",
    ),
    3: ("ALTER TABLE rows ADD COLUMN reused INTEGER",),
    4: ("ALTER TABLE answers ADD COLUMN run VARCHAR(32)",),
    5: (
        "ALTER TABLE rows ADD COLUMN cost FLOAT",
        "DROP TABLE IF EXISTS row_words",
        "DELETE FROM searches",
        "DELETE FROM searched_rows",
    ),
}
"""What turns the tables of the version before into those of this one; they only ever go forward."""

metadata = MetaData()

facts = Table("ringtrue_facts", metadata, Column("name", String(64), primary_key=True), Column("value", Text))
"""`version` is that of the tables."""

cases = Table("cases", metadata, Column("digest", String(64), primary_key=True), Column("content", Text))

answers = Table(
    "answers",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("output", Text),
    Column("created", Float),
    Column("run", String(32)),
)
"""`run` is the one that asked."""

scores = Table(
    "scores",
    metadata,
    Column("answer_key", String(64), primary_key=True),
    Column("evaluator", String(64), primary_key=True),
    Column("score", Text),
    sqlite_with_rowid=False,
)
"""`evaluator` is the hash of a signature: another setting or version is another score."""

rows = Table(
    "rows",
    metadata,
    Column("run", String(32), primary_key=True),
    Column("system", String(200), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("repeat", Integer, primary_key=True),
    Column("answer_key", String(64)),
    Column("case_digest", String(64)),
    Column("failure", Text),
    Column("unscored", Text),
    Column("dataset", String(200)),
    Column("status", String(8)),
    Column("value", Float),
    Column("reused", Integer),
    Column("cost", Float),
    sqlite_with_rowid=False,
)
"""What went wrong belongs to a run's row, so that a later success takes it away: `failure` is the output of a task that
could not be answered, `unscored` the errors of the evaluators that could not measure, by signature. `status`
and `value` are those of the headline score, for filters and orders; `reused` is 1 for an answer of an earlier run.
`cost` is what the run took the answer to cost: its price may have been unknown when it was asked."""

runs = Table(
    "runs",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("digest", String(64)),
    Column("status", String(16)),
    Column("owner", String(200)),
    Column("created", Float),
    Column("finished", Float),
    Column("config", Text),
    Column("name", String(200)),
    Column("outcome", Text),
    Index("runs_by_digest", "digest"),
)
"""`config` says how a run was made, `outcome` what it came to: summaries, seconds, bill."""

responses = Table(
    "responses", metadata, Column("key", String(64), primary_key=True), Column("reply", Text), Column("created", Float)
)
"""What endpoints said, by the exact request: judged evaluators share it."""

labels = Table(
    "labels",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("subject", String(64)),
    Column("verdict", String(8)),
    Column("grade", Integer),
    Column("comment", Text),
    Column("who", String(200)),
    Column("created", Float),
    Column("run", String(32)),
    Column("undone", Float),
    Index("labels_by_subject", "subject"),
)
"""What people said of answers. `subject` identifies a case and an answer in whatever run they are; the newest label
of a subject that is not undone is the one that counts."""

searches = Table(
    "searches",
    metadata,
    Column("run", String(32), primary_key=True),
    Column("finished", Float),
    Column("first", Integer),
    Column("last", Integer),
)
"""Which runs can be searched: as they were when they finished, under the numbers `first` to `last`."""

searched_rows = Table(
    "searched_rows",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("run", String(32)),
    Column("position", Integer),
    Index("searched_rows_by_place", "run", "position"),
)
"""The rows that can be searched, numbered in the order of their positions; the words are in a table of the database's
own kind (see `text_search`)."""


def migrate(connection: Connection, version: int) -> None:
    """Bring older tables to this version, inside the transaction that keeps other processes out."""
    for number in range(version + 1, VERSION + 1):
        for statement in MIGRATIONS[number]:
            connection.exec_driver_sql(statement)
    if version < VERSION:
        here = update(facts).where(facts.c.name == "version")
        connection.execute(here.values(value=str(VERSION)))
