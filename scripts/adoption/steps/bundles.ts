import { cp } from "node:fs/promises";
import { root, runOrThrow } from "@tillkit/repository";
import { asInstalled, install } from "../lib/install.js";
import { loadPage } from "../lib/load-page.js";
import { REGISTRY_VERSIONS } from "../lib/registry-versions.js";
import type { AdoptionStep } from "../lib/step.js";
import { withServer } from "../lib/with-server.js";

const OWN = [
  "alipay",
  "client",
  "core",
  "dashboard",
  "host",
  "memory",
  "node",
  "postgres",
  "runtime",
  "sandbox",
  "sms",
  "wechat-pay",
].map((name) => `@tillkit/${name}`);
const BUNDLES = ["esbuild/host.cjs", "esbuild/host.mjs", "webpack-cjs/host.cjs", "webpack-esm/host.mjs"];

/** Bundles a host with the operators' page, and runs each bundle without the packages beside it. */
export const bundles: AdoptionStep = {
  name: "bundles",
  shows: "a host with the operators' page, bundled by esbuild and webpack as CommonJS and as ES module",
  run: async ({ folder, tarballs }) => {
    await cp(`${root}scripts/adoption/projects/bundles`, folder, { recursive: true });
    const others = [...["esbuild", "neverthrow"].map(asInstalled), REGISTRY_VERSIONS.webpack];
    await install(folder, tarballs, OWN, others);
    await runOrThrow(process.execPath, ["build.js"], folder);
    for (const bundle of BUNDLES) {
      const [name = "", file = ""] = bundle.split("/");
      const deployed = `${folder}-${name}`;
      await cp(`${folder}/${name}`, deployed, { recursive: true });
      await withServer(process.execPath, [file], deployed, loadPage);
    }
    return `served the page and its script: ${BUNDLES.join(", ")}`;
  },
};
