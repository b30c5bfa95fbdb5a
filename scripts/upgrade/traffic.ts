import { buyContinuously, type LaneContext } from "@tillkit/crash/buy";
import { type ClientRecords, newClientRecords } from "@tillkit/crash/client-records";
import type { RunningHost } from "@tillkit/crash/crash-environment";
import type { HostConnection } from "@tillkit/crash/host-connection";
import { logInContinuously } from "@tillkit/crash/log-in";
import { at, listAt } from "@tillkit/crash/testing/json";
import { seededChoices } from "@tillkit/simulation/choice-source";
import { REFUND_IN_PROGRESS } from "./traffic-counts.js";

/** Callers that send requests until they are stopped. */
export interface Traffic {
  readonly known: ClientRecords;
  /** Resolves after `count` further successful steps, such as a creation or a payment. */
  acknowledged(count: number): Promise<void>;
  /** Completes the current purchases. */
  stop(): Promise<void>;
}

/** The number of customers who buy at the same time. */
const LANES = 4;
/** The delay before a caller asks again for the second refund of an order, in milliseconds. */
const PAUSE = 100;

/**
 * Starts customers who buy, pay, read and log in through `host`.
 *
 * They never repeat a failed request, because the upgrade must not make any request fail. Only a
 * second refund waits for the first one.
 */
export function startTraffic(host: RunningHost): Traffic {
  const known = newClientRecords();
  let ending = false;
  const waiting: { count: number; reached: () => void }[] = [];
  const send: HostConnection["once"] = async (ask) => {
    known.requests += 1;
    return ask(host).catch((problem: unknown) => ({ problem: String(problem) }));
  };
  const line: HostConnection = {
    connect: () => undefined,
    once: send,
    persist: async (ask) => {
      for (;;) {
        const answer = await send(ask);
        if (at(answer, "code") !== REFUND_IN_PROGRESS) return answer;
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
      }
    },
    acknowledge: () => {
      known.acknowledged += 1;
      for (const { count, reached } of waiting) if (known.acknowledged >= count) reached();
    },
    acknowledged: (count) =>
      new Promise((reached) => void waiting.push({ count: known.acknowledged + count, reached })),
  };
  const context = (seed: number) => ({ line, known, choices: seededChoices(seed), ending: () => ending });
  const lanes = Array.from({ length: LANES }, (_, lane) =>
    buyContinuously(`u${String(lane)}`, context(lane)),
  );
  const running = Promise.all([
    ...lanes,
    logInContinuously(context(LANES)),
    readContinuously(context(LANES + 1)),
  ]);
  return {
    known,
    acknowledged: (count) => line.acknowledged(count),
    stop: async () => {
      ending = true;
      await running;
    },
  };
}

/** Reads histories and services of customers, and checks tokens. */
async function readContinuously(context: LaneContext): Promise<void> {
  const { line, known, choices } = context;
  const expect = (what: string, holds: boolean): void => {
    if (!holds) known.findings.push({ kind: "contradiction", bizNo: "", what });
  };
  while (!context.ending()) {
    const [purchases, tokens] = [[...known.purchases.values()], known.tokens];
    const purchase = purchases[choices.next(Math.max(1, purchases.length))];
    const customer = purchase?.customer ?? "customer-without-orders";
    const history = await line.once(({ caller }) => caller.get(`/history.json?customerIdentity=${customer}`));
    expect(`the history of ${customer} was answered ${JSON.stringify(history)}`, at(history, "code") === 0);
    const services = await line.once(({ caller }) => caller.get(`/customerServiceMgmt/${customer}.json`));
    const list = listAt(services, "data", "customerServiceList");
    expect(`${customer} has ${String(list.length)} services of one type`, list.length <= 1);
    expect(`the services of ${customer} could not be read`, at(services, "code") === 0);
    const token = tokens[choices.next(Math.max(1, tokens.length))];
    if (token === undefined) continue;
    const valid = await line.once(({ caller }) => caller.get(`/checkAuth.json?token=${token}`));
    expect("an acknowledged login is not valid", at(valid, "data") === true);
  }
}
