import { build } from "esbuild";

/**
 * Writes a program as one file in JavaScript, whose packages are still imports.
 *
 * @param file - the path of the result, in a folder with the packages.
 * @param bundled - whether the packages become a part of the file.
 */
export async function bundle(program: string, file: string, bundled = false): Promise<void> {
  await build({
    entryPoints: [program],
    outfile: file,
    bundle: true,
    format: "esm",
    target: "es2022",
    logLevel: "error",
    packages: bundled ? "bundle" : "external",
    external: ["node:*"],
    // The packages come from the folder of the result.
    ...(bundled ? { nodePaths: [`${file.slice(0, file.lastIndexOf("/"))}/node_modules`] } : {}),
    // No option of this repository applies to the program.
    tsconfigRaw: {},
  });
}
