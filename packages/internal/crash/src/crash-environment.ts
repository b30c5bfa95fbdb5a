import type { Caller } from "./testing/caller.js";

/** A refund that an operator requests. The amount is cents. */
export interface RefundRequest {
  readonly bizNo: string;
  readonly refundNo: string;
  readonly amount: number;
}

/** A host that responds. */
export interface RunningHost {
  readonly caller: Caller;
  readonly serviceTypeNo: string;
  /** Requests a refund. Its response has a `code`. Absent if the host has no operator calls. */
  refund?(refundRequest: RefundRequest): Promise<unknown>;
}

/** The environment of a crash test run: a host that can be killed, and what survives it. */
export interface CrashEnvironment {
  /** Starts the host. Resolves once it responds, rejects if it ends before. */
  startHost(): Promise<RunningHost>;
  /** Kills the host as a crash would, even while it starts. */
  killHost(): Promise<void>;
  /** The database server, if the host does not have its database in a folder. */
  readonly database?: { readonly kill: () => Promise<void>; readonly start: () => Promise<void> };
  /**
   * Moves the clocks of the wallets and the host, and reconciles.
   *
   * @returns the new time in epoch milliseconds.
   */
  advance(host: RunningHost, ms: number): Promise<number>;
  /** The state file of the sandbox. */
  readonly ledgerFile: string;
  /** The folder of the host's files, and of its database unless `databaseUrl` is set. */
  readonly dataDir: string;
  readonly databaseUrl?: string | undefined;
  /** Ends all processes and removes all files. */
  clean(): Promise<void>;
}
