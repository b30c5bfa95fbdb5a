import type { Target } from "./target.js";

/** What a contestant is in its row: ours, what others would use or write instead, or what no solution can be faster than. */
export type Role = "ours" | "alternative" | "limit";

/** What was seen of a contestant in one round. */
export interface Round {
  readonly perSecond: number;
  /** Milliseconds that half of the works took at most. */
  readonly p50: number;
  /** Milliseconds that 99 in 100 works took at most. */
  readonly p99: number;
  /** Microseconds of processor time a work; of the server alone where there is one. Absent where nobody can tell. */
  readonly cpu?: number;
  /** Megabytes the server holds in memory at the end of the round; absent where the contestant has no process of its own. */
  readonly rss?: number;
}

/** What was seen of a contestant, round by round. */
export interface Played {
  readonly name: string;
  readonly role: Role;
  readonly rounds: readonly Round[];
}

/** One way of doing a row's work. Between its rounds it is idle. */
export interface Contestant {
  readonly name: string;
  readonly role: Role;
  /** Works for about `ms` milliseconds. Rejects when a work went wrong: a wrong answer is no speed. */
  readonly play: (ms: number) => Promise<Round>;
  /** What the work comes to: contestants of a row that have one must agree. */
  readonly answer?: () => Promise<unknown>;
  readonly close?: () => Promise<void>;
}

/** One work, and ways of doing it. */
export interface Row {
  /** What the work is, in half a line. */
  readonly work: string;
  /** The first is ours; the others are what it is compared with. */
  readonly contestants: readonly [ours: Contestant, ...others: Contestant[]];
  readonly targets: readonly Target[];
  /**
   * `short`: each of its works begins in a new process, or is one of a number prepared before. `long`: it reads so much memory all over that the
   * database's processes need as much time to have seen most of it; a page that a process has not seen costs it more than all else in a read.
   */
  readonly warmUp?: "short" | "long";
  /**
   * Ten times as many rounds of a tenth of the time: for a difference of some microseconds, which are less than what a machine that does other
   * things changes within a second.
   */
  readonly shortRounds?: true;
  /** Lets go of what the contestants share. They are closed before. */
  readonly close?: () => Promise<void>;
}
