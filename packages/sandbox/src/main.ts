#!/usr/bin/env node
import { join } from "node:path";
import { startSandbox } from "./start-sandbox.js";

// Runs both wallets and the SMS carrier in a separate process. PORT is the port of the control
// interface; DATA_DIR receives the state and facts files.
const { PORT = "8788", DATA_DIR = ".tillkit-sandbox" } = process.env;
const sandbox = await startSandbox({
  controlPort: Number(PORT),
  stateFile: join(DATA_DIR, "state.jsonl"),
  factsFile: join(DATA_DIR, "sandbox.json"),
});
process.stdout.write(
  `WALLET_A ${sandbox.addresses.walletA}\nWALLET_B ${sandbox.addresses.walletB}\ncontrol  ${sandbox.controlUrl}\n`,
);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void sandbox.close());
