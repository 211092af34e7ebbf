"""A watcher may ask as often as it likes: the store is asked at most once a second."""

import asyncio

import pytest

from app.store import StoreAway
from app.web.health import Health


class Store:
    def __init__(self) -> None:
        self.asked = 0
        self.is_away = False

    async def check(self) -> None:
        self.asked += 1
        await asyncio.sleep(0.05)
        if self.is_away:
            raise StoreAway("gone")


def test_many_at_once_are_one_question() -> None:
    async def ask() -> int:
        store = Store()
        health = Health(store.check)
        await asyncio.gather(*(health.check() for _ in range(50)))
        await health.check()
        return store.asked

    assert asyncio.run(ask()) == 1


def test_trouble_is_told_to_all_who_ask_and_forgotten_when_it_is_over() -> None:
    async def ask() -> int:
        store = Store()
        store.is_away = True
        health = Health(store.check, period=0.2)
        told = await asyncio.gather(*(health.check() for _ in range(5)), return_exceptions=True)
        assert [type(each) for each in told] == [StoreAway] * 5
        store.is_away = False
        with pytest.raises(StoreAway):
            await health.check()
        await asyncio.sleep(0.2)
        await health.check()
        return store.asked

    assert asyncio.run(ask()) == 2


def test_who_goes_away_takes_the_answer_from_nobody() -> None:
    async def ask() -> int:
        store = Store()
        health = Health(store.check)
        impatient = asyncio.create_task(health.check())
        await asyncio.sleep(0.01)
        impatient.cancel()
        await health.check()
        return store.asked

    assert asyncio.run(ask()) == 1
