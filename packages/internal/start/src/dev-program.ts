// The program of a build: `tillkit dev` with the arguments of `npm start` and the prepared files.
import { runProcess } from "../../../cli/src/run-process.js";

/** Resolves when the host is ready. */
export const ready = new Promise<void>((onReady) => {
  const dev = { prepared: process.env["PREPARED"], onReady };
  void runProcess(["dev", ...process.argv.slice(2)], dev);
});
