import { ok, okAsync, Result, type ResultAsync } from "neverthrow";
import type { App } from "../apps/app.js";
import type { StorageFailure } from "../errors/failure.js";
import type { PayChannel } from "../pay-tools/pay-tool.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { importLines } from "../apps/import-lines.js";
import { replacedDetail } from "../apps/replaced-record.js";
import type { AuditEntry } from "../audit/audit-entry.js";
import { auditEntryOf, besideChange, type OperatorCommand } from "../operators/operator-command.js";
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
import type { ReplaceResult } from "../apps/replaced-record.js";
import type { TimelineEntry } from "../orders/timeline.js";

type ImportOrdersPorts = Pick<Ports, "apps" | "orders" | "payTools" | "clock" | "digest" | "policy">;

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
 * Safe to retry and to run concurrently. By default, an import does not change a stored order.
 * `connect` adds a pay tool to a stored order, and `replaceUntouched` replaces its values. Two
 * imports never store the same `id` for two orders.
 *
 * Tillkit never queries a wallet about an imported order before the order is connected: by
 * `connect`, or by a command of an operator, such as `syncOrder`. An imported order
 * extends no service. At most `amount - refundedAmount` can be refunded.
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
    const lines = inputs.map((input) => {
      const draft = draftOf(ports, input, tools.value.get(toolKey(input)));
      return { draft, refusal: refusalOf(ports, draft, apps.value.get(draft.appId), options) };
    });
    const state = options.dryRunState ?? new Map<string, string>();
    return importLines(lines, namesOf, (together) => importTogether(ports, together, options, state));
  });
}

/** A line of the file, and the reason if the line is refused. */
interface OrderLine {
  readonly draft: Order;
  readonly refusal: ImportOutcome | undefined;
}

/** Imports lines with different keys and ids. */
function importTogether(
  ports: ImportOrdersPorts,
  lines: readonly OrderLine[],
  options: ImportOrdersOptions,
  state: Map<string, string>,
): ResultAsync<readonly ImportOutcome[], StorageFailure> {
  return attempt(async () => {
    const valid = lines.flatMap(({ draft, refusal }) => (refusal === undefined ? [draft] : []));
    // One read finds most orders of a file that is imported again.
    const byId = await storedById(ports, valid);
    if (byId.isErr()) return byId;
    const results = await Promise.all(
      lines.map(({ draft, refusal }) => {
        if (refusal !== undefined) return okAsync(refusal);
        const owners = byId.value.get(draft.id) ?? [];
        if (owners.some((order) => isOther(order, draft))) return okAsync(ID_TAKEN);
        const [current] = owners;
        if (options.dryRun === true) return rehearse(ports, current, draft, options, state);
        return current === undefined
          ? insert(ports, draft, options)
          : compareAndConnect(ports, current, draft, options);
      }),
    );
    return Result.combine(results);
  });
}

/**
 * Returns the key and the id of the order.
 *
 * Lines with the same key or the same id are imported one after another.
 */
function namesOf({ draft }: Pick<OrderLine, "draft">): readonly [key: string, id: string] {
  return [`key ${draft.appId} ${draft.bizNo}`, `id ${draft.id}`];
}

type StoredOrders = ReadonlyMap<string, readonly Order[]>;

function storedById(
  { orders }: Pick<Ports, "orders">,
  drafts: readonly Order[],
): ResultAsync<StoredOrders, StorageFailure> {
  if (drafts.length === 0) return okAsync(new Map());
  return orders.findByIds(drafts.map(({ id }) => id)).map((matches) => {
    const byId = new Map<string, readonly Order[]>();
    for (const order of matches) byId.set(order.id, [...(byId.get(order.id) ?? []), order]);
    return byId;
  });
}

const UNCHANGED: ImportOutcome = { outcome: "unchanged" };
const REPLACED: ImportOutcome = { outcome: "replaced" };
const TOUCHED: ImportOutcome = { outcome: "conflict", reason: "touched" };
const OTHER_ID: ImportOutcome = { outcome: "conflict", reason: "other-id" };
const OTHER_VALUES: ImportOutcome = { outcome: "conflict", reason: "other-values" };
const ID_TAKEN: ImportOutcome = { outcome: "conflict", reason: "id-taken" };

function isOther(left: OrderKey, right: OrderKey): boolean {
  return left.appId !== right.appId || left.bizNo !== right.bizNo;
}

function insert(
  ports: ImportOrdersPorts,
  draft: Order,
  options: ImportOrdersOptions,
): ResultAsync<ImportOutcome, StorageFailure> {
  const entry = importedEntry(draft, ports.clock.now(), options.operator);
  return ports.orders.importOnce(draft, entry).andThen((result) => {
    if (result.outcome === "id-taken") return okAsync(ID_TAKEN);
    return result.outcome === "stored"
      ? okAsync<ImportOutcome>({ outcome: "imported" })
      : compareAndConnect(ports, result.order, draft, options);
  });
}

/**
 * Returns the outcome that the import of the line would have.
 *
 * `state` contains the lines that the dry run would have stored before, by key and by id.
 */
function rehearse(
  ports: ImportOrdersPorts,
  current: Order | undefined,
  draft: Order,
  options: ImportOrdersOptions,
  state: Map<string, string>,
): ResultAsync<ImportOutcome, StorageFailure> {
  const [key, id] = namesOf({ draft });
  const line = ports.digest.sha256(orderLine(draft));
  if ((state.get(id) ?? key) !== key) return okAsync(ID_TAKEN);
  const earlier = state.get(key);
  if (earlier === line) return okAsync(UNCHANGED);
  if (earlier !== undefined) {
    if (options.replaceUntouched === undefined) return okAsync(OTHER_VALUES);
    if (!state.has(id)) return okAsync(OTHER_ID);
    state.set(key, line);
    return okAsync(REPLACED);
  }
  const lookup = current === undefined ? ports.orders.find(draft) : okAsync(current);
  return lookup.andThen((order) => {
    if (order !== undefined)
      return compareAndConnect(ports, order, draft, options).andTee(({ outcome }) => {
        // A later line is compared with what the run would have stored.
        if (outcome === "replaced") state.set(key, line).set(id, key);
      });
    state.set(key, line).set(id, key);
    return okAsync<ImportOutcome>({ outcome: "imported" });
  });
}

/**
 * Compares a stored order with its line.
 *
 * Connects or replaces the order if the options allow it.
 */
function compareAndConnect(
  ports: ImportOrdersPorts,
  current: Order,
  draft: Order,
  options: ImportOrdersOptions,
): ResultAsync<ImportOutcome, StorageFailure> {
  if (orderLine(current) !== orderLine(draft)) return compareOther(ports, current, draft, options);
  if (isImported(draft) || !isImported(current)) return okAsync(UNCHANGED);
  const outcome: ImportOutcome = { outcome: "connected" };
  if (options.dryRun === true) return okAsync(outcome);
  const entry = connectedEntry(ports.clock.now(), `operator:${options.operator}`, draft.payToolId);
  return ports.orders.connect(current, draft.payToolId, entry).map(() => outcome);
}

/** Returns the outcome of a line with other values than the stored order. */
function compareOther(
  ports: ImportOrdersPorts,
  start: Order,
  draft: Order,
  { replaceUntouched: by, operator, dryRun = false }: ImportOrdersOptions,
): ResultAsync<ImportOutcome, StorageFailure> {
  if (by === undefined) return okAsync(OTHER_VALUES);
  return attempt(async () => {
    let previous = start;
    for (;;) {
      // The id cannot change: the hash chain of the timeline begins with it, and the wallet knows
      // it.
      if (previous.id !== draft.id) return ok(OTHER_ID);
      const result = dryRun
        ? await untouched(ports, draft)
        : await ports.orders.replaceImported(
            previous,
            replacementOf(previous, draft),
            replacedEntry(ports, previous, draft, operator),
            replacedAudit(ports, by, previous, draft),
          );
      if (result.isErr()) return result;
      if (result.value === "replaced") return ok(REPLACED);
      if (result.value === "touched") return ok(TOUCHED);
      const current = await ports.orders.find(draft);
      if (current.isErr()) return current;
      if (current.value === undefined) return ok(OTHER_VALUES);
      previous = current.value;
      if (orderLine(previous) === orderLine(draft)) return ok(UNCHANGED);
    }
  });
}

function untouched(
  { orders }: Pick<Ports, "orders">,
  key: OrderKey,
): ResultAsync<ReplaceResult, StorageFailure> {
  return orders
    .timeline(key)
    .map((events) => (events.every(({ type }) => type === "IMPORTED") ? "replaced" : "touched"));
}

/** Returns the order with its new values. It keeps its pay tool, unless the channel changes. */
function replacementOf(previous: Order, draft: Order): Order {
  const keepsTool = isImported(draft) && draft.payChannel === previous.payChannel;
  return keepsTool ? { ...draft, payToolId: previous.payToolId } : draft;
}

function replacedEntry(
  { clock, digest }: Pick<Ports, "clock" | "digest">,
  previous: Order,
  draft: Order,
  operator: string,
): TimelineEntry {
  return importedEntry(draft, clock.now(), operator, digest.sha256(orderLine(previous)));
}

/** The members of a line that contain no personal data. */
const OPEN_MEMBERS = [
  "amount",
  "payChannel",
  "paySource",
  "paymentStatus",
  "sourceFrom",
  "pmtDt",
  "walletTradeNo",
  "refundedAmount",
  "gmtCreate",
  "gmtModified",
];

function replacedAudit(
  ports: Pick<Ports, "clock" | "digest">,
  by: OperatorCommand,
  previous: Order,
  draft: Order,
): AuditEntry {
  const { appId, bizNo } = draft;
  return auditEntryOf(ports, besideChange(by), {
    action: "order.replace",
    subject: `order:${appId}/${bizNo}`,
    appId,
    detail: replacedDetail(ports.digest, [orderLine(previous), orderLine(draft)], OPEN_MEMBERS),
  });
}

type ToolOwner = Pick<Order, "appId" | "payChannel">;

function payToolsOf(
  { payTools }: Pick<Ports, "payTools">,
  inputs: readonly ToolOwner[],
): ResultAsync<ReadonlyMap<string, string>, StorageFailure> {
  return attempt(async () => {
    const tools = new Map<string, string>();
    for (const [key, { appId, payChannel }] of new Map(inputs.map((input) => [toolKey(input), input]))) {
      const tool = await payTools.current(appId, payChannel);
      if (tool.isErr()) return tool;
      if (tool.value !== undefined) tools.set(key, tool.value.id);
    }
    return ok(tools);
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
  const rule = customerIdentity === "" ? undefined : forbiddenIdentity(app, draft, policy);
  return rule === undefined ? undefined : { outcome: "forbidden-identity", rule };
}

function draftOf(
  { clock, policy }: Pick<Ports, "clock" | "policy">,
  { customerName: name, attachData, sourceFrom, pmtDt, walletTradeNo, ...input }: ImportedOrder,
  payToolId = IMPORTED_PAY_TOOL,
): Order {
  const customerName = storedCustomerName(name, policy);
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
  before?: string,
): TimelineEntry {
  return {
    ...eventWith("IMPORTED", { amount, refundedAmount, replaced: before }),
    to: paymentStatus,
    at,
    actor: `operator:${operator}`,
    alarm: false,
  };
}
