#!/usr/bin/env node
import { join } from "node:path";
import { startSandbox } from "./start-sandbox.js";

const HELP = `Runs both simulated wallets and a simulated SMS carrier.

Usage
  tillkit-sandbox

Environment variables
  PORT      the port of the control interface on 127.0.0.1; 0 selects a free port (default 8788)
  DATA_DIR  the folder of state.jsonl, sandbox.json, wallet-a.json and wallet-b.json (default .tillkit-sandbox)`;

const [argument] = process.argv.slice(2);
if (argument === "--help" || argument === "-h") {
  process.stdout.write(`${HELP}\n`);
  process.exit(0);
}
if (argument !== undefined)
  stop(`Unknown argument ${JSON.stringify(argument)}. See the settings: tillkit-sandbox --help`);

const { PORT = "", DATA_DIR = "" } = process.env;
const controlPort = PORT === "" ? 8788 : Number(PORT);
if (!/^\d*$/.test(PORT) || controlPort > 65_535)
  stop("PORT must be a whole number from 0 to 65535. 0 selects a free port.");

const folder = DATA_DIR === "" ? ".tillkit-sandbox" : DATA_DIR;
const sandbox = await startSandbox({
  controlPort,
  // Short, because a person waits for the refund.
  refundTime: 1_000,
  stateFile: join(folder, "state.jsonl"),
  factsFile: join(folder, "sandbox.json"),
  payToolsFolder: folder,
});
process.stdout.write(
  `WALLET_A ${sandbox.addresses.walletA}\nWALLET_B ${sandbox.addresses.walletB}\ncontrol  ${sandbox.controlUrl}\n`,
);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void sandbox.close());

function stop(why: string): never {
  process.stderr.write(`${why}\n`);
  process.exit(1);
}
