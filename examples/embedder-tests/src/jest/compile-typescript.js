import { transformSync } from "esbuild";

/** Compiles TypeScript to the ES modules that Jest runs. */
export default {
  process: (source, file) =>
    transformSync(source, { loader: "ts", format: "esm", sourcefile: file, sourcemap: "inline" }),
};
