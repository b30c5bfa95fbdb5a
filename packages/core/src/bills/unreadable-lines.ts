import { err, ok, type Result, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { Policy } from "../policy.js";
import type { Ports } from "../ports.js";
import { isId } from "../shared/random.js";
import { attempt } from "../shared/attempt.js";
import type { WalletUnknown } from "../wallets/wallet.js";
import { billExceptionId, type FoundException } from "./bill-exception.js";
import type { BillRun } from "./compare-bill.js";
import type { UnreadableLine, UnreadableTotals } from "../wallets/wallet-bill.js";
import { keyOf } from "../orders/order.js";

/** A bill with more unreadable lines than this must have at least as many readable lines. */
const FEW = 10;

/** Collects the unreadable lines of a bill, at most `policy.maxUnreadableLines`. */
export interface UnreadableLines {
  /** Adds the unreadable lines among `entries`. Fails if there are too many. */
  add(entries: readonly (UnreadableLine | { readonly kind: string })[]): Result<void, WalletUnknown>;
  /** Returns all unreadable lines. Fails if they are too many for a bill with `readable` lines. */
  all(readable: number): Result<readonly UnreadableLine[], WalletUnknown>;
}

/** Creates an empty collection. */
export function unreadableLines({ maxUnreadableLines }: Pick<Policy, "maxUnreadableLines">): UnreadableLines {
  const lines: UnreadableLine[] = [];
  return {
    add: (entries) => {
      lines.push(...entries.filter(isUnreadable).slice(0, maxUnreadableLines + 1 - lines.length));
      return lines.length > maxUnreadableLines ? err(tooMany(lines)) : ok(undefined);
    },
    all: (readable) => (lines.length > FEW && lines.length > readable ? err(tooMany(lines)) : ok(lines)),
  };
}

function isUnreadable(entry: UnreadableLine | { readonly kind: string }): entry is UnreadableLine {
  return entry.kind === "unreadable";
}

function tooMany(lines: readonly UnreadableLine[]): WalletUnknown {
  const [first] = lines;
  const example = first === undefined ? "" : `, for example line ${first.at}: ${first.problem}`;
  return {
    name: "wallet.unknown",
    cause: "unverified",
    detail: `the bill cannot be read: too many of its lines (${lines.length} or more) do not have the expected format${example}; the wallet may have changed the format of its bills`,
  };
}

/**
 * Creates the exceptions of a bill's unreadable lines.
 *
 * Leaves out lines with a readable number that is not a Tillkit order number: they belong to
 * another seller.
 *
 * @param left - The money that the bill's totals leave for these lines. If there is only one
 *   unreadable line, this is its amount.
 */
export function unreadableExceptions(
  { orders, digest, clock }: Pick<Ports, "orders" | "digest" | "clock">,
  { bill, scope, asOf }: BillRun,
  kind: "UNREADABLE_LINE" | "UNREADABLE_MOVEMENT",
  lines: readonly UnreadableLine[],
  left?: UnreadableTotals,
): ResultAsync<readonly FoundException[], StorageFailure> {
  return attempt(async () => {
    const ours = lines.filter(({ outTradeNo }) => outTradeNo === undefined || isId(outTradeNo));
    const ids = [...new Set(ours.flatMap(({ outTradeNo }) => outTradeNo ?? []))];
    const knownOrders = ids.length === 0 ? ok([]) : await orders.findByIds(ids);
    if (knownOrders.isErr()) return knownOrders;
    const byId = new Map(knownOrders.value.map((order) => [order.id, order]));
    const amountThere = lines.length === 1 ? amountLeft(left) : undefined;
    const exceptions = ours.map(
      ({ at, digest: text, problem, outTradeNo = "", refundNo, walletTradeNo }): FoundException => {
        const order = byId.get(outTradeNo);
        const isOurs = order !== undefined && scope.payToolIds.has(order.payToolId);
        const mark = `${bill.day}:${at}:${text}`;
        return {
          ...bill,
          kind,
          id: billExceptionId(digest, { ...bill, kind, outTradeNo: "", mark }),
          outTradeNo,
          ...(refundNo === undefined ? {} : { refundNo }),
          ...(walletTradeNo === undefined ? {} : { walletTradeNo }),
          ...(amountThere === undefined ? {} : { amountThere }),
          ...(isOurs && refundNo === undefined ? { amountHere: order.amount } : {}),
          ...(isOurs ? { statusHere: order.paymentStatus, order: keyOf(order) } : {}),
          detail: `line ${at}: ${problem}`,
          asOf,
          at: clock.now(),
        };
      },
    );
    // Two files of one bill may contain the same line at the same position.
    return ok([...new Map(exceptions.map((one) => [one.id, one])).values()]);
  });
}

function amountLeft(left: UnreadableTotals | undefined): number | undefined {
  const { paymentAmount = 0, refundAmount = 0 } = left ?? {};
  if (paymentAmount !== 0 && refundAmount !== 0) return undefined;
  const amount = paymentAmount + refundAmount;
  return amount > 0 ? amount : undefined;
}
