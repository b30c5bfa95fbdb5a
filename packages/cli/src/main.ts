#!/usr/bin/env node
import { systemClock } from "@tillkit/runtime";
import { run } from "./run.js";
import { installedWallets } from "./wallets.js";

const { stdin, stdout, stderr, env } = process;
// A reader such as `head` may close the pipe early. The command has done its work by then.
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
