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
    const binary = (name: string) => `${folder}/node_modules/${name}/bin/node`;
    const hosts: readonly (readonly [command: string, args: readonly string[]])[] = [
      [await binaryOf("bun", folder), ["bun.mjs"]],
      [await binaryOf("deno", folder), ["run", "--allow-all", "--node-modules-dir=manual", "deno.mjs"]],
      [binary("node-24"), ["serve-worker.mjs"]],
      [process.execPath, ["node.mjs"]],
      [binary("node-22"), ["node.mjs"]],
      [binary("node-24"), ["node.mjs"]],
    ];
    const lines: string[] = [];
    for (const [command, args] of hosts) {
      await withServer(command, args, folder, takePayment);
      const version = (await runOrThrow(command, ["--version"], folder)).trim().split("\n")[0];
      lines.push(
        `${args.at(-1)} on ${command.slice(command.lastIndexOf("/") + 1)} ${version}: paid, notified, refunded`,
      );
    }
    return lines.join("\n");
  },
};

/** Returns the program that the npm package for this platform brings. */
async function binaryOf(name: "bun" | "deno", folder: string): Promise<string> {
  const scope = name === "bun" ? "@oven" : "@deno";
  const found = await runOrThrow(
    "find",
    [`${folder}/node_modules/${scope}`, "-type", "f", "-name", name, "-perm", "-u+x"],
    folder,
  );
  const [program] = found.split("\n");
  if (program === undefined || program === "") throw new Error(`npm installed no program ${name}.`);
  return program;
}
