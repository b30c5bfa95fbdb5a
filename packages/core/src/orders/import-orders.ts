import { ok, Result, type ResultAsync } from "neverthrow";
import type { App } from "../apps/app.js";
import type { StorageFailure } from "../errors/failure.js";
import type { Policy } from "../policy.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { forbiddenIdentity } from "./identity-rules.js";
import { storedCustomerName } from "./customer-name.js";
import { IMPORTED_PAY_TOOL, type ImportedOrder, orderLine } from "./imported-order.js";
import type { Order } from "./order.js";
import type { TimelineEntry } from "./timeline.js";

/** The result of one order of an import. */
export type ImportOutcome =
  | { readonly outcome: "imported" | "unchanged" }
  /** The order, or another one with its `id`, is stored with other values and stays unchanged. */
  | { readonly outcome: "conflict"; readonly reason: "other-values" | "id-taken" }
  /** The `customerIdentity` looks like personal data that the app must not send. */
  | { readonly outcome: "forbidden-identity" }
  | { readonly outcome: "unknown-app" };

/** Who imports, and whether anything is stored. */
export interface ImportOrdersOptions {
  /** The operator's name, stored in each order's timeline. */
  readonly operator: string;
  /** Checks everything and stores nothing. Defaults to false. */
  readonly dryRun?: boolean;
}

/**
 * Stores orders of another service as records. Each order is stored in one atomic step.
 *
 * Safe to retry and to run concurrently: an order that is stored already stays unchanged. Tillkit
 * never queries a wallet about an imported order, unless an operator calls `syncOrder`. An imported
 * order extends no service, and cannot be paid or refunded through Tillkit.
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
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/moving-an-existing-service.md | An app keeps its credentials, and old orders are records}
 */
export function importOrders(
  ports: Pick<Ports, "apps" | "orders" | "clock" | "policy">,
  inputs: readonly ImportedOrder[],
  { operator, dryRun = false }: ImportOrdersOptions,
): ResultAsync<readonly ImportOutcome[], StorageFailure> {
  return attempt(async () => {
    const apps = await findApps(ports, new Set(inputs.map(({ appId }) => appId)));
    if (apps.isErr()) return apps;
    const drafts = inputs.map((input) => draftOf(input, ports.policy));
    const held = await ports.orders.findByIds(drafts.map(({ id }) => id));
    if (held.isErr()) return held;
    const byId = new Map(held.value.map((order) => [order.id, order]));
    const lines = drafts.map((draft) => {
      const refusal = refusalOf(draft, apps.value.get(draft.appId), ports.policy);
      const known = byId.get(draft.id);
      // A later line of the batch with the same id meets this order.
      if (refusal === undefined && known === undefined) byId.set(draft.id, draft);
      return { draft, answer: refusal ?? (known && compared(known, draft, "unchanged")) };
    });
    const entry = entryOf(operator, ports.clock.now());
    const results = await Promise.all(
      lines.map(async ({ draft, answer }) => {
        if (answer !== undefined) return ok(answer);
        const stored = dryRun
          ? ports.orders.find(draft).map((order) => order ?? draft)
          : ports.orders.insertOnce(draft, entry);
        return stored.map((order) => compared(order, draft, "imported"));
      }),
    );
    return Result.combine(results);
  });
}

async function findApps({ apps }: Pick<Ports, "apps">, appIds: ReadonlySet<string>) {
  const found = new Map<string, App>();
  for (const appId of appIds) {
    const app = await apps.find(appId);
    if (app.isErr()) return app;
    if (app.value !== undefined) found.set(appId, app.value);
  }
  return ok(found);
}

function refusalOf(
  { customerIdentity }: Order,
  app: App | undefined,
  policy: Policy,
): ImportOutcome | undefined {
  if (app === undefined) return { outcome: "unknown-app" };
  const isForbidden =
    customerIdentity !== "" && forbiddenIdentity(app, customerIdentity, policy) !== undefined;
  return isForbidden ? { outcome: "forbidden-identity" } : undefined;
}

function compared(stored: Order, draft: Order, equal: "imported" | "unchanged"): ImportOutcome {
  if (orderLine(stored) === orderLine(draft)) return { outcome: equal };
  const isOther = stored.appId !== draft.appId || stored.bizNo !== draft.bizNo;
  return { outcome: "conflict", reason: isOther ? "id-taken" : "other-values" };
}

function draftOf(
  { customerName: named, attachData, sourceFrom, pmtDt, walletTradeNo, ...input }: ImportedOrder,
  policy: Policy,
): Order {
  const customerName = storedCustomerName(named, policy);
  return {
    ...input,
    ...(customerName === undefined ? {} : { customerName }),
    ...(attachData === undefined ? {} : { attachData }),
    ...(sourceFrom === undefined ? {} : { sourceFrom }),
    ...(pmtDt === undefined ? {} : { pmtDt }),
    ...(walletTradeNo === undefined ? {} : { walletTradeNo }),
    payToolId: IMPORTED_PAY_TOOL,
    notifyUrl: "",
    returnUrl: "",
    expiresAt: input.gmtCreate + policy.orderTtl,
  };
}

function entryOf(operator: string, at: number): TimelineEntry {
  return {
    type: "IMPORTED",
    at,
    actor: `operator:${operator}`,
    reason: "the order comes from another service; Tillkit queries no wallet about it",
    alarm: false,
  };
}
