import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Fulfiller } from "@tillkit/client/fulfil";
import type pg from "pg";
import type { Service } from "./start-service.js";
import type { Verifier } from "./verifier.js";

/** What a round needs. */
export interface RoundParts {
  readonly service: Service;
  readonly fulfiller: Fulfiller;
  readonly pool: pg.Pool;
  /** Two processes. A killed one is replaced. */
  readonly verifiers: [Verifier, Verifier];
  readonly startVerifier: () => Promise<Verifier>;
  /** The verifications of both processes together. */
  readonly verifications: number;
}

/** The counts of one round. */
export interface Round {
  readonly bizNo: string;
  readonly isRefunded: boolean;
  readonly grants: number;
  readonly revocations: number;
  /** Why the round is wrong. Empty if it is right. */
  readonly problems: readonly string[];
}

/** The latest time of a kill, in milliseconds. The grant takes place in this time. */
const LATEST_KILL = 70;
/** The latest time of a refund, in milliseconds. */
const LATEST_REFUND = 150;
/** How long the processes have to finish a purchase, in milliseconds. */
const TIME_TO_FINISH = 20_000;

/**
 * Verifies one paid order in two processes, kills one at a random time, and counts the effects.
 *
 * Every second round refunds the order at a random time.
 */
export async function runRound(parts: RoundParts, nth: number): Promise<Round> {
  const { service, fulfiller, pool, verifiers, verifications } = parts;
  const isRefunded = nth % 2 === 1;
  const order = { bizNo: `buy-${String(nth)}`, customerIdentity: `user-${String(nth)}`, amount: 600 };
  await fulfiller.register({ ...order, data: "month" });
  await service.createPaid(order);

  const { bizNo, customerIdentity } = order;
  const asked = { bizNo, customerIdentity, times: verifications / 2 };
  const victim = randomInt(2) === 0 ? 0 : 1;
  const survivor = verifiers[1 - victim] ?? verifiers[0];
  const killed = verifiers[victim].verify(asked).catch(() => undefined);
  const refund = async (): Promise<void> => {
    await sleep(randomInt(LATEST_REFUND));
    await service.refund(bizNo);
  };
  const kill = async (): Promise<void> => {
    await sleep(randomInt(LATEST_KILL));
    await verifiers[victim].kill();
    await killed;
    verifiers[victim] = await parts.startVerifier();
    await verifiers[victim].verify(asked);
  };
  await Promise.all([survivor.verify(asked), kill(), ...(isRefunded ? [refund()] : [])]);

  const wanted = isRefunded ? "revoked" : "granted-before";
  const last = await finish(fulfiller, order, wanted);
  const { rows } = await pool.query<{ granted: number; revoked: number }>(
    `select count(*) filter (where effect = 'granted')::int as granted,
       count(*) filter (where effect = 'revoked')::int as revoked from effects where biz_no = $1`,
    [bizNo],
  );
  const { granted = 0, revoked = 0 } = rows[0] ?? {};
  const problems = [
    ...(last === wanted ? [] : [`the purchase is ${last} and not ${wanted}`]),
    ...(granted > 1 || (granted === 0 && !isRefunded) ? [`${String(granted)} grants`] : []),
    ...(revoked === (isRefunded ? granted : 0) ? [] : [`${String(revoked)} revocations`]),
  ];
  return { bizNo, isRefunded, grants: granted, revocations: revoked, problems };
}

/** Checks the purchase until it has the wanted outcome or the time is over. Returns the outcome. */
async function finish(
  fulfiller: Fulfiller,
  { bizNo, customerIdentity }: { readonly bizNo: string; readonly customerIdentity: string },
  wanted: string,
): Promise<string> {
  const end = Date.now() + TIME_TO_FINISH;
  for (;;) {
    await fulfiller.checkDue();
    const { outcome } = await fulfiller.verify(bizNo, customerIdentity);
    if (outcome === wanted || Date.now() > end) return outcome;
    await sleep(20);
  }
}
