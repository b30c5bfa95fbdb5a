import {
  approveRefund,
  decideRefundInput,
  type Operator,
  parseInput,
  type PayChannel,
  type RefundApproval,
  rejectRefund,
  requestRefund,
  requestRefundInput,
} from "@tillkit/core";
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

/** Requests a refund of an order of `demo`. */
export function requested(
  { ports, demo }: Service,
  operator: Operator,
  raw: { readonly bizNo: string; readonly refundNo?: string; readonly amount?: number },
) {
  const request = { refundNo: unique("refund-"), reason: "bought twice", ...raw };
  return parseInput(requestRefundInput(ports.policy), request).asyncAndThen((input) =>
    requestRefund(ports, operator, demo.appId, input, ORIGIN),
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

/** Approves a waiting refund. */
export function approve(
  { ports }: Pick<Service, "ports">,
  operator: Operator,
  { id }: Pick<RefundApproval, "id">,
) {
  return approveRefund(ports, operator, decisionOf(id), ORIGIN);
}

/** Rejects a waiting refund. */
export function reject(
  { ports }: Pick<Service, "ports">,
  operator: Operator,
  { id }: Pick<RefundApproval, "id">,
) {
  return rejectRefund(ports, operator, decisionOf(id), ORIGIN);
}

function decisionOf(id: string) {
  return parseInput(decideRefundInput(), { id, reason: "checked" })._unsafeUnwrap();
}

/** Returns what the audit log has about refunds. */
export async function auditedRefunds({ host }: Service): Promise<readonly string[]> {
  const events = await expectOk(host.auditLog.read(0, 1_000));
  return events
    .filter(({ action }) => action.startsWith("refund."))
    .map(({ action, outcome, operator }) => `${action} ${outcome} ${operator}`);
}
