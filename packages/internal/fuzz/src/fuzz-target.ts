import { inspect } from "node:util";
import fc from "fast-check";
import { watched } from "./watch.js";

/** A component that processes input of untrusted senders. */
export interface FuzzTarget {
  readonly name: string;
  /** Its share of all requests, in percent. */
  readonly share: number;
  /** Sets the target up once, for any number of rounds. */
  open(): Promise<OpenTarget>;
}

/** A target after its set-up. */
export interface OpenTarget {
  /**
   * Plays the test cases of a seed. Equal seeds give equal rounds.
   *
   * Stops at the first test case that violates an invariant, and shrinks it.
   */
  round(options: RoundOptions): Promise<RoundOutcome>;
  close(): Promise<void>;
}

/** Selects the test cases of a round. */
export interface RoundOptions {
  readonly seed: number;
  /** Begins with the test case at the `path` of a finding. */
  readonly path?: string;
  /** Called before each test case with its position in the round. */
  readonly onCase?: (place: number) => void;
}

/** The outcome of a round. */
export interface RoundOutcome {
  readonly requests: number;
  readonly finding?: FuzzFinding;
}

/** A violated invariant. */
export interface FuzzFinding {
  /** The invariant, and what was observed instead. */
  readonly broken: string;
  /** The smallest test case that violates it, as text. */
  readonly explanation: string;
  readonly seed: number;
  /** The path by which fast-check finds the test case again, with the steps of shrinking it. */
  readonly path: string;
}

/**
 * A target, described by its test cases.
 *
 * Each test case starts in the same state, so that it can be shrunk and repeated alone.
 */
export interface TargetParts<S> {
  readonly cases: fc.Arbitrary<S>;
  readonly requestsIn: (fuzzCase: S) => number;
  /** Rejects with the violated invariant. */
  readonly play: (fuzzCase: S) => Promise<void>;
  /** Formats the requests of a test case for a person. */
  readonly toText: (fuzzCase: S) => string;
  readonly close?: () => Promise<void>;
}

/** The number of test cases per round. */
const CASES = 30;
/** Timeout of a test case, in milliseconds. */
const PATIENCE = 30_000;

/** Creates a target that runs test cases in rounds. */
export function openTargetBy<S>({ cases, requestsIn, play, toText, close }: TargetParts<S>): OpenTarget {
  return {
    round: async ({ seed, path, onCase }) => {
      let requests = 0;
      let place = -1;
      const property = fc.asyncProperty(cases, async (fuzzCase) => {
        onCase?.((place += 1));
        requests += requestsIn(fuzzCase);
        await watched(() => play(fuzzCase));
      });
      const reported = await fc.check(property, {
        seed,
        numRuns: CASES,
        // The type of the plugin that replaces this option does not accept typed arbitraries.
        // oxlint-disable-next-line typescript/no-deprecated
        timeout: PATIENCE,
        ...(path === undefined ? {} : { path }),
      });
      if (!reported.failed || reported.counterexample === null) return { requests };
      const [fuzzCase] = reported.counterexample;
      const broken = reported.errorInstance instanceof Error ? reported.errorInstance.message : "it hangs";
      return {
        requests,
        finding: { broken, explanation: toText(fuzzCase), seed, path: reported.counterexamplePath },
      };
    },
    close: close ?? (async () => undefined),
  };
}

/** Reports a violated invariant. */
export function reportBroken(invariant: string, seen?: unknown): never {
  throw new Error(seen === undefined ? invariant : `${invariant}: ${shown(seen)}`);
}

function shown(seen: unknown): string {
  const text = typeof seen === "string" ? seen : inspect(seen, { depth: 8, breakLength: Infinity });
  return text.length > 2_000 ? `${text.slice(0, 2_000)} …` : text;
}
