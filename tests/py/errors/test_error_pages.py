"""The examples in `docs/errors/` fail as their page says: its code, at the marked line."""

import re

import numbra as nb
import numpy as np
import pytest
from folders import ROOT

PAGES = ROOT / "docs" / "errors"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MARK = re.compile(r"# error: \[(\w+)\]")


def examples():
    for page in sorted(PAGES.glob("*.md")):
        for number, block in enumerate(BLOCK.findall(page.read_text())):
            yield pytest.param(block, id=f"{page.stem}-{number}")


@pytest.mark.parametrize("source", list(examples()))
def test_example_fails_as_its_page_says(source, tmp_path):
    path = tmp_path / "example.py"
    path.write_text(source)
    line, code = next(
        (number, mark[1]) for number, text in enumerate(source.splitlines(), 1) if (mark := MARK.search(text))
    )
    with pytest.raises(Exception) as caught:
        exec(compile(source, str(path), "exec"), {"nb": nb, "np": np, "__name__": "example"})
    text = str(caught.value)
    assert f"error[{code}]" in text
    assert f"example.py:{line}:" in text


def test_numbers_and_titles():
    for page in PAGES.glob("*.md"):
        assert page.read_text().startswith(f"# {page.stem}: ")
