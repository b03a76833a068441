"""What the docs site needs besides docs/: the pages README, CHANGELOG and CONTRIBUTING of the repository, and links that leave docs/."""

import posixpath
import re
from pathlib import Path

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parents[2]
# Pages beside docs/, by their name in the site.
PAGES = {"index.md": "README.md", "changelog.md": "CHANGELOG.md", "contributing.md": "CONTRIBUTING.md"}
LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]+)\)")


def on_files(files, config):
    for name, source in PAGES.items():
        files.append(File.generated(config, name, content=(ROOT / source).read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown, page, config, files):
    name = page.file.src_uri
    folder = posixpath.dirname(posixpath.join("docs", name)) if name not in PAGES else ""
    return LINK.sub(lambda link: _link(link, name, folder), _indented(markdown))


def _indented(markdown):
    """GitHub ends a list at a code block that is indented by four; Python's Markdown needs an empty line before a list."""
    return re.sub(r"(?m)^((?!\s*[-*] |\s*\d+\. |\s*$|#|\||>).+)\n(?=- |\d+\. )", r"\1\n\n", markdown)


def _link(link, page, folder):
    text, target = link.groups()
    if "://" in target or target.startswith(("#", "mailto:")):
        return link.group(0)
    path, _, anchor = target.partition("#")
    path = posixpath.normpath(posixpath.join(folder, path))
    for name, source in PAGES.items():
        if path == source:
            return _to(text, name, page, anchor)
    if path.startswith("docs/"):
        return _to(text, path[len("docs/"):], page, anchor)
    # A source file, or a license: it is in the repository and in the archive, not in the site.
    return text


def _to(text, target, page, anchor):
    relative = posixpath.relpath(target, posixpath.dirname(page) or ".")
    return f"[{text}]({relative}{'#' + anchor if anchor else ''})"
