"""The same flows in three engines: Chromium by Playwright, Firefox by WebDriver BiDi, WebKit by WebDriver."""
