// Bundles the host with esbuild and webpack, each as CommonJS and as an ES module.
import { build } from "esbuild";
import webpack from "webpack";

const FILES = { cjs: "host.cjs", esm: "host.mjs" };
/** Some libraries are CommonJS modules: see docs/guide/bundle-a-host.md. */
const REQUIRE =
  'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';

for (const [format, file] of Object.entries(FILES)) {
  await build({
    entryPoints: ["host.js"],
    outfile: `esbuild/${file}`,
    bundle: true,
    logLevel: "error",
    platform: "node",
    format,
    target: "node20",
    minifyWhitespace: true,
    banner: format === "esm" ? { js: REQUIRE } : {},
  });
  await bundleWithWebpack(format, file);
}

function bundleWithWebpack(format, filename) {
  const isModule = format === "esm";
  const configuration = {
    mode: "production",
    target: "node20",
    entry: "./host.js",
    output: {
      path: `${import.meta.dirname}/webpack-${format}`,
      filename,
      ...(isModule ? { module: true, chunkFormat: "module", library: { type: "module" } } : {}),
    },
    experiments: { outputModule: isModule },
  };
  return new Promise((resolve, reject) => {
    webpack(configuration, (error, result) => {
      if (error !== null) reject(error);
      else if (result.hasErrors()) reject(new Error(result.toString({ all: false, errors: true })));
      else resolve();
    });
  });
}
