#!/usr/bin/env python3
"""XQF and CBR files a second: qipu against the Python package `cchess`.

    cargo build --release
    pip install cchess            # in an environment of its own; only for this comparison
    python3 benches/against_cchess.py FOLDER_OR_FILE...

Both read the same files, whole trees and comments, on one core, in the same
run. qipu does more with them: it also plays every move. So that its start does
not count for all, it is given each file many times; the start alone is measured
too and told. Without the package or the binary this says so and does nothing.
"""

import os
import resource
import subprocess
import sys
import time

# The peer gets a share of the files: it needs a tenth of a second for one.
PEER_FILES = 40
# Files that qipu is given in one call, the same ones again and again.
OUR_FILES = 4000


def main():
    try:
        from cchess import Game
    except ImportError:
        print("SKIPPED: the Python package `cchess` is not installed (pip install cchess)")
        return 0
    top = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    qipu = os.environ.get("QIPU", os.path.join(top, "target", "release", "qipu"))
    if not os.path.exists(qipu):
        print("SKIPPED: build qipu first: cargo build --release")
        return 0
    paths = []
    for given in sys.argv[1:]:
        if os.path.isdir(given):
            for folder, _, names in os.walk(given):
                paths += [os.path.join(folder, name) for name in sorted(names)]
        else:
            paths.append(given)
    files = {
        ending: [path for path in paths if path.lower().endswith("." + ending)]
        for ending in ("xqf", "cbr")
    }
    if not any(files.values()):
        print("SKIPPED: name folders or files with .xqf or .cbr")
        return 0
    print("format  files  cchess/s  qipu/s  ratio")
    for ending, found in files.items():
        if not found:
            print(f"{ending}: no file")
            continue
        # Files of all sizes, at even distances.
        step = max(1, len(found) // PEER_FILES)
        files_read = found[::step]
        peer = theirs(Game, files_read)
        ours = our_own(qipu, files_read)
        print(
            f"{ending:6}  {len(files_read):5}  {peer:8.1f}  {ours:6.0f}  {ours / peer:5.0f}"
        )
    return 0


def theirs(game, files):
    """Files a CPU second of the peer; what it cannot read counts as read."""
    devnull = open(os.devnull, "w")
    begin = time.process_time()
    for path in files:
        stdout, sys.stdout = sys.stdout, devnull
        try:
            game.read_from(path)
        except Exception:
            pass
        finally:
            sys.stdout = stdout
    return len(files) / (time.process_time() - begin)


def our_own(qipu, files):
    """Files a CPU second of qipu, all threads together, its start left out."""

    def used():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    def cpu(arguments):
        before = used()
        subprocess.run(
            [qipu, "check", *arguments],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
        return used() - before

    start = min(cpu(files[:1]) for _ in range(3))
    rounds = max(1, OUR_FILES // len(files))
    many = cpu(files * rounds)
    return len(files) * rounds / max(many - start, 1e-3)


if __name__ == "__main__":
    sys.exit(main())
