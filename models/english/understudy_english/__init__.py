"""The model of understudy's English parser: `config.cfg` and `model.xz`, which `understudy.syntax.english` reads."""

__version__ = "1.1"
