import { copyFile } from "node:fs/promises";
import { root, runOrThrow } from "@tillkit/repository";
import { takePayment } from "../../../examples/frameworks/src/take-payment.js";
import { bundle } from "../lib/bundle.js";
import { install } from "../lib/install.js";
import { REGISTRY_VERSIONS } from "../lib/registry-versions.js";
import {
  buildSandboxHost,
  paySandboxHost,
  SANDBOX_HOST_OTHERS,
  SANDBOX_HOST_PACKAGES,
} from "../lib/sandbox-host.js";
import type { AdoptionStep } from "../lib/step.js";
import { withServer } from "../lib/with-server.js";

const PROGRAMS = `${root}scripts/adoption/projects/platforms`;
const OWN = ["core", "fetch", "host", "memory", "node", "runtime"].map((name) => `@tillkit/${name}`);
const { bun, deno, miniflare, "node-22": node22, "node-24": node24 } = REGISTRY_VERSIONS;

/** Takes a payment on Bun, Deno, workerd, and on each version of Node that Tillkit supports. */
export const platforms: AdoptionStep = {
  name: "platforms",
  shows: "payments on Bun, Deno, workerd, and Node 20, 22 and 24",
  run: async ({ folder, tarballs, createDatabase }) => {
    const registry = [bun, deno, miniflare, node22, node24, ...SANDBOX_HOST_OTHERS];
    await install(folder, tarballs, [...OWN, ...SANDBOX_HOST_PACKAGES], registry);
    await buildSandboxHost(folder);
    for (const name of ["bun.js", "deno.js", "node.ts"]) {
      await bundle(`${PROGRAMS}/${name}`, `${folder}/${name.slice(0, name.indexOf("."))}.mjs`);
    }
    await bundle(`${PROGRAMS}/worker.js`, `${folder}/worker.mjs`, true);
    await copyFile(`${PROGRAMS}/serve-worker.js`, `${folder}/serve-worker.mjs`);
    const bunProgram = await programOf("@oven", "bun", folder);
    const denoProgram = await programOf("@deno", "deno", folder);
    const nodeProgram = (name: string) => `${folder}/node_modules/${name}/bin/node`;
    const lines: string[] = [];
    for (const [what, command, args, file] of [
      ["@tillkit/fetch on Bun", bunProgram, [], "bun.mjs"],
      ["@tillkit/fetch on Deno", denoProgram, DENO, "deno.mjs"],
      ["@tillkit/fetch on workerd, under Node", nodeProgram("node-24"), [], "serve-worker.mjs"],
      ["@tillkit/host on Node", process.execPath, [], "node.mjs"],
      ["@tillkit/host on Node", nodeProgram("node-22"), [], "node.mjs"],
      ["@tillkit/host on Node", nodeProgram("node-24"), [], "node.mjs"],
      ["@tillkit/host on Bun", bunProgram, [], "node.mjs"],
      ["@tillkit/host on Deno", denoProgram, DENO, "node.mjs"],
    ] as const) {
      await withServer(command, [...args, file], folder, takePayment);
      lines.push(`${what} ${await versionOf(command, folder)}: paid, notified, refunded`);
    }
    for (const [what, command, args] of [
      ["PostgreSQL and both wallets on Node", nodeProgram("node-22"), []],
      ["PostgreSQL and both wallets on Node", nodeProgram("node-24"), []],
      ["PostgreSQL and both wallets on Bun", bunProgram, []],
      ["PostgreSQL and both wallets on Deno", denoProgram, DENO],
    ] as const) {
      await paySandboxHost(folder, await createDatabase(), command, args);
      lines.push(`${what} ${await versionOf(command, folder)}: paid in the sandbox`);
    }
    return lines.join("\n");
  },
};

const DENO = ["run", "--allow-all", "--node-modules-dir=manual"];

async function versionOf(command: string, folder: string): Promise<string> {
  const [version = ""] = /\d[\d.]+/u.exec(await runOrThrow(command, ["--version"], folder)) ?? [];
  return version;
}

/** Returns the program that the npm package for this platform brings. */
async function programOf(scope: string, name: string, folder: string): Promise<string> {
  const args = [`node_modules/${scope}`, "-type", "f", "-name", name, "-perm", "-u+x"];
  const [program] = (await runOrThrow("find", args, folder)).split("\n");
  if (program === undefined || program === "") throw new Error(`npm installed no program ${name}.`);
  return `${folder}/${program}`;
}
