import {
  checkCredentialExpiry,
  type Ports,
  type Queues,
  readQueues,
  readToday,
  type Sales,
  type Today,
} from "@tillkit/core";
import type { StorageFailure } from "@tillkit/core/errors";
import { okAsync, ResultAsync } from "neverthrow";
import type * as z from "zod";
import type { WalletCallFigures } from "../../wallet-call-figures.js";
import { remembered } from "../remembered.js";
import type { todaySchema } from "./schemas.js";

type TodayBody = z.output<typeof todaySchema>;

const AT_MOST = 1_000;

/** How long figures are remembered, in milliseconds. */
const REMEMBERED = 5_000;

/**
 * Returns everything that the page Today shows, about `apps`, or about every app.
 *
 * The figures may be a few seconds old.
 */
export type ReadFigures = (apps: readonly string[] | undefined) => ResultAsync<TodayBody, StorageFailure>;

/** Creates the function that reads the figures, for one surface. */
export function figuresReader(ports: Ports, walletCalls: WalletCallFigures | undefined): ReadFigures {
  const recall = remembered<TodayBody, StorageFailure>(ports.clock, REMEMBERED);
  return (apps) => recall(JSON.stringify(apps ?? null), () => readFigures(ports, apps, walletCalls));
}

function readFigures(
  ports: Ports,
  apps: readonly string[] | undefined,
  walletCalls: WalletCallFigures | undefined,
): ResultAsync<TodayBody, StorageFailure> {
  const queues: ResultAsync<Queues | undefined, StorageFailure> =
    apps === undefined ? readQueues(ports, AT_MOST) : okAsync(undefined);
  return readToday(ports, apps, AT_MOST).andThen((today) =>
    ResultAsync.combine([
      queues,
      ports.refundApprovals.countWaiting(apps, AT_MOST),
      expiringCredentials(ports, apps),
    ]).map(([waiting, approvals, credentials]) => ({
      ...bodyOf(today),
      approvals: counted(approvals),
      ...(waiting && { queues: queuesOf(waiting) }),
      // They are counted for every app together.
      ...(apps === undefined && walletCalls && { walletCalls: walletCalls.read() }),
      credentials,
    })),
  );
}

function bodyOf({ at, date, startsAt, sales, salesBefore, hours, pending, alarms }: Today) {
  const { oldest } = pending;
  return {
    ...{ at, day: date, startsAt, money: moneyOf(sales, salesBefore), hours },
    pending: {
      total: counted(pending.count),
      ...(oldest && { oldest: { appId: oldest.appId, bizNo: oldest.bizNo, gmtCreate: oldest.gmtCreate } }),
    },
    alarms: counted(alarms),
  };
}

function counted(count: number) {
  return { count, isLeast: count >= AT_MOST };
}

function queuesOf(queues: Queues): NonNullable<TodayBody["queues"]> {
  const names = ["orders", "refunds", "billExceptions", "events", "parkedEvents"] as const;
  return names.map((name) => {
    const { due, oldestDueAt } = queues[name];
    return { name, count: counted(due), ...(oldestDueAt === undefined ? {} : { since: oldestDueAt }) };
  });
}

/** Joins both days, so that an app and channel of one of them is not left out. */
function moneyOf(today: readonly Sales[], before: readonly Sales[]): TodayBody["money"] {
  const keyOf = ({ appId, payChannel }: Pick<Sales, "appId" | "payChannel">) => `${payChannel} ${appId}`;
  const earlier = new Map(before.map((sales) => [keyOf(sales), sales]));
  const known = new Set(today.map(keyOf));
  const only = before
    .filter((sales) => !known.has(keyOf(sales)))
    .map(({ appId, payChannel }) => ({ appId, payChannel, payments: 0, taken: 0, refunds: 0, refunded: 0 }));
  return [...today, ...only].map((sales) => {
    const { appId, payChannel, payments, taken, refunds, refunded } = sales;
    const { taken: takenBefore = 0, refunded: refundedBefore = 0 } = earlier.get(keyOf(sales)) ?? {};
    return { appId, payChannel, taken, refunded, paid: payments, refunds, takenBefore, refundedBefore };
  });
}

/** Does not emit events: the timer of the host does. */
function expiringCredentials(
  ports: Ports,
  apps: readonly string[] | undefined,
): ResultAsync<TodayBody["credentials"], StorageFailure> {
  const until = ports.clock.now() + ports.policy.credentialWarning;
  return checkCredentialExpiry({ ...ports, observer: { onEvent: () => undefined } }).map(({ expiries }) =>
    expiries
      .filter(({ appId, expiresAt }) => expiresAt <= until && (apps?.includes(appId) ?? true))
      .map(({ payToolId, appId, payChannel, name, expiresAt }) => ({
        ...{ payToolId, appId, payChannel, name, expiresAt },
      })),
  );
}
