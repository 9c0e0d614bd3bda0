"""Files of rows: a path or standard input becomes chunks, a chunk becomes rows or problems, in constant memory.

reader        finds the format and cuts the source into chunks; JSONL and JSON itself, the others by
csv_table     CSV and TSV: the separator, the header, the cells
arrow_table   Arrow files and folders of `Dataset.save_to_disk`
chunks        `Chunk`: a piece with its place; parsing it is left to a worker process
whole_file    all rows of a file at once, and `load_jsonl`
config_file   small YAML, TOML and JSON files as plain values
"""
