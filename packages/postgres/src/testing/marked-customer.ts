import { aFoundException, anAlarm, anEntry, aRefund, DAY, expectOk } from "@tillkit/contract-tests";
import {
  configurePayTool,
  createApp,
  createOrder,
  createOrderInput,
  deliverDueEvents,
  eventHandler,
  logIn,
  orThrow,
  parseInput,
  receiveNotification,
  refundOrder,
  refundOrderInput,
  requestRefund,
  requestRefundInput,
  sendCode,
  settleRefund,
  settleRefundInput,
} from "@tillkit/core";
import {
  acknowledgeAlarm,
  assignBillException,
  assignBillExceptionInput,
  closeOrder,
  closeOrderInput,
  decideRefundInput,
  rejectRefund,
  resolveBillException,
  resolveBillExceptionInput,
  withdrawRefund,
  withdrawRefundInput,
} from "@tillkit/core/operators";
import type { MemoryPorts } from "@tillkit/memory";

/** What the customer, the caller and operators write in {@link aMarkedCustomer}. */
export const MARKS = {
  customerName: "MARK-name",
  attachData: "MARK-attach",
  payerId: "MARK-payer",
  label: "MARK-label",
  options: "MARK-options",
  refund: "MARK-refund",
  withdrawal: "MARK-withdrawal",
  settlement: "MARK-settlement",
  evidence: "MARK-evidence",
  approval: "MARK-approval",
  rejection: "MARK-rejection",
  acknowledgement: "MARK-acknowledgement",
  closure: "MARK-closure",
  resolution: "MARK-resolution",
  assignment: "MARK-assignment",
} as const;

const MOBILE_NO = "13800138000";
const LIMIT = 100;

/** A customer whose texts are all from {@link MARKS}. */
export interface MarkedCustomer {
  readonly appId: string;
  readonly mobileNo: string;
  readonly customerIdentity: string;
  /** The hashes of the phone number and of the session's token. */
  readonly hashes: readonly string[];
}

/** Stores a customer who logs in and buys, and what operators write about the orders. */
export async function aMarkedCustomer(shared: MemoryPorts): Promise<MarkedCustomer> {
  // The second refund needs an approval.
  const ports = { ...shared, policy: { ...shared.policy, refundApprovalOver: LIMIT } };
  const mailer = eventHandler({ name: "mailer", handle: async () => undefined });
  await expectOk(ports.eventDeliveries.registerHandler(mailer.name, ports.clock.now()));
  const appId = await anApp(ports);
  const { customerId, hashes } = await aLogin(ports, appId);
  const order = await aMarkedOrder(ports, appId, customerId, "b-1");
  const key = { appId, bizNo: order.bizNo };
  await payAndRefund(ports, order);
  await refuseAndSettle(ports, order);
  await expectOk(ports.orders.record(order, anAlarm()));
  const by = { ...ORIGIN, operator: "li", reason: MARKS.acknowledgement };
  await expectOk(acknowledgeAlarm(ports, key, by));
  await noteDifferences(ports, order);
  const closed = await aMarkedOrder(ports, appId, customerId, "b-2");
  const closing = { bizNo: closed.bizNo, reason: MARKS.closure, operator: "li" };
  await expectOk(closeOrder(ports, appId, orThrow(parseInput(closeOrderInput(ports.policy), closing))));
  for (let orders = 1; orders > 0;) {
    const round = await expectOk(deliverDueEvents(ports, mailer, { startTimer: () => () => undefined }));
    ({ orders } = round);
  }
  return { appId, mobileNo: MOBILE_NO, customerIdentity: customerId, hashes };
}

const ORIGIN = { from: "192.0.2.1", traceId: "" } as const;
type Order = Awaited<ReturnType<typeof aMarkedOrder>>;

async function anApp(ports: MemoryPorts): Promise<string> {
  const { app } = await expectOk(createApp(ports, { name: "Notes" }));
  await expectOk(
    configurePayTool(ports, app.appId, {
      payChannel: "WALLET_A",
      appEnv: "DEV",
      accountId: "1900000001",
      walletAppId: "wx1",
      appName: "Notes",
      appPackageName: "notes",
      appSignature: "0a",
      credentials: { key: "k" },
    }),
  );
  return app.appId;
}

/** Logs the customer in, uses the session on the next day, and requests another code. */
async function aLogin(ports: MemoryPorts, appId: string) {
  await expectOk(sendCode(ports, appId, { mobileNo: MOBILE_NO }));
  const authCode = ports.smsSender.messages.at(-1)?.authCode ?? "";
  const { label } = MARKS;
  const { customerId, token } = await expectOk(
    logIn(ports, appId, { mobileNo: MOBILE_NO, authCode }, { label }),
  );
  ports.clock.advance(DAY);
  const tokenHash = ports.digest.sha256(token);
  await expectOk(ports.sessions.use({ appId, customerId, tokenHash }, ports.clock.now()));
  await expectOk(sendCode(ports, appId, { mobileNo: MOBILE_NO }));
  const phone = ports.digest.keyed(`phone\n${appId}\n+86${MOBILE_NO}`);
  return { customerId, hashes: [phone[0], tokenHash] };
}

async function aMarkedOrder(ports: MemoryPorts, appId: string, customerIdentity: string, bizNo: string) {
  const { customerName, attachData, payerId } = MARKS;
  const walletOptions = { attach: MARKS.options };
  const terms = { bizNo, customerIdentity, amount: 600, goodsTitle: "One month", payChannel: "WALLET_A" };
  const input = { ...terms, paySource: "JSAPI", customerName, attachData, payerId, walletOptions };
  const { order } = await expectOk(
    createOrder(ports, appId, orThrow(parseInput(createOrderInput(ports.policy), input))),
  );
  return order;
}

async function payAndRefund(ports: MemoryPorts, order: Order): Promise<void> {
  const wallet = ports.wallets.WALLET_A;
  wallet.pay(order.id);
  const orderRef = order.notifyUrl.split("/").at(-1) ?? "";
  const address = { payChannel: order.payChannel, payToolId: order.payToolId, orderRef };
  await expectOk(receiveNotification(ports, address, wallet.notificationFor(order.id)));
  const refund = { bizNo: order.bizNo, refundNo: "r-1", amount: 100, reason: MARKS.refund, operator: "li" };
  const input = orThrow(parseInput(refundOrderInput(ports.policy), refund));
  await expectOk(refundOrder(ports, order.appId, input));
}

/** Stores a refund that an operator rejects, and one that is withdrawn and then paid in cash. */
async function refuseAndSettle(ports: MemoryPorts, { appId, bizNo }: Order): Promise<void> {
  const seen = (await expectOk(ports.orders.timeline({ appId, bizNo }))).at(-1)?.seq;
  const request = { bizNo, refundNo: "r-2", amount: LIMIT + 1, reason: MARKS.approval, seen };
  const asked = await expectOk(
    requestRefund(
      ports,
      { name: "li", role: "finance" },
      appId,
      orThrow(parseInput(requestRefundInput(ports.policy), request)),
      ORIGIN,
    ),
  );
  if (asked.outcome !== "waiting-for-approval") throw new Error("The refund needs no approval.");
  const decision = { id: asked.approval.id, reason: MARKS.rejection };
  const rejecting = orThrow(parseInput(decideRefundInput(), decision));
  await expectOk(rejectRefund(ports, { name: "han", role: "finance" }, rejecting, ORIGIN));
  const at = ports.clock.now();
  const numbers = { appId, bizNo, refundNo: "r-3" };
  const refund = aRefund({ ...numbers, amount: 50, reason: MARKS.refund, gmtCreate: at, gmtModified: at });
  const entry = anEntry({ type: "REFUND_REQUESTED", reason: MARKS.refund, refundNo: "r-3", at });
  await expectOk(ports.refunds.request({ ...refund, nextTryAt: at + DAY }, entry));
  const withdrawal = { bizNo, refundNo: "r-3", reason: MARKS.withdrawal, operator: "li" };
  const withdrawing = orThrow(parseInput(withdrawRefundInput(ports.policy), withdrawal));
  await expectOk(withdrawRefund(ports, appId, withdrawing));
  const { settlement: reason, evidence } = MARKS;
  const paid = { bizNo, refundNo: "r-3", reason, evidence, operator: "li" };
  const settling = orThrow(parseInput(settleRefundInput(ports.policy), paid));
  await expectOk(settleRefund(ports, appId, settling));
}

/** Stores a resolved difference about the order, and a payment that was assigned to the order. */
async function noteDifferences(ports: MemoryPorts, { id: outTradeNo, appId, bizNo }: Order): Promise<void> {
  const at = ports.clock.now();
  const known = aFoundException({ outTradeNo, order: { appId, bizNo }, asOf: at, at });
  const unknown = aFoundException({ asOf: at, at });
  await expectOk(ports.billExceptions.report([known, unknown]));
  const resolution = { id: known.id, operator: "li", note: MARKS.resolution };
  const resolving = orThrow(parseInput(resolveBillExceptionInput(), resolution));
  await expectOk(resolveBillException(ports, resolving, ORIGIN));
  const assignment = { id: unknown.id, appId, bizNo, operator: "li", note: MARKS.assignment };
  const assigning = orThrow(parseInput(assignBillExceptionInput(ports.policy), assignment));
  await expectOk(assignBillException(ports, assigning, ORIGIN));
}
