#!/usr/bin/env python3
"""Keyed XQF as qipu writes it, read by the Python package `cchess`.

    cargo build --release
    pip install cchess            # in an environment of its own; only for this comparison
    python3 benches/keyed_against_cchess.py [--every N] FOLDER_OR_FILE...

Each input is written by qipu twice: without keys (version 10) and with keys
(all versions of which real files are known). The peer reads both, and what it
reads must agree: start position, every line of the tree, every comment, players
and result. So its limits (illegal moves, big trees) are the same on both sides,
and only the keys are compared. The board and main line are compared with
qipu's own reading, and an input that is XQF itself with what the peer reads of
it (texts but for blanks at their ends). A file that the peer cannot read at all, with keys or
without, is counted apart. Without the package or the binary this says so and
does nothing.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile

STYLES = ("keyed-11", "keyed-12", "keyed-13", "keyed-15", "keyed-16", "keyed")
# The peer's recursive reader never ends on some trees.
SECONDS = 20


class TooSlow(Exception):
    pass


def stop(_signal, _frame):
    raise TooSlow


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
    arguments = sys.argv[1:]
    every = 1
    if arguments[:1] == ["--every"]:
        every, arguments = int(arguments[1]), arguments[2:]
    paths = []
    for given in arguments:
        if os.path.isdir(given):
            for folder, _, names in os.walk(given):
                paths += [os.path.join(folder, name) for name in sorted(names)]
        else:
            paths.append(given)
    paths = paths[::every]
    if not paths:
        print("SKIPPED: name folders or files")
        return 0
    sys.setrecursionlimit(20000)
    signal.signal(signal.SIGALRM, stop)
    count = {"same": 0, "differs": 0, "peer cannot": 0, "refused": 0}
    other_line = other_input = comments = variations = 0
    with tempfile.TemporaryDirectory() as folder:
        plain = os.path.join(folder, "plain.xqf")
        keyed = os.path.join(folder, "keyed.xqf")
        for number, path in enumerate(paths):
            # The versions in turn, the last one for every second file.
            style = STYLES[-1] if number % 2 else STYLES[number // 2 % len(STYLES)]
            if not (convert(qipu, path, plain) and convert(qipu, path, keyed, style)):
                count["refused"] += 1
                continue
            theirs, our_keys = reading(Game, plain), reading(Game, keyed)
            if theirs is None and our_keys is None:
                count["peer cannot"] += 1
                continue
            if theirs != our_keys:
                count["differs"] += 1
                print(f"differs: {path} as {style}")
                continue
            count["same"] += 1
            comments += len(our_keys["comments"])
            variations += len(our_keys["lines"]) - 1
            first = our_keys["lines"][0] if our_keys["lines"] else []
            board, line = our_reading(qipu, path)
            if board != our_keys["board"] or line != first:
                other_line += 1
            if path.lower().endswith(".xqf") and trimmed(reading(Game, path)) != trimmed(our_keys):
                other_input += 1
                print(f"not as in the input: {path}")
    print(", ".join(f"{value} {name}" for name, value in count.items()))
    print(f"{comments} comments and {variations} variations were compared")
    print(f"start and main line other than in qipu's own reading of the input: {other_line}")
    print(f"XQF of which the peer reads something else than of the input: {other_input}")
    return 1 if count["differs"] else 0


def convert(qipu, path, target, style="plain"):
    """Whether qipu wrote the one game of a file."""
    done = subprocess.run(
        [qipu, "convert", path, "--to", "xqf", "--style", style, "-o", target],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    return done.returncode == 0


def our_reading(qipu, path):
    """Board and main line up to the first illegal move."""
    done = subprocess.run(
        [qipu, "show", path, "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False
    )
    game = json.loads(done.stdout.splitlines()[0])
    return game["initial_fen"].split()[0], game["moves"]


def reading(game, path):
    """All that the peer reads of a file; nothing where it gives up."""
    signal.alarm(SECONDS)
    try:
        read = game.read_from(path)
        if read is None:
            return None
        lines, comments = [], [(0, 0, read.annote)] if read.annote else []
        # Each waiting entry is a move and how many moves stand before it.
        waiting, line = [(read.first_move, 0)] if read.first_move else [], []
        while waiting:
            move, ply = waiting.pop()
            del line[ply:]
            while move is not None:
                line.append(move.to_iccs())
                if move.annote:
                    comments.append((len(lines), len(line), move.annote))
                others = [other for other in siblings(move) if other is not move]
                waiting += [(other, len(line) - 1) for other in reversed(others)]
                move = move.next_move
            lines.append(list(line))
        info = {name: read.info.get(name) for name in ("red", "black", "result", "title")}
        board = read.init_board.to_fen().split()[0]
        return {"board": board, "lines": lines, "comments": comments, "info": info}
    except TooSlow:
        return None
    except Exception:
        return None
    finally:
        signal.alarm(0)


def trimmed(reading):
    """Board, lines and comments without blanks at the ends of texts."""
    if reading is None:
        return None
    comments = [(line, ply, text.strip()) for line, ply, text in reading["comments"]]
    return reading["board"], reading["lines"], [one for one in comments if one[2]]


def siblings(move):
    """The alternatives to a move, told once: by the first of them."""
    alternatives = move.get_siblings(include_me=True)
    return alternatives if alternatives[0] is move else []


if __name__ == "__main__":
    sys.exit(main())
