// Python, in a thread of its own: the page stays awake while it works. It loads what lies beside it and nothing else.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const SETUP = `
import sys
from pathlib import Path

class Counted:
    """Tells of each module that is imported, and finds none."""
    @staticmethod
    def find_spec(name, path=None, target=None):
        imported()

sys.path[:0] = ["/ours", "/libraries"]
sys.meta_path.insert(0, Counted)
from fsdp_sym.publishing.practice_page.bridge import Desk
sys.meta_path.remove(Counted)
desk = Desk(Path("/practice"))
desk.run
`;

const tell = (stage, done, all) => postMessage({ stage, done, all });

async function expected() {
  const answer = await fetch(new URL("runtime.json", import.meta.url));
  return answer.json();
}

// What is fetched is counted as it comes in, also what Pyodide fetches by itself.
function countFetches(all) {
  const plain = self.fetch;
  let done = 0;
  self.fetch = async (...what) => {
    const answer = await plain(...what);
    if (!answer.ok || !answer.body) return answer;
    const counted = new TransformStream({
      transform(piece, on) {
        done += piece.byteLength;
        tell(done < all ? "fetch" : "start", done, all);
        on.enqueue(piece);
      },
    });
    return new Response(answer.body.pipeThrough(counted), { status: answer.status, headers: answer.headers });
  };
}

async function archive(name) {
  const answer = await fetch(new URL(name, import.meta.url));
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return answer.arrayBuffer();
}

async function start() {
  const { bytes, modules } = await expected();
  countFetches(bytes);
  const [python, libraries, ours] = await Promise.all([
    loadPyodide({ indexURL: new URL("pyodide/", import.meta.url).href }),
    archive("libraries.zip"),
    archive("fsdp_sym.zip"),
  ]);
  tell("unpack", 0, 1);
  python.unpackArchive(libraries, "zip", { extractDir: "/libraries" });
  python.unpackArchive(ours, "zip", { extractDir: "/ours" });
  let done = 0;
  python.globals.set("imported", () => { done += 1; if (done % 8 === 0) tell("import", done, modules); });
  tell("import", 0, modules);
  self.python = python;
  return python.runPython(SETUP);
}

const ready = start();
ready.then(() => postMessage({ stage: "ready" }), (error) => postMessage({ stage: "failed", why: String(error) }));

addEventListener("message", async ({ data: { id, name, given } }) => {
  try {
    const run = await ready;
    postMessage({ id, answer: JSON.parse(run(name, JSON.stringify(given))) });
  } catch (error) {
    postMessage({ id, failed: String(error) });
  }
});
