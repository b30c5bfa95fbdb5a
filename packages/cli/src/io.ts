import type { Readable, Writable } from "node:stream";
import type { Clock, PasswordHasher } from "@tillkit/core";
import type { OpenWallets } from "./wallets.js";

/** A stream that may be a terminal. */
export type MaybeTerminal = Writable & { readonly isTTY?: boolean };

/** The timeouts that a busy machine may exceed, in milliseconds. */
export type DatabaseTimeouts = Readonly<
  Partial<Record<"statementMs" | "idleInTransactionMs" | "connectMs", number>>
>;

/** What a repository has prepared for `tillkit dev`, so that it starts faster. */
export interface DevStart {
  /** A folder with a snapshot of the migrated database and the keys of the simulated wallets. */
  readonly prepared?: string | undefined;
  /** Called once the host is ready. */
  readonly onReady?: () => void;
}

/** The streams, environment, clock, wallets and hasher of a run. Tests pass their own. */
export interface Io {
  readonly stdin: Readable;
  /** Colours are used if it is a terminal. */
  readonly stdout: MaybeTerminal;
  /** Receives messages and progress. Colours and a progress bar need a terminal. */
  readonly stderr: MaybeTerminal;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly openWallets: OpenWallets;
  /**
   * Hashes the passwords of operators. Pass the hasher of the dashboard. Defaults to
   * `scryptHasher()` of `@tillkit/runtime`.
   */
  readonly passwords?: PasswordHasher;
  /** Timeouts of calls to a database server. Defaults to those of the PostgreSQL adapter. */
  readonly databaseTimeouts?: DatabaseTimeouts;
  /** Ends a command that runs until it is stopped. Defaults to Ctrl+C and SIGTERM. */
  readonly stop?: AbortSignal;
  /** What `tillkit dev` starts from. Defaults to nothing. */
  readonly dev?: DevStart;
  /**
   * The `host.json` of a development host that uses this folder. Defaults to `.tillkit/host.json`.
   */
  readonly hostFile?: string;
}
