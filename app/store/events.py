"""The events of a game, as they are stored.

Format 2: one after the other, each an entry of the game's log (two bytes, little-endian; see ``app.engine.replay``) and
the tenths of a second that were played since the event before it, seven bits a byte, the lowest first, with the eighth
bit set where another byte follows. A move takes three bytes, or four after 12.7 seconds.

Format 1: words with spaces between, to be written and read by people: moves as ``9S>2``, and ``undo``, ``redo``,
``restart``. It is only read: a game in it is written anew when it is played on.
"""

from typing import Final

from app.engine import BadMove, DealCode, Deed, EngineError, Game, Move, entry, replay
from app.store.base import Record, StoreDamaged, StoreTooNew

FORMAT: Final = 2
"""What is written."""


def pack(number: int, seconds: float) -> bytes:
    """An event: an entry of the log, and the seconds since the event before it."""
    tenths = max(0, round(seconds * 10))
    packed = bytearray(number.to_bytes(2, "little"))
    while tenths > 127:
        packed.append(tenths & 127 | 128)
        tenths >>= 7
    packed.append(tenths)
    return bytes(packed)


def unpack(events: bytes) -> list[tuple[int, float]]:
    """The inverse of every ``pack``. Raises ValueError for events that are cut off."""
    found: list[tuple[int, float]] = []
    at, end = 0, len(events)
    while at < end:
        if at + 2 >= end:
            raise ValueError("an event is cut off")
        number = events[at] | events[at + 1] << 8
        at += 2
        tenths = shift = 0
        while events[at] > 127:
            tenths |= (events[at] & 127) << shift
            shift += 7
            at += 1
            if at == end:
                raise ValueError("an event is cut off")
        found.append((number, (tenths | events[at] << shift) / 10))
        at += 1
    return found


def game_of(record: Record) -> Game:
    """The game that a record tells. Raises StoreDamaged and StoreTooNew."""
    if record.format > FORMAT:
        raise StoreTooNew(f"game {record.id[:4]}… is of format {record.format}, which a later version wrote")
    try:
        code = DealCode.parse(record.code)
        if record.format == 1:
            game = _replay_words(code, record.events.decode())
        else:
            game = replay(code, [number for number, _ in unpack(record.events)])
    except (EngineError, ValueError) as error:
        raise StoreDamaged(f"game {record.id[:4]}… is damaged: {error}") from None
    if game.rev != record.head.rev:
        raise StoreDamaged(f"game {record.id[:4]}… has {game.rev} events and not {record.head.rev}")
    return game


def _replay_words(code: DealCode, words: str) -> Game:
    game = Game.new(code)
    for word in words.split():
        game, _ = _do(game, word)
    return game


def _do(game: Game, word: str) -> tuple[Game, int]:
    """The game after a deed, and what the log says of it."""
    match word:
        case "undo":
            after, deed = game.undo()[0], Deed.UNDO
        case "redo":
            after, deed = game.redo()[0], Deed.REDO
        case "restart":
            after, deed = game.restart(), Deed.RESTART
        case _:
            try:
                after, deed = game.play(Move.parse(word))[0], Deed.MOVE
            except BadMove:
                raise ValueError(f"not an event: {word[:16]!r}") from None
    return after, entry(deed, after)


def renewed(record: Record) -> bytes:
    """The events of an older record in the format that is written now. Raises StoreDamaged and StoreTooNew."""
    game_of(record)
    if record.format == FORMAT:
        return record.events
    packed = bytearray()
    game = Game.new(DealCode.parse(record.code))
    for word in record.events.decode().split():
        game, number = _do(game, word)
        packed += pack(number, 0.0)
    return bytes(packed)
