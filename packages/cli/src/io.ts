import type { Readable, Writable } from "node:stream";
import type { Clock } from "@tillkit/core";
import type { OpenWallets } from "./wallets.js";

/** The streams, environment, clock and wallets of a run. Tests pass their own. */
export interface Io {
  readonly stdin: Readable;
  readonly stdout: Writable;
  /** Receives messages and progress. A progress bar needs a terminal. */
  readonly stderr: Writable & { readonly isTTY?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly openWallets: OpenWallets;
}
