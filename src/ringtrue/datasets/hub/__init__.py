"""Datasets of the Hugging Face hub: from a name to rows, from a mirror in a folder or from the hub itself.

origin            where the catalogue's rows are read from: a folder, the hub, the packaged samples
repository        `Repository`, the files of one dataset: mirror (a folder), hub_repository (the hub)
revisions         which commit an unpinned dataset was first resolved to
layout            which files hold a configuration and split
hf_library        the `datasets` library, for formats that only it reads; hf_objects: what it hands over
any_dataset       `hf:ORG/NAME:CONFIG@SPLIT`, a dataset outside the catalogue
row_schema        whether a row has the shape that a benchmark expects
"""
