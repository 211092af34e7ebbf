"""Sentences about the game, in the player's language."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from app.advice import Hinted, Judged, Status, Traced, Verdict
from app.engine import Board, Card, Change, Move, Place, Reason
from app.service import Denied, Session
from app.web.i18n import N_, Language

RULES: Final[Mapping[str, str]] = {"C": N_("Classic"), "R": N_("Relaxed"), "T": N_("Traditional")}

BAD_CODE: Final[Mapping[str, str]] = {
    "too_long": N_("That is too long for a deal code. One looks like YU1-C-ABFHTIL."),
    "version": N_("This deal code is of a version that is not known here. Those that are begin with YU1."),
    "rule": N_("This deal code names no rule that is known here: the letter after YU1 is C, R or T."),
    "length": N_("A deal code ends in seven letters or digits, like YU1-C-ABFHTIL."),
    "letters": N_(
        "The last part of a deal code has only the letters A to Z and the digits 2 to 7, like YU1-C-ABFHTIL."
    ),
}

FAILURES: Final[Mapping[str, tuple[str, str]]] = {
    "invalid": (N_("Not understood"), N_("That request makes no sense here. Nothing was changed.")),
    "not_found": (N_("Not found"), N_("There is nothing at this address.")),
    "no_game": (N_("No such game"), N_("There is no game with this id.")),
    "bad_code": (N_("No such deal"), N_("That is no deal code.")),
    "method": (N_("Not possible"), N_("That can't be done at this address.")),
    "too_large": (N_("Too large"), N_("That is more than can be taken here. Nothing was changed.")),
    "refused": (N_("Not allowed"), N_("The rules don't allow that. Nothing was changed.")),
    "stale": (N_("Out of date"), N_("The board had changed in the meantime. This is how it is now.")),
    # Whether anything was changed nobody knows then: the answer may have got lost after the change was stored.
    "store_away": (
        N_("Not available"),
        N_("The games can't be reached just now. Please try again in a moment."),
    ),
    "store_broken": (N_("Not available"), N_("No games can be kept just now. Nothing was changed.")),
    "crowded": (N_("Not available"), N_("There are too many here at once just now. Please try again in a moment.")),
    "none_certified": (
        N_("Not available"),
        N_("No deal was found just now that can certainly be won. Please try again in a moment."),
    ),
    "wrong_host": (N_("Wrong address"), N_("This server isn't known under that name.")),
    "cross_site": (
        N_("Not from here"),
        N_("Another site asked for that, so nothing was changed. Please do it on this site's own page."),
    ),
    "too_many": (N_("Too many requests"), N_("That was more than one may ask for at once. Nothing was changed.")),
    "game_too_long": (N_("Too long"), N_("This game has grown too long to go on. Nothing was changed.")),
    "too_many_games": (N_("Too many games"), N_("You have as many games as can be kept. Nothing was changed.")),
    "internal": (N_("Our mistake"), N_("Something went wrong here. Your game is as it was.")),
}

BAD_FIELD: Final = N_("What the field “%(field)s” holds makes no sense here. Nothing was changed.")

NO_COOKIE: Final = N_(
    "Your game was not found. Does your browser keep this site's cookie? Without it no game can be kept."
)

_PLAIN: Final[Mapping[Reason, str]] = {
    Reason.FACE_DOWN: N_("That card still lies face down."),
    Reason.NOT_LAST_CARD: N_("Only the last card of a column goes to a foundation."),
    Reason.NO_TAKE_BACK: N_("Traditional rule: what lies on a foundation stays there."),
    Reason.SAME_PLACE: N_("The card lies there already."),
    Reason.NOTHING_TO_REDO: N_("There is nothing to redo."),
    Reason.GAME_OVER: N_("This game is won. Time for a new one!"),
    Reason.STALE: FAILURES["stale"][1],
}


def wait(language: Language, minutes: int) -> str:
    """What is told to those who asked for too much, and may ask again in so many minutes at the most."""
    again = language.ngettext("Please try again in a minute.", "Please try again in %(minutes)d minutes.", minutes) % {
        "minutes": minutes
    }
    return f"{language.gettext(FAILURES['too_many'][1])} {again}"


def sentence(text: str) -> str:
    """With a capital at the start."""
    return text[:1].upper() + text[1:]


def why_denied(language: Language, denied: Denied) -> str:
    """Which rule refused something, with the cards named."""
    reason, game = denied.reason, denied.session.game
    if reason in _PLAIN:
        return language.gettext(_PLAIN[reason])
    if reason is Reason.NOTHING_TO_UNDO:
        return language.gettext(
            N_("Only the last 100 moves can be undone.") if game.line else N_("There is nothing to undo.")
        )
    if denied.card is None:
        return language.gettext(FAILURES["refused"][1])
    return sentence(_EXPLAIN[reason](language, game.board, denied.card, denied.to))


def _foundation_order(language: Language, board: Board, card: Card, _to: Place | None) -> str:
    _ = language.gettext
    top = board.top(card.suit_index)
    names = language.card_names
    if top is None:
        return _("the %(card)s can't go up yet: a foundation begins with its ace.") % {"card": names[card]}
    following = Card(top + 1)
    return _("the %(card)s can't go up yet: the %(following)s comes first.") % {
        "card": names[card],
        "following": names[following],
    }


def _on(message: str) -> Callable[[Language, Board, Card, Place | None], str]:
    def explain(language: Language, board: Board, card: Card, to: Place | None) -> str:
        column = board.columns[to] if to is not None and to != Place.FOUNDATION else b""
        onto = language.card_names[Card(column[-1])] if column else ""
        return language.gettext(message) % {"card": language.card_names[card], "onto": onto}

    return explain


def _group_too_large(language: Language, board: Board, card: Card, _to: Place | None) -> str:
    group = next((len(column) - column.find(card) for column in board.columns if card in column), 0)
    return language.gettext("that group has %(group)d cards: no more than 20 move at once.") % {"group": group}


def _ace_first(language: Language, board: Board, _card: Card, _to: Place | None) -> str:
    ace = next(Card(column[-1]) for column in board.columns if column and Card(column[-1]).is_ace)
    return language.gettext("Traditional rule: the %(card)s must go to its foundation first.") % {
        "card": language.card_names[ace]
    }


_EXPLAIN: Final[Mapping[Reason, Callable[[Language, Board, Card, Place | None], str]]] = {
    Reason.FOUNDATION_ORDER: _foundation_order,
    Reason.WRONG_RANK: _on(N_("the %(card)s doesn't go on the %(onto)s: that takes only a card one rank lower.")),
    Reason.WRONG_COLOUR: _on(N_("the %(card)s doesn't go on the %(onto)s: red goes on black, and black on red.")),
    Reason.EMPTY_COLUMN_NEEDS_KING: _on(N_("the %(card)s can't start an empty column: only a king can.")),
    Reason.NO_PLACE: _on(N_("the %(card)s fits nowhere now.")),
    Reason.GROUP_TOO_LARGE: _group_too_large,
    Reason.ACE_FIRST: _ace_first,
}


def announce(language: Language, change: Change) -> str:
    """What a move did, for those who hear it."""
    said = [sentence(_moved(language, change.move, change.group))]
    if change.flipped is not None:
        said.append(language.gettext("Uncovered: %(card)s.") % {"card": language.card_names[change.flipped]})
    if change.points:
        said.append(points(language, change.points))
    return " ".join(said)


def announce_undone(language: Language, change: Change, steps: int = 1) -> str:
    """What an undo of so many steps took back; ``change``: the last of them."""
    if steps > 1:
        return language.ngettext("Went back %(steps)d move.", "Went back %(steps)d moves.", steps) % {"steps": steps}
    back = Move(change.move.card, change.source)
    return language.gettext("Put back: %(moved)s") % {"moved": _moved(language, back, change.group)}


def points(language: Language, count: int) -> str:
    """ "5 points." """
    return language.ngettext("%(points)d point.", "%(points)d points.", count) % {"points": count}


def _moved(language: Language, move: Move, group: int) -> str:
    card = language.card_names[move.card]
    if move.to == Place.FOUNDATION:
        return language.gettext("%(card)s to its foundation.") % {"card": card}
    if group == 1:
        return language.gettext("%(card)s to column %(column)d.") % {"card": card, "column": move.to + 1}
    return language.ngettext(
        "%(card)s with one card to column %(column)d.",
        "%(card)s with %(others)d cards to column %(column)d.",
        group - 1,
    ) % {"card": card, "others": group - 1, "column": move.to + 1}


def clock(seconds: float) -> str:
    """``m:ss``, or ``h:mm:ss`` from an hour on."""
    minutes, second = divmod(int(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"


def won(language: Language, session: Session) -> str:
    """The line under "You won!"."""
    _ = language.gettext
    text = _("%(score)d points in %(moves)d moves and %(time)s") % {
        "score": session.game.score,
        "moves": session.game.moves,
        "time": clock(session.clock.elapsed),
    }
    return _("%(result)s, with help") % {"result": text} if session.is_assisted else text


@dataclass(frozen=True, slots=True)
class Advice:
    """What a player is told who asked about the game."""

    kind: Literal["hint", "verdict", "lost", "show"]
    text: str
    rev: int
    """Of the board it is about."""
    move: Move | None = None
    """What a hint proposes."""
    status: Status | None = None
    """Whether the game can still be won, where that was asked."""
    back: int = 0
    """So many steps back it could still be won: the player can go there."""
    is_played: bool = False
    """A move of a line that wins was played: the player can ask for the next."""


def hint(language: Language, hinted: Hinted) -> Advice:
    """What to do next."""
    game, move = hinted.session.game, hinted.move
    _ = language.gettext
    if move is not None:
        group = next((len(column) - column.find(move.card) for column in game.board.columns if move.card in column), 1)
        text = _("From what lies face up: %(moved)s") % {"moved": _moved(language, move, group)}
    elif game.legal_moves:
        text = _(
            "From what lies face up, no way to turn up a card or to bring one home is in sight. There are still moves."
        )
    else:
        text = _("There is no move left. Undo goes back.")
    return Advice("hint", text, game.rev, move)


def verdict(language: Language, judged: Judged) -> Advice:
    """Whether it can still be won."""
    text = f"{_judgement(language, judged.verdict)}{_under(language, judged)}"
    return Advice("verdict", text, judged.session.game.rev, status=judged.verdict.status)


def light(language: Language, status: Status) -> str:
    """The verdict in a word or two."""
    return language.gettext(_LIGHTS[status])


def lost(language: Language, traced: Traced) -> Advice:
    """Where it was lost."""
    _ = language.gettext
    game, back = traced.session.game, traced.back
    if back == 0:
        text = _("It isn't lost: this can still be won.")
    elif back is not None:
        text = language.ngettext(
            "%(back)d move back it could still be won.", "%(back)d moves back it could still be won.", back
        ) % {"back": back}
        if not traced.is_certain:
            text += " " + _("Perhaps later, too.")
    elif not traced.is_certain:
        text = _judgement(language, traced.verdict)
        if traced.verdict.status == "lost":
            text += " " + _("Where it was lost is not known.")
    elif game.undo_steps * 2 == len(game.line):
        text = _("It was lost from the start: this deal can't be won.")
    else:
        text = _("It was lost before the oldest move that can be undone.")
    rev, status = game.rev, traced.verdict.status
    return Advice("lost", f"{text}{_under(language, traced)}", rev, status=status, back=back or 0)


def no_line(language: Language, judged: Judged) -> Advice:
    """Why nothing is played for the player."""
    text = f"{_judgement(language, judged.verdict)}{_under(language, judged)}"
    return Advice("show", text, judged.session.game.rev, status=judged.verdict.status)


def played(language: Language, session: Session, change: Change) -> Advice:
    """Which move of a line that wins led to this board."""
    text = language.gettext("Played for you: %(moved)s") % {"moved": _moved(language, change.move, change.group)}
    return Advice("show", text, session.game.rev, status="won", is_played=True)


_LIGHTS: Final[Mapping[Status, str]] = {
    "won": N_("Can be won"),
    "lost": N_("Can't be won"),
    "unknown": N_("Not known whether it can be won"),
}

_GIVEN_UP: Final = N_("Not known: the search took too long and was given up.")
_UNKNOWN: Final[Mapping[str, str]] = {
    "time": _GIVEN_UP,
    "nodes": _GIVEN_UP,
    "memory": _GIVEN_UP,
    "off": N_("Not known: this server has no solver."),
    "warming": N_("Not known yet: the solver is still getting ready. Please ask again in a minute."),
    "failed": N_("Not known: something went wrong here."),
}
_LATER: Final = N_("Not known: the solver has too much to do. Please ask again in a moment.")


def _judgement(language: Language, found: Verdict) -> str:
    _ = language.gettext
    if found.status == "won":
        return _("Yes, this can still be won.")
    if found.status == "lost":
        return _("No, this can't be won any more.")
    return _(_UNKNOWN.get(found.reason, _LATER))


def _under(language: Language, judged: Judged) -> str:
    """That the answer knows more than the player, where it does."""
    is_told = judged.verdict.status != "unknown" or (isinstance(judged, Traced) and judged.back is not None)
    if not judged.looked_under or not is_told:
        return ""
    return " " + language.gettext("(Looked under the cards.)")
