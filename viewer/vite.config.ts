// Builds the page into one file: script, styles and licence stand in it, and nothing is fetched.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";

const THREE_LICENCE = "node_modules/three/LICENSE";

/** A source of a content security policy that allows exactly this text. */
function hash(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

function policy(script: string, style: string): string {
  const rules = [
    "default-src 'none'",
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
    "img-src data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ];
  return `<meta http-equiv="Content-Security-Policy" content="${rules.join("; ")}">`;
}

function oneFile(): Plugin {
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
      const licence = readFileSync(THREE_LICENCE, "utf-8").trim();
      const page = text(".html")
        .replace(/\s*<script type="module"[^>]*><\/script>/, "")
        .replace(/\s*<link rel="stylesheet"[^>]*>/, "")
        .replace("<title>", () => `${policy(script, style)}\n    <title>`)
        .replace("</head>", () => `<style>${style}</style>\n  </head>`)
        .replace("</body>", () => `<script type="module">${script}</script>\n  </body>`)
        .replace("<head>", () => `<!-- Made from viewer/: do not edit. With three.js:\n\n${licence}\n-->\n  <head>`);
      for (const file of files) {
        delete bundle[file.fileName];
      }
      this.emitFile({ type: "asset", fileName: "viewer.html", source: `${page.trim()}\n` });
    },
  };
}

// The first with light-dark() in styles; all else that the page needs is older.
const BROWSERS = ["chrome123", "edge123", "firefox120", "safari17.5"];

export default defineConfig({
  plugins: [oneFile()],
  build: {
    target: "es2023", cssTarget: BROWSERS, modulePreload: false, reportCompressedSize: false, license: false,
  },
  test: { include: ["test/**/*.test.ts"] },
});
