// The program of a build: `tillkit dev` with the arguments and the environment variables of
// `npm start`, and the prepared files.
import { runProcess } from "../../../cli/src/run-process.js";
import { argumentsFrom } from "./arguments-from.js";

/** Resolves when the host is ready. */
export const ready = new Promise<void>((onReady) => {
  const dev = { prepared: process.env["PREPARED"], onReady };
  void runProcess(["dev", ...argumentsFrom(process.env), ...process.argv.slice(2)], dev);
});
