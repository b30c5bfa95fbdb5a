import assert from "node:assert/strict";
import { copyFile, mkdir } from "node:fs/promises";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { bundleGuideHost } from "@tillkit/built-program/guide";
import { createKeyring } from "@tillkit/runtime";
import { root, runOrThrow } from "@tillkit/repository";
import { asInstalled, install } from "../lib/install.js";
import type { AdoptionStep } from "../lib/step.js";

const OWN = ["alipay", "core", "node", "postgres", "runtime", "wechat-pay"].map((name) => `@tillkit/${name}`);

/** Bundles the host of the guide with esbuild, and lets the one file migrate a database. */
export const bundledHost: AdoptionStep = {
  name: "bundled-host",
  shows: "the host of docs/guide/bundle-a-host.md as one file migrates a database",
  run: async ({ folder, tarballs, createDatabase }) => {
    await install(folder, tarballs, OWN, ["neverthrow", "pg", "esbuild"].map(asInstalled));
    const built = await bundleGuideHost(pathToFileURL(`${root}docs/guide/bundle-a-host.md`), folder);
    // The two files alone, without the packages beside them.
    const deployed = `${folder}-deployed`;
    await mkdir(deployed);
    for (const file of [built.bundle, built.launcher]) await copyFile(file, `${deployed}/${basename(file)}`);
    (await createKeyring(`${deployed}/keyring.json`))._unsafeUnwrap();
    const env = { DATABASE_URL: await createDatabase(), KEYRING: `${deployed}/keyring.json` };
    const migrate = () => runOrThrow(process.execPath, [basename(built.launcher), "migrate"], deployed, env);
    const first = await migrate();
    assert.match(first, /^applied [1-9]\d* migrations\n$/u);
    assert.equal(await migrate(), "applied 0 migrations\n");
    return first.trim();
  },
};
