// Translates folders of Python for the very Python that the page runs, imports the bridge, and says how many modules that took.
// node compile.mjs PYODIDE FOLDER...: a folder that is translated already is left as it is.
import { pathToFileURL } from "node:url";

const [home, ...folders] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${home}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: home });
for (const [at, folder] of folders.entries()) {
  python.FS.mkdirTree(`/made/${at}`);
  python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, `/made/${at}`);
}
const count = python.runPython(`
import compileall, sys, warnings
from pathlib import Path
from py_compile import PycInvalidationMode

warnings.simplefilter("ignore")
for folder in sorted(Path("/made").iterdir()):
    # Unchecked: on the way through an archive the times of files change, and their contents do not.
    if not any(folder.rglob("*.pyc")) and not compileall.compile_dir(
        folder, quiet=2, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH, maxlevels=50
    ):
        raise SystemExit("a file cannot be translated")
    sys.path.append(str(folder))
before = len(sys.modules)
import fsdp_sym.publishing.practice_page.bridge
len(sys.modules) - before
`);
console.log(count);
