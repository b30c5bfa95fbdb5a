import { copyFile, mkdir } from "node:fs/promises";
import { root, runOrThrow } from "@tillkit/repository";
import { takePayment } from "../../../examples/frameworks/src/take-payment.js";
import { bundle } from "../lib/bundle.js";
import { asInstalled, install } from "../lib/install.js";
import { programOf } from "../lib/program-of.js";
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
const OWN = ["client", "core", "fetch", "host", "memory", "node", "runtime"].map(
  (name) => `@tillkit/${name}`,
);
const {
  bun,
  "bun-types": bunTypes,
  deno,
  miniflare,
  "node-22": node22,
  "node-24": node24,
} = REGISTRY_VERSIONS;

/** Takes a payment on Bun, Deno, workerd, and on each version of Node that Tillkit supports. */
export const platforms: AdoptionStep = {
  name: "platforms",
  shows: "payments on Bun, Deno, workerd, and Node 20, 22 and 24",
  run: async ({ folder, tarballs, createDatabase }) => {
    const registry = [
      bun,
      bunTypes,
      deno,
      miniflare,
      node22,
      node24,
      ...SANDBOX_HOST_OTHERS,
      asInstalled("typescript"),
    ];
    await install(folder, tarballs, [...OWN, ...SANDBOX_HOST_PACKAGES], registry);
    await buildSandboxHost(folder);
    for (const name of ["bun.js", "client.ts", "deno.js", "node.ts"]) {
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
      ["@tillkit/client on Node", process.execPath, []],
      ["@tillkit/client on Bun", bunProgram, []],
      ["@tillkit/client on Deno", denoProgram, DENO],
    ] as const) {
      const found = await runOrThrow(command, [...args, "client.mjs"], folder);
      lines.push(`${what} ${await versionOf(command, folder)}: ${found.trim()}`);
    }
    await checkClientTypes(folder, denoProgram);
    lines.push("@tillkit/client type-checks on Bun and Deno");
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

/** Checks the types of the client's program with the declarations of Bun and of Deno. */
async function checkClientTypes(folder: string, denoProgram: string): Promise<void> {
  const project = `${folder}/client-types`;
  await mkdir(project);
  await copyFile(`${PROGRAMS}/client.ts`, `${project}/client.ts`);
  await copyFile(`${PROGRAMS}/bun.tsconfig.json`, `${project}/tsconfig.json`);
  await runOrThrow(process.execPath, [`${folder}/node_modules/typescript/bin/tsc`, "-p", project], folder);
  await copyFile(`${PROGRAMS}/client.ts`, `${folder}/client.ts`);
  await runOrThrow(denoProgram, ["check", "--node-modules-dir=manual", "client.ts"], folder);
}

const DENO = ["run", "--allow-all", "--node-modules-dir=manual"];

async function versionOf(command: string, folder: string): Promise<string> {
  const [version = ""] = /\d[\d.]+/u.exec(await runOrThrow(command, ["--version"], folder)) ?? [];
  return version;
}
