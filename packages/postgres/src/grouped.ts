// Not the global one: a test that moves time would stop every store.
import { setImmediate } from "node:timers";
import { errorCode } from "./error-code.js";
import { overOrLate } from "./over-or-late.js";

/** How calls that are made at the same time share statements. */
export interface Grouping {
  /** How many calls one statement serves at most; 64 unless told. 1: every call has a statement of its own. */
  readonly atMost?: number;
}

/** One verb of a store, alone and for several calls. No answer is `undefined`. */
export interface GroupedVerb<A, R> {
  /** Answers one ask by a statement of its own. */
  readonly one: (ask: A) => Promise<R>;
  /**
   * Answers several by one statement, each under its place among them. An ask without an answer runs alone: one whose row another transaction had
   * locked, or that the statement could not see. It waits for no row that a transaction of several statements has locked; for one that such a
   * transaction is making it may.
   */
  readonly many: (asks: readonly A[]) => Promise<ReadonlyMap<number, R>>;
  /** What an ask writes. Two of one key never share a statement. */
  readonly keyOf?: (ask: A) => string;
}

/** As many statements of one verb are under way while later asks wait for each other. */
const AT_ONCE = 2;

/**
 * A verb whose asks of one turn of the event loop go as one statement, and under load also those that come while others are under way. An ask that
 * is by itself goes at once, with the statement it would have without groups. Throws on an `atMost` that is no whole number from 1 on.
 *
 * What one ask brings upon a group fails that ask alone: a group the server has undone for it runs again, one by one. Whatever else goes wrong, a
 * lost connection first of all, leaves open what was done: then all asks of the group fail, and none runs twice.
 */
export function grouped<A, R>(
  { one, many, keyOf }: GroupedVerb<A, R>,
  { atMost = 64 }: Grouping = {},
): (ask: A) => Promise<R> {
  if (!Number.isSafeInteger(atMost) || atMost < 1)
    throw new RangeError("A statement serves a whole number of calls, 1 or more.");
  if (atMost === 1) return one;

  let waiting: Waiting<A, R>[] = [];
  let underWay = 0;
  let due = false;

  const alone = async ({ ask, resolve, reject }: Waiting<A, R>): Promise<void> => {
    try {
      resolve(await one(ask));
    } catch (error) {
      reject(error);
    }
  };

  const together = async (group: readonly Waiting<A, R>[]): Promise<void> => {
    let answers: ReadonlyMap<number, R>;
    try {
      answers = await many(group.map(({ ask }) => ask));
    } catch (error) {
      for (const one of group) {
        if (wasUndone(error)) void alone(one);
        else one.reject(error);
      }
      return;
    }
    // Nobody waits for those that run alone: they may wait for a lock.
    for (const [place, one] of group.entries()) {
      const answer = answers.get(place);
      if (answer === undefined) void alone(one);
      else one.resolve(answer);
    }
  };

  const send = (group: readonly Waiting<A, R>[]): void => {
    underWay += 1;
    void overOrLate(group.length > 1 ? together(group) : Promise.all(group.map(alone))).then(() => {
      underWay -= 1;
      sendLater();
    });
  };

  const sendLater = (): void => {
    if (due || waiting.length === 0 || underWay >= AT_ONCE) return;
    due = true;
    setImmediate(() => {
      due = false;
      while (waiting.length > 0 && underWay < AT_ONCE) {
        const { group, rest } = parted(waiting, atMost, keyOf);
        waiting = rest;
        send(group);
      }
    });
  };

  return (ask) =>
    new Promise((resolve, reject) => {
      waiting.push({ ask, resolve, reject });
      sendLater();
    });
}

/** An ask, and how its caller hears of it. */
interface Waiting<A, R> {
  readonly ask: A;
  readonly resolve: (answer: R) => void;
  readonly reject: (error: unknown) => void;
}

/** The first of `waiting` that one statement can serve, and the others. */
function parted<A, R>(waiting: readonly Waiting<A, R>[], atMost: number, keyOf: GroupedVerb<A, R>["keyOf"]) {
  const group: Waiting<A, R>[] = [];
  const rest: Waiting<A, R>[] = [];
  const keys = new Set<string>();
  for (const one of waiting) {
    const key = keyOf?.(one.ask);
    const fits = group.length < atMost && (key === undefined || !keys.has(key));
    if (key !== undefined) keys.add(key);
    (fits ? group : rest).push(one);
  }
  return { group, rest };
}

/**
 * Whether the server said that it undid the statement, for something a single ask can bring upon it: its values, a constraint, a limit, a lock, or
 * the time that all took together. It goes by the code, for the severity comes in the server's language. With everything else each ask would have
 * failed by itself.
 */
function wasUndone(error: unknown): boolean {
  const code = errorCode(error);
  return typeof code === "string" && /^(?:(?:22|23|54)[0-9A-Z]{3}|40001|40P01|55P03|57014)$/.test(code);
}
