import fc from "fast-check";
import { watched } from "./watch.js";

/** Something that takes what strangers send. */
export interface Target {
  readonly name: string;
  /** How many of a hundred requests it gets. */
  readonly share: number;
  /** Sets it up once for any number of rounds. */
  open(): Promise<Attack>;
}

/** A target that is set up. */
export interface Attack {
  /** Plays the stories that a seed decides; the same seed is the same round. Stops at the first that breaks a promise, and shortens it. */
  round(options: RoundOptions): Promise<RoundOutcome>;
  close(): Promise<void>;
}

/** Which stories to play. */
export interface RoundOptions {
  readonly seed: number;
  /** Plays one story alone: what `Finding.path` said. */
  readonly path?: string;
  /** Called before each story, with its place in the round. */
  readonly onStory?: (place: number) => void;
}

/** What came of a round. */
export interface RoundOutcome {
  readonly requests: number;
  readonly finding?: Finding;
}

/** A promise that did not hold. */
export interface Finding {
  /** What did not hold, and what was seen instead. */
  readonly broken: string;
  /** The shortest story that breaks it. */
  readonly story: string;
  readonly seed: number;
  /** Where in the round it is. */
  readonly path: string;
}

/** A target in terms of its stories: each begins in the same state, so that it can be told, shortened and played again by itself. */
export interface AttackParts<S> {
  readonly stories: fc.Arbitrary<S>;
  readonly requestsIn: (story: S) => number;
  /** Rejects with what did not hold. */
  readonly play: (story: S) => Promise<void>;
  /** The requests of a story, for a person. */
  readonly tell: (story: S) => string;
  readonly close?: () => Promise<void>;
}

/** Stories a round. */
const STORIES = 30;
/** Milliseconds after which a story hangs. */
const PATIENCE = 30_000;

/** Plays stories in rounds. */
export function attackBy<S>({ stories, requestsIn, play, tell, close }: AttackParts<S>): Attack {
  return {
    round: async ({ seed, path, onStory }) => {
      let requests = 0;
      let place = -1;
      const property = fc.asyncProperty(stories, async (story) => {
        onStory?.((place += 1));
        requests += requestsIn(story);
        await watched(() => play(story));
      });
      const told = await fc.check(property, {
        seed,
        numRuns: STORIES,
        timeout: PATIENCE,
        ...(path === undefined ? {} : { path }),
      });
      if (!told.failed || told.counterexample === null) return { requests };
      const [story] = told.counterexample;
      const broken = told.errorInstance instanceof Error ? told.errorInstance.message : "it hangs";
      return { requests, finding: { broken, story: tell(story), seed, path: told.counterexamplePath } };
    },
    close: close ?? (async () => undefined),
  };
}

/** Says that a promise did not hold. */
export function broken(promise: string, seen?: unknown): never {
  throw new Error(seen === undefined ? promise : `${promise}: ${shown(seen)}`);
}

function shown(seen: unknown): string {
  const text = typeof seen === "string" ? seen : JSON.stringify(seen);
  return text.length > 2_000 ? `${text.slice(0, 2_000)} …` : text;
}
