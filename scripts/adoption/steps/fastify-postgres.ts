import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { install } from "../lib/install.js";
import {
  buildSandboxHost,
  paySandboxHost,
  SANDBOX_HOST,
  SANDBOX_HOST_OTHERS,
  SANDBOX_HOST_PACKAGES,
} from "../lib/sandbox-host.js";
import type { AdoptionStep } from "../lib/step.js";

/** The most lines that the program of the host may have. */
const MOST_LINES = 40;

/** Runs a host of at most 40 lines on Fastify and PostgreSQL, and takes a sandbox payment there. */
export const fastifyPostgres: AdoptionStep = {
  name: "fastify-postgres",
  shows: `a host of at most ${MOST_LINES} lines takes a sandbox payment at each wallet`,
  run: async ({ folder, tarballs, createDatabase }) => {
    const lines = (await readFile(SANDBOX_HOST, "utf8")).trimEnd().split("\n").length;
    assert.ok(lines <= MOST_LINES, `${SANDBOX_HOST} has ${lines} lines`);
    await install(folder, tarballs, SANDBOX_HOST_PACKAGES, SANDBOX_HOST_OTHERS);
    await buildSandboxHost(folder);
    await paySandboxHost(folder, await createDatabase(), process.execPath);
    return `${lines} lines of TypeScript took a payment at WALLET_A and at WALLET_B`;
  },
};
