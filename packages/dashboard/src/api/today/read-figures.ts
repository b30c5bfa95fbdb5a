import { checkCredentialExpiry, type Ports } from "@tillkit/core";
import type { StorageFailure } from "@tillkit/core/errors";
import { MAX_NOT_MADE, type Queues, readQueues, readToday, type Today } from "@tillkit/core/operators";
import type { Sales } from "@tillkit/core/ports";
import { okAsync, ResultAsync } from "neverthrow";
import type * as z from "zod";
import type { WalletCallFigures } from "../../wallet-call-figures.js";
import { cachedReads } from "../cached-reads.js";
import type { todaySchema } from "./schemas.js";

type TodayBody = z.output<typeof todaySchema>;

/** The number at which counting stops. */
const MAX_COUNT = 1_000;

/** How long figures are cached, in milliseconds. */
const MAX_AGE = 5_000;

/**
 * Returns everything that the page Today shows about `apps`. `undefined`: about every app.
 *
 * The figures may be a few seconds old.
 */
export type ReadFigures = (apps: readonly string[] | undefined) => ResultAsync<TodayBody, StorageFailure>;

/** Creates the function that reads the figures, for one surface. */
export function figuresReader(ports: Ports, walletCalls: WalletCallFigures | undefined): ReadFigures {
  const read = cachedReads<TodayBody, StorageFailure>(ports.clock, MAX_AGE);
  return (apps) => read(JSON.stringify(apps ?? null), () => readFigures(ports, apps, walletCalls));
}

function readFigures(
  ports: Ports,
  apps: readonly string[] | undefined,
  walletCalls: WalletCallFigures | undefined,
): ResultAsync<TodayBody, StorageFailure> {
  const queues: ResultAsync<Queues | undefined, StorageFailure> =
    apps === undefined ? readQueues(ports, MAX_COUNT) : okAsync(undefined);
  return readToday(ports, apps, MAX_COUNT).andThen((today) =>
    ResultAsync.combine([
      queues,
      ports.refundApprovals.countWaiting(apps, MAX_COUNT),
      expiringCredentials(ports, apps),
    ]).map(([waiting, approvals, credentials]) => ({
      ...bodyOf(today),
      approvals: counted(approvals),
      ...(waiting && { queues: queuesOf(waiting) }),
      // Wallet calls are counted for all apps together.
      ...(apps === undefined && walletCalls && { walletCalls: walletCalls.read() }),
      credentials,
    })),
  );
}

function bodyOf({ at, date, startsAt, sales, salesBefore, hours, pending, alarms, notMade }: Today) {
  const { oldest } = pending;
  return {
    at,
    day: date,
    startsAt,
    money: moneyOf(sales, salesBefore),
    hours,
    pending: {
      total: counted(pending.count),
      ...(oldest && { oldest: { appId: oldest.appId, bizNo: oldest.bizNo, gmtCreate: oldest.gmtCreate } }),
    },
    alarms: counted(alarms),
    notMade: { count: notMade, isLeast: notMade >= MAX_NOT_MADE },
  };
}

function counted(count: number) {
  return { count, isLeast: count >= MAX_COUNT };
}

function queuesOf(queues: Queues): NonNullable<TodayBody["queues"]> {
  const names = ["orders", "refunds", "billExceptions", "events", "parkedEvents"] as const;
  return names.map((name) => {
    const { due, oldestDueAt } = queues[name];
    return { name, count: counted(due), ...(oldestDueAt === undefined ? {} : { since: oldestDueAt }) };
  });
}

/** Joins both days. A row that only one day has gets zeros for the other day. */
function moneyOf(today: readonly Sales[], before: readonly Sales[]): TodayBody["money"] {
  const keyOf = ({ appId, payChannel }: Pick<Sales, "appId" | "payChannel">) => `${payChannel} ${appId}`;
  const earlier = new Map(before.map((sales) => [keyOf(sales), sales]));
  const known = new Set(today.map(keyOf));
  const onlyBefore = before
    .filter((sales) => !known.has(keyOf(sales)))
    .map(({ appId, payChannel }) => ({ appId, payChannel, payments: 0, taken: 0, refunds: 0, refunded: 0 }));
  return [...today, ...onlyBefore].map((sales) => {
    const { appId, payChannel, payments, taken, refunds, refunded } = sales;
    const { taken: takenBefore = 0, refunded: refundedBefore = 0 } = earlier.get(keyOf(sales)) ?? {};
    return { appId, payChannel, taken, refunded, paid: payments, refunds, takenBefore, refundedBefore };
  });
}

/** Returns the credentials that expire soon. The background task of the host emits their events. */
function expiringCredentials(
  ports: Ports,
  apps: readonly string[] | undefined,
): ResultAsync<TodayBody["credentials"], StorageFailure> {
  const until = ports.clock.now() + ports.policy.credentialWarning;
  return checkCredentialExpiry({ ...ports, observer: { onEvent: () => undefined } }).map(({ expiries }) =>
    expiries
      .filter(({ appId, expiresAt }) => expiresAt <= until && (apps?.includes(appId) ?? true))
      .map(({ payToolId, appId, payChannel, name, expiresAt }) => ({
        payToolId,
        appId,
        payChannel,
        name,
        expiresAt,
      })),
  );
}
