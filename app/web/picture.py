"""The picture of a deal that goes with a shared link: its layout as dealt, face-down cards face down."""

import io
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from anyio import CapacityLimiter, to_thread
from fastapi import FastAPI, Request
from fastapi.responses import Response
from PIL import Image, ImageDraw, ImageFont

from app.engine import CLASSIC, Card, DealCode, deal
from app.web.limits import Limits
from app.web.play import canonical

SIZE: Final = (1200, 630)  # what every service that shows link pictures asks for

_HEADERS: Final = {
    "cache-control": "public, max-age=31536000, immutable",
    "cross-origin-resource-policy": "cross-origin",  # it is made to be shown elsewhere
}
_FELT, _RIDGE, _FAR_RIDGE = (31, 91, 73), (37, 101, 82), (34, 96, 77)
_PAPER, _EDGE, _BACK, _WEAVE = (255, 251, 240), (186, 176, 150), (36, 78, 140), (98, 138, 192)
_RED, _BLACK, _LIGHT = (184, 36, 48), (27, 36, 48), (244, 239, 224)
_CARD: Final = (112, 156)
_STEP: Final = {"up": 42, "down": 15}
_LEFT, _TOP, _ACROSS = 60, 150, 162
_FINE: Final = 4  # shapes are drawn this many times too large, then made small and smooth
_LARGE: Final = (_CARD[0] * _FINE, _CARD[1] * _FINE)


def _heart(draw: ImageDraw.ImageDraw, s: float, top: float = 0.0, turn: int = 1) -> None:
    def y(value: float) -> float:
        return s * (top + value if turn > 0 else 1 - top - value)

    def disc(x: float, at: float) -> None:
        low, high = sorted((y(at - 0.27), y(at + 0.27)))
        draw.ellipse((s * (x - 0.27), low, s * (x + 0.27), high), fill=255)

    disc(0.27, 0.3)
    disc(0.73, 0.3)
    draw.polygon([(s * 0.045, y(0.46)), (s * 0.5, y(0.98 - top)), (s * 0.955, y(0.46)), (s * 0.5, y(0.2))], fill=255)


def _stem(draw: ImageDraw.ImageDraw, s: float) -> None:
    draw.polygon([(s * 0.5, s * 0.5), (s * 0.68, s), (s * 0.32, s)], fill=255)


def _spade(draw: ImageDraw.ImageDraw, s: float) -> None:
    _heart(draw, s, top=0.14, turn=-1)
    _stem(draw, s)


def _diamond(draw: ImageDraw.ImageDraw, s: float) -> None:
    draw.polygon([(s * 0.5, 0), (s * 0.9, s * 0.5), (s * 0.5, s), (s * 0.1, s * 0.5)], fill=255)


def _club(draw: ImageDraw.ImageDraw, s: float) -> None:
    for x, y, r in ((0.5, 0.25, 0.24), (0.25, 0.6, 0.24), (0.75, 0.6, 0.24), (0.5, 0.48, 0.12)):
        draw.ellipse((s * (x - r), s * (y - r), s * (x + r), s * (y + r)), fill=255)
    _stem(draw, s)


_FAR_PEAKS: Final = ((0, 520), (210, 400), (330, 470), (560, 330), (800, 520), (1200, 420), (1200, 630), (0, 630))
_PEAKS: Final = ((0, 600), (160, 520), (420, 590), (700, 450), (960, 560), (1200, 500), (1200, 630), (0, 630))
_SUITS: Final[tuple[Callable[[ImageDraw.ImageDraw, float], None], ...]] = (_spade, _heart, _diamond, _club)


@lru_cache(maxsize=16)
def _suit(index: int, size: int) -> Image.Image:
    """The shape of a suit, as a mask."""
    mask = Image.new("L", (size * _FINE, size * _FINE))
    _SUITS[index](ImageDraw.Draw(mask), size * _FINE)
    return mask.resize((size, size), Image.Resampling.LANCZOS)


@lru_cache(maxsize=8)
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


@lru_cache(maxsize=53)
def _card(card: Card | None) -> Image.Image:
    """A card with its rounded edge; None: its back."""
    image = _blank()
    if card is None:
        image.paste(_back(), mask=_frame())
        return image.resize(_CARD, Image.Resampling.LANCZOS)
    image = image.resize(_CARD, Image.Resampling.LANCZOS)
    ink = _RED if card.is_red else _BLACK
    rank = {1: "A", 11: "J", 12: "Q", 13: "K"}.get(card.rank, str(card.rank))
    ImageDraw.Draw(image).text((10, 4), rank, ink, font=_font(34), stroke_width=1, stroke_fill=ink)
    image.paste(ink, (58, 9), _suit(card.suit_index, 28))
    image.paste(ink, (30, 76), _suit(card.suit_index, 54))
    return image


def _blank() -> Image.Image:
    image = Image.new("RGBA", _LARGE)
    box = (0, 0, _LARGE[0] - 1, _LARGE[1] - 1)
    ImageDraw.Draw(image).rounded_rectangle(box, 10 * _FINE, fill=_PAPER, outline=_EDGE, width=_FINE)
    return image


def _back() -> Image.Image:
    image = Image.new("RGBA", _LARGE, _BACK)
    draw = ImageDraw.Draw(image)
    width, height = _LARGE
    for x in range(-height, width, 12 * _FINE):
        draw.line(((x, 0), (x + height, height)), fill=_WEAVE, width=_FINE)
        draw.line(((x + height, 0), (x, height)), fill=_WEAVE, width=_FINE)
    return image


def _frame() -> Image.Image:
    """Where a back is printed on its paper."""
    mask = Image.new("L", _LARGE)
    margin = 5 * _FINE
    box = (margin, margin, _LARGE[0] - margin, _LARGE[1] - margin)
    ImageDraw.Draw(mask).rounded_rectangle(box, 6 * _FINE, fill=255)
    return mask


@lru_cache(maxsize=64)
def draw_deal(code: DealCode) -> bytes:
    """A PNG of 1200 × 630 pixels."""
    out = io.BytesIO()
    picture = _draw(code).quantize(palette=_palette(), dither=Image.Dither.NONE)
    picture.save(out, "PNG")
    return out.getvalue()


@lru_cache(maxsize=1)
def _palette() -> Image.Image:
    """The same few colours for every picture, or a back could look different from deal to deal."""
    return _draw(DealCode(CLASSIC, 0)).quantize(64)


def _draw(code: DealCode) -> Image.Image:
    picture = Image.new("RGB", SIZE, _FELT)
    draw = ImageDraw.Draw(picture)
    draw.polygon(_FAR_PEAKS, _FAR_RIDGE)
    draw.polygon(_PEAKS, _RIDGE)
    draw.text((_LEFT, 38), "Yukon", _LIGHT, font=_font(76), stroke_width=1, stroke_fill=_LIGHT)
    draw.text((SIZE[0] - _LEFT, 62), str(code), _LIGHT, font=_font(46), anchor="ra")
    for index, column in enumerate(deal(code).visible()):
        y = _TOP
        for card in column:
            image = _card(card)
            picture.paste(image, (_LEFT + index * _ACROSS, y), image)
            y += _STEP["down" if card is None else "up"]
    return picture


def install(app: FastAPI, limits: Limits) -> None:
    """``/play/{code}/picture.png``."""

    one_at_a_time = CapacityLimiter(1)  # drawing takes its time: in a thread beside the moves, and in no more than one

    @app.api_route("/play/{code}/picture.png", methods=["GET", "HEAD"], include_in_schema=False)
    async def read_picture(request: Request, code: str) -> Response:
        """A deal never changes, and so its picture."""
        deal = canonical(code)
        await limits.picture(request.scope)
        image = await to_thread.run_sync(draw_deal, deal, limiter=one_at_a_time)
        return Response(image, media_type="image/png", headers=_HEADERS)
