#!/usr/bin/env node
import { systemClock } from "@tillkit/runtime";
import { run } from "./run.js";
import { installedWallets } from "./wallets.js";

const { stdin, stdout, stderr, env } = process;
process.exitCode = await run(process.argv.slice(2), {
  stdin,
  stdout,
  stderr,
  env,
  clock: systemClock,
  openWallets: installedWallets,
});
