import { err, ok, okAsync, Result, type ResultAsync } from "neverthrow";
import type { App } from "../apps/app.js";
import type { StorageFailure } from "../errors/failure.js";
import type { PayChannel } from "../pay-tools/pay-tool.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { appsOf, futureTime, type ImportOptions, type ImportOutcome } from "../apps/import-outcome.js";
import { eventWith } from "../orders/event-details.js";
import { storedCustomerName } from "../orders/customer-name.js";
import { connectedEntry } from "../orders/find-connected-order.js";
import { forbiddenIdentity } from "../orders/identity-rules.js";
import {
  IMPORTED_PAY_TOOL,
  type ImportedOrder,
  isImported,
  ORDER_TIMES,
  orderLine,
} from "../orders/imported-order.js";
import type { Order, OrderKey } from "../orders/order.js";
import type { TimelineEntry } from "../orders/timeline.js";

type ImportOrdersPorts = Pick<Ports, "apps" | "orders" | "payTools" | "clock" | "policy">;

/** Options of {@link importOrders}. */
export interface ImportOrdersOptions extends ImportOptions {
  /** The operator's name, stored in each order's timeline. */
  readonly operator: string;
  /**
   * Connects each order to the current pay tool of its app and channel. Defaults to false.
   *
   * Tillkit then queries the wallet about PENDING orders, and compares the orders with bills. The
   * merchant of the pay tool must be the one that took the payments.
   */
  readonly connect?: boolean;
}

/**
 * Stores orders of another service, each in one atomic step.
 *
 * Safe to retry and to run concurrently: an import does not change a stored order, except that
 * `connect` gives it a pay tool. Tillkit never queries a wallet about an imported order before the
 * order is connected: by `connect`, or by an operator's `syncOrder`, `closeOrder` or `refundOrder`.
 * An imported order extends no service. At most `amount - refundedAmount` can be refunded.
 *
 * @param inputs - one batch, for example of 500 orders.
 * @returns one outcome per input, in the order of `inputs`.
 * @example
 * ```ts
 * import { importedOrderInput, importOrders, parseInput } from "@tillkit/core";
 *
 * declare const line: Record<string, unknown>;
 *
 * const order = parseInput(importedOrderInput(ports.policy), line);
 * const outcomes = await order.asyncAndThen((input) =>
 *   importOrders(ports, [input], { operator: "kim" }),
 * );
 * ```
 * @see {@link
 *   https://github.com/tillkit/tillkit/blob/main/docs/decisions/moving-an-existing-service.md |
 *   An app keeps its credentials, and old records are imported}
 */
export function importOrders(
  ports: ImportOrdersPorts,
  inputs: readonly ImportedOrder[],
  options: ImportOrdersOptions,
): ResultAsync<readonly ImportOutcome[], StorageFailure> {
  return attempt(async () => {
    const apps = await appsOf(ports, inputs);
    if (apps.isErr()) return apps;
    const tools = await payToolsOf(ports, options.connect === true ? inputs : []);
    if (tools.isErr()) return tools;
    const drafts = inputs.map((input) => draftOf(ports, input, tools.value.get(toolKey(input))));
    const stored = await storedById(ports, drafts);
    if (stored.isErr()) return stored;
    const inBatch = new Map<string, Order>();
    const lines = drafts.map((draft) => {
      const refusal = refusalOf(ports, draft, apps.value.get(draft.appId), options);
      const known = storedOrderFor(stored.value, draft) ?? inBatch.get(draft.id);
      // Later lines of the batch with the same id are compared with this order.
      if (refusal === undefined && known === undefined) inBatch.set(draft.id, draft);
      return { draft, refusal, known };
    });
    const results = await Promise.all(
      lines.map(({ draft, refusal, known }) => {
        if (refusal !== undefined) return okAsync(refusal);
        return known === undefined
          ? insert(ports, draft, options)
          : compareAndConnect(ports, known, draft, options);
      }),
    );
    const outcomes = Result.combine(results);
    return outcomes.isErr() || options.dryRun === true ? outcomes : rechecked(ports, drafts, outcomes.value);
  });
}

type StoredOrders = ReadonlyMap<string, readonly Order[]>;

function storedById(
  { orders }: Pick<Ports, "orders">,
  drafts: readonly Order[],
): ResultAsync<StoredOrders, StorageFailure> {
  return orders.findByIds(drafts.map(({ id }) => id)).map((stored) => {
    const byId = new Map<string, readonly Order[]>();
    for (const order of stored) byId.set(order.id, [...(byId.get(order.id) ?? []), order]);
    return byId;
  });
}

/** Returns the stored order with the id of a line. Prefers one with another key: a conflict. */
function storedOrderFor(stored: StoredOrders, draft: Order): Order | undefined {
  const sameId = stored.get(draft.id) ?? [];
  return sameId.find((order) => isOther(order, draft)) ?? sameId[0];
}

/**
 * Reports a conflict for each new order whose id a concurrent import also stored.
 *
 * A store with several shards cannot make an id unique. At least one of the two imports reports the
 * conflict.
 */
function rechecked(
  ports: ImportOrdersPorts,
  drafts: readonly Order[],
  outcomes: readonly ImportOutcome[],
): ResultAsync<readonly ImportOutcome[], StorageFailure> {
  const added = drafts.filter((_, index) => outcomes[index]?.outcome === "imported");
  if (added.length === 0) return okAsync(outcomes);
  return storedById(ports, added).map((stored) =>
    outcomes.map((outcome, index) => {
      const draft = drafts[index];
      const isShared = draft !== undefined && stored.get(draft.id)?.some((order) => isOther(order, draft));
      return isShared === true && outcome.outcome === "imported" ? ID_TAKEN : outcome;
    }),
  );
}

const ID_TAKEN: ImportOutcome = { outcome: "conflict", reason: "id-taken" };

function isOther(left: OrderKey, right: OrderKey): boolean {
  return left.appId !== right.appId || left.bizNo !== right.bizNo;
}

function insert(
  ports: ImportOrdersPorts,
  draft: Order,
  { operator, dryRun = false }: ImportOrdersOptions,
): ResultAsync<ImportOutcome, StorageFailure> {
  if (dryRun) return ports.orders.find(draft).map((order) => compared(order ?? draft, draft, "imported"));
  return (
    ports.orders
      .insertOnce(draft, importedEntry(draft, ports.clock.now(), operator))
      .map((order) => compared(order, draft, "imported"))
      // A concurrent import may have stored another order with this id.
      .orElse((failure) =>
        ports.orders.findById(draft.id).andThen((order) => {
          const outcome = order && compared(order, draft, "unchanged");
          return outcome === undefined ? err(failure) : ok(outcome);
        }),
      )
  );
}

/** Compares a stored order with its line, and connects the order if it has no pay tool yet. */
function compareAndConnect(
  ports: ImportOrdersPorts,
  known: Order,
  draft: Order,
  { operator, dryRun = false }: ImportOrdersOptions,
): ResultAsync<ImportOutcome, StorageFailure> {
  const outcome = compared(known, draft, "unchanged");
  if (outcome.outcome !== "unchanged" || isImported(draft) || !isImported(known)) return okAsync(outcome);
  const connected: ImportOutcome = { outcome: "connected" };
  if (dryRun) return okAsync(connected);
  const entry = connectedEntry(ports.clock.now(), `operator:${operator}`, draft.payToolId);
  return ports.orders.connect(known, draft.payToolId, entry).map(() => connected);
}

type ToolOwner = Pick<Order, "appId" | "payChannel">;

function payToolsOf(
  { payTools }: Pick<Ports, "payTools">,
  inputs: readonly ToolOwner[],
): ResultAsync<ReadonlyMap<string, string>, StorageFailure> {
  return attempt(async () => {
    const found = new Map<string, string>();
    for (const [key, { appId, payChannel }] of new Map(inputs.map((input) => [toolKey(input), input]))) {
      const tool = await payTools.current(appId, payChannel);
      if (tool.isErr()) return tool;
      if (tool.value !== undefined) found.set(key, tool.value.id);
    }
    return ok(found);
  });
}

function toolKey({ appId, payChannel }: { readonly appId: string; readonly payChannel: PayChannel }): string {
  return JSON.stringify([appId, payChannel]);
}

function refusalOf(
  { clock, policy }: Pick<Ports, "clock" | "policy">,
  draft: Order,
  app: App | undefined,
  { connect = false }: ImportOrdersOptions,
): ImportOutcome | undefined {
  const { customerIdentity, payToolId } = draft;
  if (app === undefined) return { outcome: "unknown-app" };
  const future = futureTime(draft, ORDER_TIMES, clock.now());
  if (future !== undefined) return future;
  if (connect && payToolId === IMPORTED_PAY_TOOL) return { outcome: "no-pay-tool" };
  const isForbidden = customerIdentity !== "" && forbiddenIdentity(app, draft, policy) !== undefined;
  return isForbidden ? { outcome: "forbidden-identity" } : undefined;
}

function compared(stored: Order, draft: Order, equal: "imported" | "unchanged"): ImportOutcome {
  if (isOther(stored, draft)) return ID_TAKEN;
  return orderLine(stored) === orderLine(draft)
    ? { outcome: equal }
    : { outcome: "conflict", reason: "other-values" };
}

function draftOf(
  { clock, policy }: Pick<Ports, "clock" | "policy">,
  { customerName: named, attachData, sourceFrom, pmtDt, walletTradeNo, ...input }: ImportedOrder,
  payToolId = IMPORTED_PAY_TOOL,
): Order {
  const customerName = storedCustomerName(named, policy);
  const isQueried = payToolId !== IMPORTED_PAY_TOOL && input.paymentStatus === "PENDING";
  return {
    ...input,
    ...(customerName === undefined ? {} : { customerName }),
    ...(attachData === undefined ? {} : { attachData }),
    ...(sourceFrom === undefined ? {} : { sourceFrom }),
    ...(pmtDt === undefined ? {} : { pmtDt }),
    ...(walletTradeNo === undefined ? {} : { walletTradeNo }),
    ...(isQueried ? { nextQueryAt: clock.now() } : {}),
    payToolId,
    notifyUrl: "",
    returnUrl: "",
    expiresAt: input.gmtCreate + policy.orderTtl,
  };
}

function importedEntry(
  { amount, refundedAmount, paymentStatus }: Order,
  at: number,
  operator: string,
): TimelineEntry {
  return {
    ...eventWith("IMPORTED", { amount, refundedAmount }),
    to: paymentStatus,
    at,
    actor: `operator:${operator}`,
    alarm: false,
  };
}
