// Decides whether practice can run here. A plain script: a page opened from a folder may load no module, and must still say so.
(() => {
  const home = document.currentScript.src;
  const show = (id) => { document.getElementById(id).hidden = false; };
  if (location.protocol === "file:") {
    const folder = decodeURIComponent(new URL(".", location).pathname).replace(/^\/([A-Z]:)/i, "$1");
    document.getElementById("p-folder").textContent = `"${folder}"`;
    show("p-from-folder");
  } else if (typeof WebAssembly !== "object" || typeof Worker !== "function") show("p-unable");
  else {
    show("p-desk");
    import(new URL("practice.js", home)).catch(() => {
      document.getElementById("p-desk").hidden = true;
      show("p-unable");
    });
  }
})();
