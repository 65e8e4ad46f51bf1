#!/usr/bin/python3
"""Reads every commit in a store and verifies it with the reader of Tests/Support/decode-commit.py.

    read-store.py STORE TEXT …     each TEXT must be found in what some commit writes
"""
import importlib.util
import pathlib
import sqlite3
import sys
import tempfile

SUPPORT = pathlib.Path(__file__).resolve().parents[1] / "Support"


def the_reader():
    spec = importlib.util.spec_from_file_location("reader", SUPPORT / "decode-commit.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main(store, *texts):
    module = the_reader()
    with tempfile.TemporaryDirectory() as directory:
        reader = module.Reader(module.generated(directory))
    found, last = set(), {}
    rows = sqlite3.connect(f"file:{store}?mode=ro", uri=True).execute(
        "SELECT commit_id, header, signature, clear, operations FROM commits ORDER BY id")
    count = 0
    for commit_id, header, signature, clear, operations in rows:
        count += 1
        commit = reader.messages.Commit(
            header=header, signature=signature, clear=clear, operations=operations)
        module.expect(module.labelled_hash(b"commit", header) == commit_id, "commit id")
        reader.visit(commit)
        parsed = reader.parse("CommitHeader", header)
        space = commit_id if parsed.space_id == module.ZERO else parsed.space_id
        log = (space, parsed.author, parsed.incarnation)
        previous = last.get(log, (0, module.ZERO))
        module.expect(parsed.sequence == previous[0] + 1, "sequence")
        module.expect(parsed.previous == previous[1], "chain of a log")
        last[log] = (parsed.sequence, commit_id)
        found |= {text for text in texts if text.encode() in operations}
    module.expect(count > 0, "the store has no commits")
    module.expect(found == set(texts), f"not found: {set(texts) - found}")
    print(f"{count} commits in {len(last)} logs, {reader.checks} hashes and signatures verified")


if __name__ == "__main__":
    main(*sys.argv[1:])
