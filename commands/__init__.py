"""The commands, one file a noun. They check words, start jobs, read the graph, and print.

A module imports the rooms it uses inside its functions, so that `catenane --help` is at once.
"""
