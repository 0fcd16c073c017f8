#!/usr/bin/env python3
"""Opening books with real keys, read by qipu, which does not know the numbers
behind the keys.

    cargo build --release
    pip install cchess            # in an environment of its own; only for this comparison
    python3 benches/book_against_cchess.py [--plies N] [--games N] FOLDER_OR_FILE...

The games of the inputs, as qipu reads them, are made into a book (table
`bhobk`) whose keys the Python package `cchess` computes: it has the random
numbers of the program that writes such books. qipu tells the positions from
the keys alone; each row that it puts into its tree must stand under the
position whose key the peer computes. Without the package or the binary this
says so and does nothing.
"""

import json
import os
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time


def main():
    try:
        from cchess import ChessBoard
    except ImportError:
        print("SKIPPED: the Python package `cchess` is not installed (pip install cchess)")
        return 0
    top = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    qipu = os.environ.get("QIPU", os.path.join(top, "target", "release", "qipu"))
    if not os.path.exists(qipu):
        print("SKIPPED: build qipu first: cargo build --release")
        return 0
    plies, most, paths = 20, 2000, sys.argv[1:]
    while paths[:1] and paths[0] in ("--plies", "--games"):
        if paths[0] == "--plies":
            plies = int(paths[1])
        else:
            most = int(paths[1])
        paths = paths[2:]
    if not paths:
        print("SKIPPED: name folders or files of games")
        return 0
    keys = Keys(ChessBoard())
    truth = {}
    for game in games(qipu, paths, most):
        board = start()
        for mv in game[:plies]:
            if stays(keys.of(board)):
                truth.setdefault((keys.of(board), mv), 0)
                truth[keys.of(board), mv] += 1
            board = played(board, mv)
    with tempfile.TemporaryDirectory() as folder:
        book = os.path.join(folder, "book.obk")
        write(book, truth)
        begin = time.time()
        done = subprocess.run(
            [qipu, "convert", book, "--to", "jsonl"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            check=True,
        )
        seconds = time.time() - begin
    game = json.loads(done.stdout)
    right, wrong, left, unknown = compare(game, truth, keys)
    positions = len({key for key, _ in truth})
    print(f"{len(truth)} rows of {positions} positions, read in {seconds:.1f} s")
    print(f"in the tree: {right} right, {wrong} wrong; as remarks: {left}; unknown: {unknown}")
    return 1 if wrong or unknown or right + left != len(truth) else 0


def number(key):
    """The floating-point number of the same bits."""
    return struct.unpack("<d", struct.pack("<Q", key))[0]


def stays(key):
    """Whether SQLite keeps the bits: a floating-point number that is a whole
    number of 64 bits becomes one, and what is no number becomes nothing."""
    real = number(key)
    return key < 1 << 63 or real < -1e19 or (real == real and not real.is_integer())


class Keys:
    """Keys of boards, computed once each."""

    def __init__(self, board):
        self.board, self.known = board, {}

    def of(self, board):
        if board not in self.known:
            self.known[board] = self.board.zhash(fen(board)) & (1 << 64) - 1
        return self.known[board]


def start():
    rows = "RNBAKABNR/........./.C.....C./P.P.P.P.P/........./........./p.p.p.p.p/.c.....c./........./rnbakabnr"
    return rows.replace("/", "") + "w"


def fen(board):
    rows = [board[9 * rank : 9 * rank + 9] for rank in range(9, -1, -1)]
    text = "/".join(rows)
    for run in range(9, 0, -1):
        text = text.replace("." * run, str(run))
    return f"{text} {board[90]}"


def played(board, mv):
    men = list(board)
    source, target = (ord(mv[at]) - 97 + 9 * int(mv[at + 1]) for at in (0, 2))
    men[target], men[source] = men[source], "."
    men[90] = "b" if men[90] == "w" else "w"
    return "".join(men)


def games(qipu, paths, most):
    """Main lines from the normal start."""
    done = subprocess.Popen(
        [qipu, "check", "--json", *paths], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    normal = fen(start()).split()[0]
    found = 0
    for line in done.stdout:
        game = json.loads(line)
        moves = game.get("moves", [])
        if game.get("initial_fen", "").split()[:2] == [normal, "w"] and "--" not in moves:
            yield moves
            found += 1
            if found >= most:
                done.terminate()
                return


def write(path, rows):
    database = sqlite3.connect(path)
    database.execute(
        "CREATE TABLE bhobk (id INTEGER PRIMARY KEY, vkey INTEGER, vmove INTEGER, vscore INTEGER, "
        "vwin INTEGER, vdraw INTEGER, vlost INTEGER, vvalid INTEGER, vmemo TEXT, vindex INTEGER)"
    )
    square = lambda name: 0x33 + 16 * (9 - int(name[1])) + ord(name[0]) - 97
    for (key, mv), count in sorted(rows.items()):
        # The highest bit makes it a floating-point number of the same bits.
        value = key if key < 1 << 63 else number(key)
        code = square(mv[:2]) << 8 | square(mv[2:])
        database.execute(
            "INSERT INTO bhobk VALUES (NULL, ?, ?, ?, 0, 0, 0, 1, '', NULL)", (value, code, count)
        )
    database.commit()
    database.close()


def compare(game, truth, keys):
    """Rows in the tree under the right and a wrong key, rows as remarks, and
    rows that are none of the book."""
    # Moves are numbered as they stand: the main line, then the branches.
    boards, nodes = {0: start()}, {}
    lines = [(0, game["moves"])]
    lines += [(branch["after"], branch["moves"]) for branch in game.get("branches", [])]
    right = wrong = left = unknown = 0
    number = 0
    for at, line in lines:
        for mv in line:
            number += 1
            nodes[number] = (at, mv)
            boards[number] = played(boards[at], mv)
            at = number
    for remark in game.get("remarks", []):
        for text in remark["text"].splitlines():
            words = dict(word.split("=", 1) for word in text.split() if "=" in word)
            key = int(words["key"], 16) if words["key"].startswith("0x") else None
            if remark["node"] == 0:
                left += 1
                unknown += key is not None and (key, words.get("move")) not in truth
                continue
            parent, mv = nodes[remark["node"]]
            if keys.of(boards[parent]) == key and (key, mv) in truth:
                right += 1
            else:
                wrong += 1
    return right, wrong, left, unknown


if __name__ == "__main__":
    sys.exit(main())
