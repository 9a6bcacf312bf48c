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
import py_compile, sys, warnings
from importlib.util import cache_from_source
from pathlib import Path

warnings.simplefilter("ignore")
for folder in sorted(Path("/made").iterdir()):
    for source in sorted(folder.rglob("*.py")):
        if not Path(cache_from_source(source)).exists():
            # Unchecked: on the way through an archive the times of files change, and their contents do not.
            py_compile.compile(source, doraise=True, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    sys.path.append(str(folder))
before = len(sys.modules)
import fsdp_sym.publishing.practice_page.bridge
len(sys.modules) - before
`);
console.log(count);
