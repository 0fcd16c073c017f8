#!/usr/bin/env python3
"""qipu against the Python packages `cchess` and `pyffish`.

    cargo build --release
    pip install cchess pyffish    # in an environment of its own; only for this comparison
    python3 benches/against_peers.py FOLDER_OR_FILE...

Of the files named:

* XQF and CBR: files a second, both reading whole trees and comments. qipu does
  more with them: it also plays every move.
* Chinese PGN in UTF-8: moves a second. cchess reads and replays the first 200
  games, each from a file of its own; qipu imports the whole file, with the
  position index, into a new database that keeps no originals.
* the same PGN: moves a second of validated replay. pyffish gets the first 2,000
  games as lists of moves, one call a game; qipu checks a PGN of the same
  games in ICCS. Both must refuse a game whose last move is illegal.

All in processor seconds of all threads, in the same run. So that the start of
qipu does not count for all, it is given small files many times; the start alone
is measured, too. A package that is missing is said to be, and left out.
"""

import json
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time

# The peer gets a share of the files: it needs a tenth of a second for one.
PEER_FILES = 40
# Files that qipu is given in one call, the same ones again and again.
OUR_FILES = 4000
# Games that cchess reads, and that pyffish replays.
CCHESS_GAMES = 200
PYFFISH_GAMES = 2000
# Each figure is the median of so many.
TURNS = 3


def main():
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

    def of(ending):
        return [path for path in paths if path.lower().endswith("." + ending)]

    try:
        from cchess import Game
    except ImportError:
        Game = None
        print("SKIPPED: the Python package `cchess` is not installed (pip install cchess)")
    if Game:
        for ending in ("xqf", "cbr"):
            if of(ending):
                files(qipu, Game, ending, of(ending))
    with tempfile.TemporaryDirectory() as folder:
        for path in of("pgn"):
            games = split(path)
            if Game:
                whole_import(qipu, Game, path, games, folder)
            replay(qipu, games, folder)
    return 0


def files(qipu, game, ending, found):
    """Files a second."""
    # Files of all sizes, at even distances.
    step = max(1, len(found) // PEER_FILES)
    files_read = found[::step]
    rounds = max(1, OUR_FILES // len(files_read))
    peer = len(files_read) / seconds(lambda: [theirs(game, path) for path in files_read])
    start = min(cpu(qipu, "check", files_read[0]) for _ in range(3))
    many = cpu(qipu, "check", *files_read * rounds)
    ours = len(files_read) * rounds / max(many - start, 1e-3)
    tell(f"{ending}, {len(files_read)} files", "files", "cchess", peer, ours)


def theirs(game, path):
    """Half-moves of the main line as the peer reads it."""
    stdout, sys.stdout = sys.stdout, open(os.devnull, "w")
    try:
        move, number = game.read_from(path).first_move, 0
        while move is not None:
            number, move = number + 1, move.next_move
        return number
    except Exception:
        return 0
    finally:
        sys.stdout.close()
        sys.stdout = stdout


def split(path):
    """The games of a PGN, as text."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    head = text[: text.find("\n")].split(" ")[0]
    return [head + game for game in text.split("\n" + head)] if head else []


def whole_import(qipu, game, path, games, folder):
    """The whole import against reading and replaying."""
    singles = []
    for number, text in enumerate(games[:CCHESS_GAMES]):
        singles.append(os.path.join(folder, f"{number}.pgn"))
        with open(singles[-1], "w", encoding="utf-8") as file:
            file.write(text)
    read = []
    peer, ours = [], []
    for _ in range(TURNS):
        used = seconds(lambda: read.append(sum(theirs(game, path) for path in singles)))
        peer.append(read[-1] / used)
        database = os.path.join(folder, "games.db")
        if os.path.exists(database):
            os.remove(database)
        used = cpu(qipu, "import", "--db", database, "--no-originals", "--workers", "1", path)
        with sqlite3.connect(database) as connection:
            (plies,) = connection.execute("SELECT sum(plies) FROM game").fetchone()
        ours.append(plies / used)
    tell(f"whole import, {len(games)} games", "moves", "cchess", median(peer), median(ours))


def replay(qipu, games, folder):
    """Validated replay."""
    try:
        import pyffish
    except ImportError:
        print("SKIPPED: the Python package `pyffish` is not installed (pip install pyffish)")
        return
    source = os.path.join(folder, "first.pgn")
    with open(source, "w", encoding="utf-8") as file:
        file.write("\n".join(games[:PYFFISH_GAMES]) + "\n")
    done = subprocess.run(
        [qipu, "convert", "--to", "jsonl", source], capture_output=True, check=False
    )
    lines = []
    for line in done.stdout.decode().splitlines():
        moves = json.loads(line)["moves"]
        if "--" not in moves:
            lines.append(moves)
    start = pyffish.start_fen("xiangqi")

    def legal(moves):
        # The peer counts ranks from one.
        try:
            pyffish.get_fen("xiangqi", start, moves)
            return True
        except (ValueError, SystemError):
            return False

    lists = [[one_based(move) for move in moves] for moves in lines]
    # A king that jumps over the board.
    assert all(map(legal, lists)), "the peer refuses a game that is legal"
    assert not any(legal([*moves[:-1], "e1e9"]) for moves in lists[:100])
    same = os.path.join(folder, "iccs.pgn")
    with open(same, "w", encoding="utf-8") as file:
        for moves in lines:
            words = [f"{move[:2]}-{move[2:]}".upper() for move in moves]
            rounds = (f"{i // 2 + 1}. {' '.join(words[i : i + 2])}" for i in range(0, len(words), 2))
            file.write('[Game "Chinese Chess"]\n[Format "ICCS"]\n\n' + "\n".join(rounds) + "\n*\n\n")
    checked = subprocess.run(
        [qipu, "check", same], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False
    )
    assert checked.returncode == 0, "qipu refuses a game that is legal"
    plies = sum(map(len, lines))
    peer, ours = [], []
    for _ in range(TURNS):
        peer.append(plies / seconds(lambda: [legal(moves) for moves in lists]))
        begin = cpu(qipu, "check", os.devnull)
        # Ten times, as the clock counts in hundredths.
        ours.append(10 * plies / max(cpu(qipu, "check", *[same] * 10) - begin, 1e-3))
    tell(f"replay, {len(lines)} games", "moves", "pyffish", median(peer), median(ours))


def one_based(move):
    """A move with ranks from one to ten."""
    return f"{move[0]}{int(move[1]) + 1}{move[2]}{int(move[3]) + 1}"


def seconds(work):
    """Processor seconds of this process."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


def cpu(*command):
    """Processor seconds of another program, all its threads together."""

    def used():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    before = used()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return used() - before


def median(numbers):
    return sorted(numbers)[len(numbers) // 2]


def tell(what, unit, name, peer, ours):
    print(f"{what}: {name} {peer:.1f} {unit}/s, qipu {ours:.0f} {unit}/s, {ours / peer:.0f} times")


if __name__ == "__main__":
    sys.exit(main())
