import { copyFile } from "node:fs/promises";
import { takePayment } from "../../../examples/frameworks/src/take-payment.js";
import { root } from "../../lib/packages.js";
import { runOrThrow } from "../../lib/run.js";
import { bundle } from "../lib/bundle.js";
import { install } from "../lib/install.js";
import { REGISTRY_VERSIONS } from "../lib/registry-versions.js";
import type { AdoptionStep } from "../lib/step.js";
import { withServer } from "../lib/with-server.js";

const PROGRAMS = `${root}scripts/adoption/projects/platforms`;
const OWN = ["core", "fetch", "host", "memory", "node", "runtime"].map((name) => `@tillkit/${name}`);
const { bun, deno, miniflare, "node-22": node22, "node-24": node24 } = REGISTRY_VERSIONS;

/** Takes a payment on Bun, Deno, workerd, and on each version of Node that Tillkit supports. */
export const platforms: AdoptionStep = {
  name: "platforms",
  shows: "payments on Bun, Deno, workerd, and Node 20, 22 and 24",
  run: async ({ folder, tarballs }) => {
    await install(folder, tarballs, OWN, [bun, deno, miniflare, node22, node24]);
    for (const name of ["bun.js", "deno.js", "node.ts"]) {
      await bundle(`${PROGRAMS}/${name}`, `${folder}/${name.slice(0, name.indexOf("."))}.mjs`);
    }
    await bundle(`${PROGRAMS}/worker.js`, `${folder}/worker.mjs`, true);
    await copyFile(`${PROGRAMS}/serve-worker.js`, `${folder}/serve-worker.mjs`);
    const bunProgram = await programOf("@oven", "bun", folder);
    const denoProgram = await programOf("@deno", "deno", folder);
    const nodeProgram = (name: string) => `${folder}/node_modules/${name}/bin/node`;
    const onDeno = (file: string) => ["run", "--allow-all", "--node-modules-dir=manual", file];
    const lines: string[] = [];
    for (const [what, command, args] of [
      ["@tillkit/fetch on Bun", bunProgram, ["bun.mjs"]],
      ["@tillkit/fetch on Deno", denoProgram, onDeno("deno.mjs")],
      ["@tillkit/fetch on workerd, under Node", nodeProgram("node-24"), ["serve-worker.mjs"]],
      ["@tillkit/host on Bun", bunProgram, ["node.mjs"]],
      ["@tillkit/host on Deno", denoProgram, onDeno("node.mjs")],
      ["@tillkit/host on Node", process.execPath, ["node.mjs"]],
      ["@tillkit/host on Node", nodeProgram("node-22"), ["node.mjs"]],
      ["@tillkit/host on Node", nodeProgram("node-24"), ["node.mjs"]],
    ] as const) {
      await withServer(command, args, folder, takePayment);
      const [version = ""] = /\d[\d.]+/u.exec(await runOrThrow(command, ["--version"], folder)) ?? [];
      lines.push(`${what} ${version}: paid, notified, refunded`);
    }
    return lines.join("\n");
  },
};

/** Returns the program that the npm package for this platform brings. */
async function programOf(scope: string, name: string, folder: string): Promise<string> {
  const args = [`node_modules/${scope}`, "-type", "f", "-name", name, "-perm", "-u+x"];
  const [program] = (await runOrThrow("find", args, folder)).split("\n");
  if (program === undefined || program === "") throw new Error(`npm installed no program ${name}.`);
  return `${folder}/${program}`;
}
