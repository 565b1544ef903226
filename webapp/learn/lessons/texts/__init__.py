"""LESSONS: the words of each technique on the path. Their examples are in positions.txt."""

from typing import Final

from webapp.learn.lessons.texts import evil, hard, medium

LESSONS: Final = {**medium.LESSONS, **hard.LESSONS, **evil.LESSONS}

__all__ = ["LESSONS"]
