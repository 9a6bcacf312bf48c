// Translates folders of Python for the very Python that the page runs, imports the bridge, and says how many modules that took.
// node compile.mjs PYODIDE FOLDER...: a module that is translated already is left as it is.
import { pathToFileURL } from "node:url";

const [home, ...folders] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${home}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: home });
for (const [at, folder] of folders.entries()) {
  python.FS.mkdirTree(`/made/${at}`);
  python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, `/made/${at}`);
}
const count = python.runPython(`
import ast, gc, marshal, sys, warnings
from importlib.util import MAGIC_NUMBER, cache_from_source, source_hash
from pathlib import Path

documented = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
unchecked = (1).to_bytes(4, "little")  # on the way through an archive the times of files change, and their contents do not

def statements(body):
    """Those of a body and of all bodies in it; to walk through every expression too takes as long as to translate them."""
    for statement in body:
        yield statement
        for inner in ("body", "orelse", "finalbody", "handlers", "cases"):
            yield from statements(getattr(statement, inner, ()))

def translated(source):
    """The module for this Python, without its help, which nobody reads here: a space is left, which is true and can be added to.

    What a module says of itself stays: a formula's title is taken from it.
    """
    text = source.read_bytes()
    tree = ast.parse(text)
    for node in statements(tree.body):
        if isinstance(node, documented) and ast.get_docstring(node, clean=False) is not None:
            node.body[0].value.value = " "
    return MAGIC_NUMBER + unchecked + source_hash(text) + marshal.dumps(compile(tree, source, "exec", dont_inherit=True))

gc.disable()  # trees come and go whole, and looking for what is left of them finds nothing
warnings.simplefilter("ignore")
for folder in sorted(Path("/made").iterdir()):
    for source in sorted(folder.rglob("*.py")):
        to = Path(cache_from_source(source))
        if not to.exists():
            to.parent.mkdir(exist_ok=True)
            to.write_bytes(translated(source))
    sys.path.append(str(folder))
before = len(sys.modules)
import fsdp_sym.publishing.practice_page.bridge
len(sys.modules) - before
`);
console.log(count);
