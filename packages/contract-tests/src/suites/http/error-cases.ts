import { type Order, type Ports, reconcileOrders } from "@tillkit/core";
import type { Failure, FailureName } from "@tillkit/core/errors";
import { outRefundNo } from "@tillkit/core/ports";
import { errAsync } from "neverthrow";
import { anEntry, anId, unique } from "../../support/fixtures.js";
import { expectFailure, expectOk } from "../../support/open-before-each.js";
import type { ServiceReply, Caller } from "../../support/http/caller.js";
import {
  adopt,
  aPurchase,
  created,
  paid,
  payOut,
  refund,
  REJECTED,
  settle,
  UNKNOWN,
  walletOf,
  withdraw,
} from "../../support/http/purchases.js";
import { throwingPort, type Service } from "../../support/http/service.js";

/** A text in the sent values. Error messages must not contain it: they must not repeat values. */
export const CANARY = "7391";

/** A failure that an HTTP request can cause. */
interface OnTheWire {
  readonly ports?: (ports: Ports) => Ports;
  readonly answer: (service: Service) => Promise<ServiceReply>;
}

/** A failure that only operator functions return. No endpoint returns it, but a host may. */
interface OfOperators {
  readonly code: number;
  /** HTTP status if the host uses standard statuses. */
  readonly status: number;
  readonly failure: (service: Service) => Promise<Failure>;
}

/** Causes one failure, with an HTTP request or with an operator function. */
export type ErrorCase = OnTheWire | OfOperators;

const PHONE = "13800138000";

/** Causes every failure of the catalog. A catalog row without a case does not compile. */
export const ERROR_CASES = {
  "credentials.missing": {
    answer: ({ demo }) => demo.send({ path: "/payTools.json", headers: { APP_SECRET: "" } }),
  },
  "credentials.invalid": {
    answer: ({ demo }) => demo.send({ path: "/payTools.json", headers: { APP_SECRET: `sk_${CANARY}` } }),
  },
  "request.malformed": { answer: ({ demo }) => demo.postText("/order.json", `{"bizNo":"b-${CANARY}"`) },
  "parameter.missing": { answer: ({ demo }) => create(demo, { goodsTitle: undefined }) },
  "parameter.invalid": { answer: ({ demo }) => create(demo, { bizNo: `b ${CANARY}` }) },
  "amount.invalid": { answer: ({ demo }) => create(demo, { amount: -Number(CANARY) }) },
  "pay-channel.invalid": { answer: ({ demo }) => create(demo, { payChannel: `WALLET_${CANARY}` }) },
  "pay-source.invalid": { answer: ({ demo }) => create(demo, { paySource: `APP${CANARY}` }) },
  "customer-identity.required": { answer: ({ demo }) => create(demo, { customerIdentity: undefined }) },
  "customer-identity.forbidden": {
    answer: ({ demo }) => create(demo, { customerIdentity: `someone-${CANARY}@mail.example` }),
  },
  "source-from.invalid": { answer: ({ demo }) => create(demo, { sourceFrom: `store_${CANARY}` }) },
  "attach-data.too-large": {
    answer: ({ demo }) => create(demo, { attachData: CANARY.repeat(4_096 / CANARY.length) + "!" }),
  },
  "request.too-large": { answer: ({ demo }) => create(demo, { ignored: CANARY.repeat(16 * 1_024 + 1) }) },
  "page.invalid": {
    answer: ({ demo }) => demo.get("/history.json", { customerIdentity: `c-${CANARY}`, pageSize: CANARY }),
  },
  "mobile-no.invalid": { answer: ({ demo }) => demo.get("/sms.json", { mobileNo: `1${CANARY}` }) },
  "mobile-no.not-allowed": { answer: ({ demo }) => demo.get("/sms.json", { mobileNo: "+19005551234" }) },
  "mobile-no.locked": {
    answer: async ({ demo }) => {
      const request = () => demo.get("/sms.json", { mobileNo: PHONE });
      for (let tries = 0; tries < 15; tries += 1) {
        if (tries % 5 === 0) await request();
        await demo.post("/auth.json", { mobileNo: PHONE, authCode: `x${CANARY}` });
      }
      return request();
    },
  },
  "endpoint.not-found": { answer: ({ demo }) => demo.get(`/${CANARY}.json`) },
  "payer-address.invalid": {
    answer: ({ demo, host }) => {
      host.wallets.WALLET_A.failNext("prepare", {
        ...REJECTED,
        reason: "payer-address",
        parameter: "x-payer-client-ip",
        detail: CANARY,
      });
      return create(demo, { paySource: "H5" });
    },
  },
  "auth-code.invalid": {
    answer: ({ demo }) => demo.post("/auth.json", { mobileNo: PHONE, authCode: `00${CANARY}` }),
  },
  "auth-code.attempts-exceeded": {
    answer: async ({ demo }) => {
      await demo.get("/sms.json", { mobileNo: PHONE });
      const tryOnce = () => demo.post("/auth.json", { mobileNo: PHONE, authCode: `x${CANARY}` });
      for (let tries = 0; tries < 5; tries += 1) await tryOnce();
      return tryOnce();
    },
  },
  "sms.quota-exceeded": {
    answer: async ({ demo }) => {
      for (let sent = 0; sent < 5; sent += 1) await demo.get("/sms.json", { mobileNo: PHONE });
      return demo.get("/sms.json", { mobileNo: PHONE });
    },
  },
  "sms.not-sent": {
    answer: ({ demo, host }) => {
      host.smsSender.failNext({ name: "sms.rejected", detail: CANARY });
      return demo.get("/sms.json", { mobileNo: PHONE });
    },
  },
  "wallet-a.rejected": {
    answer: ({ demo, host }) => {
      host.wallets.WALLET_A.failNext("prepare", { ...REJECTED, detail: CANARY });
      return create(demo);
    },
  },
  "wallet-a.unavailable": {
    answer: ({ demo, host }) => {
      host.wallets.WALLET_A.failNext("prepare", { ...UNKNOWN, detail: CANARY });
      return create(demo);
    },
  },
  "wallet-a.bad-answer": {
    answer: ({ demo, host }) => {
      host.wallets.WALLET_A.failNext("prepare", { ...UNKNOWN, cause: "unverified", detail: CANARY });
      return create(demo);
    },
  },
  "wallet-b.failed": {
    answer: ({ demo, host }) => {
      host.wallets.WALLET_B.failNext("prepare", { ...UNKNOWN, detail: CANARY });
      return create(demo, { payChannel: "WALLET_B", paySource: "NATIVE" });
    },
  },
  "order.not-found": {
    answer: ({ demo }) => demo.get("/detail.json", { bizNo: `b-${CANARY}`, customerIdentity: `c-${CANARY}` }),
  },
  "biz-no.conflict": {
    answer: async ({ demo }) => {
      await create(demo, { bizNo: `b-${CANARY}` });
      return create(demo, { bizNo: `b-${CANARY}`, amount: Number(CANARY) + 10_000 });
    },
  },
  "order.already-paid": {
    answer: async (service) => {
      const purchase = aPurchase({ bizNo: `b-${CANARY}` });
      await paid(service, await created(service, service.demo, purchase));
      return service.demo.post("/order.json", purchase);
    },
  },
  "order.closed": {
    answer: async (service) => {
      const purchase = aPurchase({ bizNo: `b-${CANARY}` });
      const { expiresAt } = await created(service, service.demo, purchase);
      service.host.clock.advance(expiresAt - service.host.clock.now());
      return service.demo.post("/order.json", purchase);
    },
  },
  "order.refunded": {
    answer: async (service) => {
      const purchase = aPurchase({ bizNo: `b-${CANARY}` });
      await paid(service, await created(service, service.demo, purchase));
      await expectOk(refund(service, purchase.bizNo));
      return service.demo.post("/order.json", purchase);
    },
  },
  "order.not-paid": {
    code: 50006,
    status: 409,
    failure: async (service) => {
      const { bizNo } = await created(service, service.demo, aPurchase());
      return expectFailure(refund(service, bizNo));
    },
  },
  "refund.exceeds-remaining": {
    code: 50007,
    status: 409,
    failure: async (service) => {
      const { bizNo } = await paidOrder(service);
      return expectFailure(refund(service, bizNo, 601));
    },
  },
  "refund.in-progress": {
    code: 50008,
    status: 409,
    failure: async (service) => {
      const order = await paidOrder(service);
      walletOf(service, order).failNext("refund", UNKNOWN);
      await expectFailure(refund(service, order.bizNo, 100));
      return expectFailure(refund(service, order.bizNo, 100));
    },
  },
  "refund.rejected": {
    code: 50009,
    status: 502,
    failure: async (service) => {
      const order = await paidOrder(service);
      walletOf(service, order).failNext("refund", REJECTED);
      return expectFailure(refund(service, order.bizNo));
    },
  },
  "refund.outcome-unknown": {
    code: 50010,
    status: 503,
    failure: async (service) => {
      const order = await paidOrder(service);
      walletOf(service, order).failNext("refund", UNKNOWN, "after");
      return expectFailure(refund(service, order.bizNo));
    },
  },
  "refund-no.conflict": {
    code: 50011,
    status: 409,
    failure: async (service) => {
      const order = await paidOrder(service);
      await expectOk(refund(service, order.bizNo, 100, "case-1"));
      return expectFailure(refund(service, order.bizNo, 101, "case-1"));
    },
  },
  "refund.not-found": {
    code: 50012,
    status: 404,
    failure: async (service) => {
      const order = await paidOrder(service);
      return expectFailure(settle(service, order.bizNo, "case-1"));
    },
  },
  "refund.status-conflict": {
    code: 50013,
    status: 409,
    failure: async (service) => {
      const order = await paidOrder(service);
      await expectOk(refund(service, order.bizNo, 100, "case-1"));
      return expectFailure(settle(service, order.bizNo, "case-1"));
    },
  },
  "order.damaged": {
    code: 50015,
    status: 409,
    failure: async (service) => {
      const order = await created(service, service.demo, aPurchase());
      // The row was changed by hand: the order is PAID, but its timeline contains no payment.
      const changes = { id: anId(), bizNo: unique("biz-"), paymentStatus: "PAID", pmtDt: 1 } as const;
      const damaged = await expectOk(service.host.orders.insertOnce({ ...order, ...changes }, anEntry()));
      return expectFailure(refund(service, damaged.bizNo, 100, "case-1"));
    },
  },
  "refund.payout-rejected": {
    code: 50014,
    status: 502,
    failure: async (service) => {
      const order = await paidOrder(service);
      const wallet = walletOf(service, order);
      wallet.holdNextRefund();
      const made = await expectOk(refund(service, order.bizNo, 100, "case-1"));
      wallet.endRefund(order.id, outRefundNo(order, made), "ABNORMAL");
      service.host.clock.advance(60_000);
      await expectOk(reconcileOrders(service.ports));
      wallet.failNext("applyAbnormalRefund", REJECTED);
      return expectFailure(payOut(service, order.bizNo, { refundNo: "case-1", payTo: "merchant" }));
    },
  },
  "refund.not-adopted": {
    code: 50016,
    status: 409,
    failure: async (service) => {
      const order = await paidOrder(service);
      return expectFailure(adopt(service, order.bizNo, "5030000"));
    },
  },
  "refund.withdrawn": {
    code: 50017,
    status: 409,
    failure: async (service) => {
      const order = await paidOrder(service);
      walletOf(service, order).setOutOfFunds(true);
      await expectOk(refund(service, order.bizNo, 100, "case-1"));
      service.host.clock.advance(60_000);
      await expectOk(withdraw(service, order.bizNo, "case-1"));
      return expectFailure(refund(service, order.bizNo, 100, "case-1"));
    },
  },
  "pay-tool.not-configured": {
    answer: async ({ enroll }) => create(await enroll({ payChannels: [] })),
  },
  "pay-tool.not-ready": {
    answer: async ({ demo, host }) => {
      const account = await expectOk(host.payTools.current(demo.appId, "WALLET_A"));
      if (account === undefined) throw new Error("The demo app has no account at WALLET_A.");
      await expectOk(host.payTools.put({ ...account, signStatus: "NO" }));
      return create(demo);
    },
  },
  "service-type.unknown": { answer: ({ demo }) => create(demo, { serviceTypeNo: `svt-${CANARY}` }) },
  "service-type.retired": {
    answer: async ({ demo, ports, serviceTypeNo }) => {
      await expectOk(ports.serviceTypes.retire(demo.appId, serviceTypeNo, 1));
      return create(demo, { serviceTypeNo });
    },
  },
  "sms.not-configured": {
    ports: ({ smsSender: _none, ...ports }) => ports,
    answer: ({ demo }) => demo.get("/sms.json", { mobileNo: PHONE }),
  },
  "storage.misconfigured": {
    ports: (ports) => ({
      ...ports,
      orders: {
        ...ports.orders,
        insertOnce: () =>
          errAsync({
            name: "storage.misconfigured",
            remedy: `Grant insert to ${CANARY}.`,
            cause: new Error(CANARY),
          }),
      },
    }),
    answer: ({ demo }) => create(demo),
  },
  "storage.unavailable": {
    ports: (ports) => ({ ...ports, orders: throwingPort(ports.orders) }),
    answer: ({ demo }) => create(demo),
  },
} satisfies Record<FailureName, ErrorCase>;

/** Sends an order whose texts all contain the canary. */
function create(caller: Caller, changes: Readonly<Record<string, unknown>> = {}): Promise<ServiceReply> {
  const texts = { goodsTitle: `Title ${CANARY}`, customerName: `Name ${CANARY}`, attachData: CANARY };
  const purchase = { ...texts, bizNo: unique(`b-${CANARY}-`), customerIdentity: `c-${CANARY}` };
  return caller.post("/order.json", aPurchase({ ...purchase, ...changes }));
}

async function paidOrder(service: Service): Promise<Order> {
  const order = await created(service, service.demo, aPurchase());
  await paid(service, order);
  return order;
}
