import type { Caller } from "./testing/caller.js";

/** A refund as an operator asks for it. Cents. */
export interface RefundWish {
  readonly bizNo: string;
  readonly refundNo: string;
  readonly amount: number;
}

/** A host that answers. */
export interface RunningHost {
  readonly caller: Caller;
  readonly serviceTypeNo: string;
  /** Asks for a refund; the answer has a `code` like every other. Absent where no operator can reach the host. */
  refund?(wish: RefundWish): Promise<unknown>;
}

/** Where a history takes place: a host that can be killed, and what outlives it. */
export interface World {
  /** Starts the host's process; resolves once it answers. Rejects when it ends before. */
  startHost(): Promise<RunningHost>;
  /** Ends the host as a crash would, also while it starts. */
  killHost(): Promise<void>;
  /** The database server, where the host does not have its database in a folder. */
  readonly database?: { readonly kill: () => Promise<void>; readonly start: () => Promise<void> };
  /** Moves the time of wallets and host, which answers, and reconciles. Gives the new time, epoch milliseconds. */
  advance(host: RunningHost, ms: number): Promise<number>;
  /** The state file of the sandbox. */
  readonly ledgerFile: string;
  /** Where the host keeps its files, and its database unless there is `databaseUrl`. */
  readonly dataDir: string;
  readonly databaseUrl?: string | undefined;
  /** Ends what still runs and removes what it kept. */
  clean(): Promise<void>;
}
