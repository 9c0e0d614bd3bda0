"""JSON values compared: equality (numbers exact, keys without order), json_schema (validation with an end to every
check), schema_shape (how much work a schema is). Reading JSON text is `ringtrue.jsontext_reader`.
"""
