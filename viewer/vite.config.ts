// Builds a page into one file: inlines script, styles and licenses; the page loads nothing.
// `vite build` builds that of a robot, `vite build --mode catalogue` that of a collection.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";

const THREE_LICENSE = "node_modules/three/LICENSE";

/** The CSP source expression of an inline script or style. */
function hash(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

function policy(script: string, style: string, connects: boolean): string {
  const rules = [
    "default-src 'none'",
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
    "img-src data:",
    // Links that touch are found in a worker that the script makes of itself.
    ...(connects ? ["worker-src blob:"] : []),
    ...(connects ? ["connect-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ];
  return `<meta http-equiv="Content-Security-Policy" content="${rules.join("; ")}">`;
}

function oneFile(name: string): Plugin {
  return {
    name: "one-file",
    enforce: "post",
    generateBundle(_, bundle) {
      const files = Object.values(bundle);
      const text = (suffix: string): string => {
        const found = files.filter((file) => file.fileName.endsWith(suffix));
        if (found.length !== 1) {
          throw new Error(`expected one ${suffix} file, not ${found.length}`);
        }
        const file = found[0]!;
        return file.type === "chunk" ? file.code : String(file.source);
      };
      const script = text(".js").trim().replaceAll("</script", "<\\/script");
      const style = text(".css").trim();
      const isViewer = name === "viewer";
      const license = readFileSync(THREE_LICENSE, "utf-8").trim();
      const head = `Generated from viewer/; do not edit.${isViewer ? ` Contains three.js:\n\n${license}\n` : " "}`;
      const page = text(".html")
        .replace(/\s*<script type="module"[^>]*><\/script>/, "")
        .replace(/\s*<link rel="stylesheet"[^>]*>/, "")
        .replace("<title>", () => `${policy(script, style, isViewer)}\n    <title>`)
        .replace("</head>", () => `<style>${style}</style>\n  </head>`)
        .replace("</body>", () => `<script type="module">${script}</script>\n  </body>`)
        .replace("<head>", () => `<!-- ${head}-->\n  <head>`);
      for (const file of files) {
        delete bundle[file.fileName];
      }
      this.emitFile({ type: "asset", fileName: `${name}.html`, source: `${page.trim()}\n` });
    },
  };
}

// The first versions that support light-dark() in CSS, the newest feature that the page uses.
const BROWSERS = ["chrome123", "edge123", "firefox120", "safari17.5"];

export default defineConfig(({ mode }) => ({
  plugins: [oneFile(mode === "catalogue" ? "catalogue" : "viewer")],
  build: {
    rolldownOptions: { input: mode === "catalogue" ? "catalogue.html" : "index.html" },
    emptyOutDir: mode !== "catalogue",
    target: "es2023", cssTarget: BROWSERS, modulePreload: false, reportCompressedSize: false, license: false,
  },
  test: { include: ["test/**/*.test.ts"] },
}));
