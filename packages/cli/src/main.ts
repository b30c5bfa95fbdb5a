#!/usr/bin/env node
import { systemClock } from "@tillkit/runtime";
import { run } from "./run.js";
import { installedWallets } from "./wallets.js";

const { stdin, stdout, stderr, env } = process;
// Whoever read the answer has seen enough, as `head` does: what was done is done, and nobody is left to be told.
for (const stream of [stdout, stderr])
  stream.on("error", (error: Error) => {
    if (!("code" in error) || error.code !== "EPIPE") throw error;
  });
process.exitCode = await run(process.argv.slice(2), {
  stdin,
  stdout,
  stderr,
  env,
  clock: systemClock,
  openWallets: installedWallets,
});
