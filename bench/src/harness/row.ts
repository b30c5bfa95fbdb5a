import type { Target } from "./target.js";

/**
 * The role of a contestant: Tillkit, an alternative to it, or a limit that no solution can exceed.
 */
export type Role = "ours" | "alternative" | "limit";

/** The measurement of one round of a contestant. */
export interface Round {
  readonly perSecond: number;
  /** The median response time, in milliseconds. */
  readonly p50: number;
  /** The 99th percentile of the response times, in milliseconds. */
  readonly p99: number;
  /**
   * Processor time per operation in microseconds. If there is a server, counts only the server.
   *
   * Absent if the time is unknown.
   */
  readonly cpu?: number;
  /** Processor time of the database server per operation, in microseconds. Rarely measured. */
  readonly databaseCpu?: number;
  /** The number of database connections at the end of the round. Rarely counted. */
  readonly connections?: number;
  /** The server's memory at the end of the round, in megabytes. Absent without a server process. */
  readonly rss?: number;
}

/** The rounds of a contestant. */
export interface Played {
  readonly name: string;
  readonly role: Role;
  readonly rounds: readonly Round[];
}

/** One way to do the operation of a row. It is idle between its rounds. */
export interface Contestant {
  readonly name: string;
  readonly role: Role;
  /** Runs for about `ms` milliseconds. Rejects if an operation gave a wrong answer. */
  readonly play: (ms: number) => Promise<Round>;
  /**
   * Returns the answer of the operation. All contestants of a row that have `answer` must agree.
   */
  readonly answer?: () => Promise<unknown>;
  /** Each operation starts a process, so only the operating system's cache of files gets warm. */
  readonly startsAnew?: true;
  readonly close?: () => Promise<void>;
}

/** Values that are counted once, such as sizes. */
export interface Counts {
  readonly title: string;
  readonly lines: readonly { readonly name: string; readonly count: number }[];
}

/** One operation, and several ways to do it. */
export interface BenchRow {
  /** Describes the operation in half a line. */
  readonly work: string;
  /** The first contestant is Tillkit. The others are compared with it. */
  readonly contestants: readonly [ours: Contestant, ...others: Contestant[]];
  readonly targets: readonly Target[];
  readonly counts?: Counts;
  /** What a quick run leaves out, if the targets are about large data. */
  readonly lessData?: string | undefined;
  /**
   * Changes the warm-up of the row.
   *
   * - `short`: a round is so long that two rounds are enough.
   * - `long`: the operation reads memory at random. The database's processes need long until they
   *   have read most pages, and the first read of a page costs more than the rest of an operation.
   */
  readonly warmUp?: "short" | "long";
  /**
   * Runs ten times as many rounds of a tenth of the length.
   *
   * For differences of a few microseconds. Within a second, the load of other programs can change
   * the figures by more than that, so the contestants take turns more often.
   */
  readonly shortRounds?: true;
  /** Closes what the contestants share, after the contestants themselves. */
  readonly close?: () => Promise<void>;
}
