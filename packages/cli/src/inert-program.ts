import { PassThrough, Readable } from "node:stream";
import { systemClock } from "@tillkit/runtime";
import { createProgram } from "./program.js";

/** Creates the program without an environment, to describe or parse its commands. */
export function inertProgram() {
  return createProgram({
    io: {
      stdin: Readable.from([]),
      stdout: new PassThrough(),
      stderr: new PassThrough(),
      env: {},
      clock: systemClock,
      openWallets: () => {
        throw new Error("The command must not run.");
      },
    },
    report: async () => undefined,
  });
}
