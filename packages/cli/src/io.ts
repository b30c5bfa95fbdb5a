import type { Readable, Writable } from "node:stream";
import type { Clock } from "@tillkit/core";
import type { OpenWallets } from "./wallets.js";

/** What a run of the program has of the world: a test gives its own. */
export interface Io {
  readonly stdin: Readable;
  readonly stdout: Writable;
  /** Where messages and progress go; a progress bar only if it is a terminal. */
  readonly stderr: Writable & { readonly isTTY?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly openWallets: OpenWallets;
}
