"""Replays: solves of closed dailies that their players show to others."""
