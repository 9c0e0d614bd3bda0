"""The walls around a program: what each layer is made of, and in which order they go up.

preparation   once per worker, with all rights: namespaces, private_root (shows visible_files), Landlock's rules
    v
walls         in the worker: rlimits, user, landlock, seccomp; in each forked process: time, the last filter
    v
kernel, syscalls: Linux by number      directories: emptied after each program
"""
