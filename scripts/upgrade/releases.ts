import { root } from "@tillkit/repository";
import { builtProgram } from "@tillkit/built-program";
import { build } from "esbuild";
import { asInstalled, install } from "../adoption/lib/install.js";
import { withLocalRelease } from "../release/local-release.js";

/** A release of the packages, as built programs. */
export interface Release {
  /** The file of `prepare-program`. */
  readonly prepare: string;
  /** The file of `host-program`. */
  readonly host: string;
}

const PREPARE = `${root}scripts/upgrade/prepare-program.ts`;
const HOST = `${root}scripts/upgrade/host-program.ts`;
const OWN = ["alipay", "core", "express", "host", "postgres", "runtime", "sandbox", "wechat-pay"].map(
  (name) => `@tillkit/${name}`,
);
const OTHERS = ["express", "neverthrow", "pg", "zod"];

/**
 * Installs the packed packages of this repository into `folder`, in the role of the previous
 * release.
 *
 * The programs import the packages from there, and nothing from the sources.
 */
export async function previousRelease(folder: string): Promise<Release> {
  await withLocalRelease((tarballs) => install(folder, tarballs, OWN, OTHERS.map(asInstalled)));
  const fileOf = async (source: string, name: string): Promise<string> => {
    const outfile = `${folder}/${name}.mjs`;
    await build({
      entryPoints: [source],
      outfile,
      bundle: true,
      format: "esm",
      target: "es2022",
      platform: "node",
      packages: "external",
      logLevel: "error",
      // No option of this repository applies to the program.
      tsconfigRaw: {},
    });
    return outfile;
  };
  return { prepare: await fileOf(PREPARE, "prepare"), host: await fileOf(HOST, "host") };
}

/** Builds the same programs from the sources, which are the next release. */
export async function nextRelease(): Promise<Release> {
  return {
    prepare: await builtProgram(new URL(`file://${PREPARE}`)),
    host: await builtProgram(new URL(`file://${HOST}`)),
  };
}
