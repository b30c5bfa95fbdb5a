import {
  type Operator,
  orThrow,
  parseInput,
  type PayChannel,
  requestRefund,
  requestRefundInput,
} from "@tillkit/core";
import { approveRefund, decideRefundInput, rejectRefund } from "@tillkit/core/operators";
import type { RefundApproval } from "@tillkit/core/ports";
import { ResultAsync } from "neverthrow";
import { unique } from "../fixtures.js";
import { expectOk } from "../open-before-each.js";
import { aPurchase, created, paid, walletOf } from "./purchases.js";
import type { Service, ServiceChanges, StartService } from "./service.js";

const ORIGIN = { from: "192.0.2.1", traceId: "trace" };
/** An operator who requests refunds. */
export const LI: Operator = { name: "li", role: "support" };
/** An operator who may approve. */
export const HAN: Operator = { name: "han", role: "finance" };
/** Another operator who may approve. */
export const AN: Operator = { name: "an", role: "finance" };
/** More than 300 of the 600 cents of an order need an approval. */
export const OVER_300 = { policy: { refundApprovalOver: 300 } };

/** Starts a service with a paid order of six yuan. */
export async function withPaidOrder(
  start: StartService,
  changes: ServiceChanges = OVER_300,
  payChannel: PayChannel = "WALLET_A",
) {
  const service = await start(changes);
  const order = await created(service, service.demo, aPurchase({ payChannel }));
  await paid(service, order);
  const approvalOf = async (id: string) => expectOk(service.host.refundApprovals.find(id));
  return { service, order, bizNo: order.bizNo, wallet: walletOf(service, order), approvalOf };
}

/**
 * Returns the `seq` of the last event of an order of `demo`, for an operator who has seen all
 * events.
 */
export async function lastSeen({ host, demo }: Pick<Service, "host" | "demo">, bizNo: string) {
  const events = await expectOk(host.orders.timeline({ appId: demo.appId, bizNo }));
  return events.at(-1)?.seq ?? 0;
}

/**
 * Requests a refund of an order of `demo`.
 *
 * By default, the operator has seen everything that others did before the call. `seen` replaces
 * this.
 */
export function requested(
  service: Service,
  operator: Operator,
  raw: {
    readonly bizNo: string;
    readonly refundNo?: string;
    readonly amount?: number;
    readonly seen?: number | undefined;
  },
) {
  const { ports, demo } = service;
  return new ResultAsync(
    (async () => {
      const seen = "seen" in raw ? raw.seen : await lastSeen(service, raw.bizNo);
      const request = { refundNo: unique("refund-"), reason: "bought twice", ...raw, seen };
      return parseInput(requestRefundInput(ports.policy), request).asyncAndThen((input) =>
        requestRefund(ports, operator, demo.appId, input, ORIGIN),
      );
    })(),
  );
}

/** Requests a refund that needs an approval, of 400 cents by default. */
export async function waiting(
  service: Service,
  bizNo: string,
  { operator = LI, ...more }: { operator?: Operator; refundNo?: string; amount?: number } = {},
): Promise<RefundApproval> {
  const made = await expectOk(requested(service, operator, { bizNo, amount: 400, ...more }));
  if (made.outcome !== "waiting-for-approval") throw new Error(`The refund is ${made.outcome}.`);
  return made.approval;
}

/** Approves a waiting refund for an operator who has seen everything before the call. */
export function approve(
  service: Pick<Service, "ports" | "host" | "demo">,
  operator: Operator,
  approval: Pick<RefundApproval, "id" | "bizNo">,
  given: { readonly seen?: number } = {},
) {
  return new ResultAsync(
    (async () => {
      const seen = given.seen ?? (await lastSeen(service, approval.bizNo));
      return approveRefund(service.ports, operator, decisionOf(approval.id, seen), ORIGIN);
    })(),
  );
}

/** Rejects a waiting refund. */
export function reject(
  { ports }: Pick<Service, "ports">,
  operator: Operator,
  { id }: Pick<RefundApproval, "id">,
) {
  return rejectRefund(ports, operator, decisionOf(id), ORIGIN);
}

function decisionOf(id: string, seen?: number) {
  return orThrow(parseInput(decideRefundInput(), { id, reason: "checked", seen }));
}

/** Returns the entries of the audit log about refunds. */
export async function auditedRefunds({ host }: Service): Promise<readonly string[]> {
  const events = await expectOk(host.auditLog.read(0, 1_000));
  return events
    .filter(({ action }) => action.startsWith("refund."))
    .map(({ action, outcome, operator }) => `${action} ${outcome} ${operator}`);
}
