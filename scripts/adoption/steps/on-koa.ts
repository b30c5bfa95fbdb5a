import { cp, copyFile } from "node:fs/promises";
import { root, runOrThrow } from "@tillkit/repository";
import { asInstalled, install } from "../lib/install.js";
import { payOnKoa } from "../lib/pay-on-koa.js";
import { REGISTRY_VERSIONS } from "../lib/registry-versions.js";
import type { AdoptionStep } from "../lib/step.js";

const RECIPES = `${root}examples/frameworks`;
const OWN = ["alipay", "core", "dashboard", "host", "node", "postgres", "runtime", "wechat-pay"].map(
  (name) => `@tillkit/${name}`,
);
const OTHERS = ["pg", "@types/node", "@types/pg", "typescript"].map(asInstalled);
const {
  egg,
  "midway-bootstrap": bootstrap,
  "midway-core": core,
  "midway-koa": koa,
  "midway-logger": logger,
} = REGISTRY_VERSIONS;

/**
 * The steps of the recipes whose framework is on Koa and creates the server itself.
 *
 * The 370 packages of the two frameworks are no dependencies of this repository.
 */
export const onKoa: readonly AdoptionStep[] = [
  step("egg", [egg], { sources: ".", program: "start.js" }),
  step("midway", [koa, core, bootstrap, logger], { sources: "src", program: "dist/main.js" }),
];

/** Compiles a recipe with `tsc`, and takes payments there. Two workers run, if it has workers. */
function step(
  name: string,
  framework: readonly string[],
  { sources, program }: { readonly sources: string; readonly program: string },
): AdoptionStep {
  return {
    name,
    shows: `the ${name} recipe and the operators' page: paid, refunded, and ended during a request`,
    run: async ({ folder, tarballs, createDatabase }) => {
      await cp(`${RECIPES}/${name}`, folder, { recursive: true });
      await copyFile(`${RECIPES}/on-koa/mount-tillkit.ts`, `${folder}/${sources}/mount-tillkit.ts`);
      await install(folder, tarballs, OWN, [...framework, ...OTHERS]);
      await runOrThrow(process.execPath, ["node_modules/typescript/bin/tsc"], folder);
      return payOnKoa(folder, [program], await createDatabase());
    },
  };
}
