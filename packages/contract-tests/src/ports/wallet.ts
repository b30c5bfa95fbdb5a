import type {
  NotificationRefusal,
  PaymentRequest,
  PayPayload,
  RawNotification,
  Wallet,
  WalletAccount,
  WalletEvent,
  WalletRefundRequest,
} from "@tillkit/core";
import { beforeEach, describe, expect, it } from "vitest";
import { anId, MINUTE, RACERS, unique } from "../fixtures.js";
import { expectFailure, expectOk, type Opened, opening, race } from "../opening.js";

/** A call that a wallet can be made to spoil. */
export type SpoiltCall = "prepare" | "query" | "close" | "refund";

/**
 * How a call is spoilt. `timeout`: the wallet does it, but its answer does not arrive; `server-error`: it fails without doing it;
 * `reject`: it says no.
 */
export type SpoiltHow = "timeout" | "server-error" | "reject";

/** A wallet adapter, and the hands of the wallet and of the customer behind it: a simulator in process, or one on the wire. */
export interface WalletStage extends Wallet {
  /** An account whose credentials the wallet knows. */
  readonly account: WalletAccount;
  /** The wallet's clock, epoch milliseconds. */
  now(): number;
  /** The customer opens the payment with what they were given, without paying. */
  openPayment(outTradeNo: string, payload: PayPayload): Promise<void>;
  /** The customer pays with what they were given; `false` when the wallet refuses. Notifications follow. */
  pay(outTradeNo: string, payload: PayPayload): Promise<boolean>;
  /** Cents that the merchant has at the wallet: payments less refunds. */
  balance(): Promise<number>;
  /** Spoils a call from now on; `null` mends it. */
  spoil(call: SpoiltCall, how: SpoiltHow | null): Promise<void>;
  /** The notifications sent so far, oldest first, as they arrived. */
  notifications(): Promise<readonly RawNotification[]>;
  /** The notification with a signature that is not the wallet's, but in every other way as it should be. */
  forge(notification: RawNotification): Promise<RawNotification>;
}

const LIMITS = { deadline: 5_000 };
const SKEW = 5 * MINUTE;

/**
 * Every promise of `Wallet`, for one adapter. `open` gives a wallet without orders, whose notifications go nowhere but into
 * `notifications()`; it is called before each test.
 */
export function walletContract(adapter: string, open: () => Promise<Opened<WalletStage>>): void {
  describe(`Wallet contract: ${adapter}`, () => {
    const stage = opening(open);
    let wallet: WalletStage;
    beforeEach(() => {
      wallet = stage();
    });

    function aRequest(changes: Partial<PaymentRequest> = {}): PaymentRequest {
      const outTradeNo = anId();
      return {
        outTradeNo,
        amount: 600,
        goodsTitle: "VIP 会员",
        paySource: "APP",
        notifyUrl: `https://pay.example/notify/${outTradeNo}`,
        returnUrl: "https://pay.example/return",
        expiresAt: wallet.now() + 120 * MINUTE,
        ...changes,
      };
    }

    async function handOut(request: PaymentRequest): Promise<PayPayload> {
      const { account } = wallet;
      const local = wallet.localPrepayment(account, request, wallet.now());
      const prepayment = local ?? (await expectOk(wallet.prepare(account, request, LIMITS)));
      return expectOk(wallet.payload(account, request, prepayment, wallet.now()));
    }

    async function aPaidOrder(changes: Partial<PaymentRequest> = {}): Promise<PaymentRequest> {
      const request = aRequest(changes);
      expect(await wallet.pay(request.outTradeNo, await handOut(request))).toBe(true);
      return request;
    }

    async function aNotification(): Promise<{ request: PaymentRequest; notification: RawNotification }> {
      const request = await aPaidOrder();
      const notification = (await wallet.notifications()).at(-1);
      if (notification === undefined) throw new Error("The wallet sent no notification of the payment.");
      return { request, notification };
    }

    function aRefund(of: PaymentRequest, changes: Partial<WalletRefundRequest> = {}): WalletRefundRequest {
      const { outTradeNo, amount: orderAmount, notifyUrl } = of;
      const refundNo = unique("refund-");
      return { outTradeNo, refundNo, amount: 100, orderAmount, reason: "returned", notifyUrl, ...changes };
    }

    const prepare = (request: PaymentRequest) => wallet.prepare(wallet.account, request, LIMITS);
    const query = (outTradeNo: string) => wallet.query(wallet.account, outTradeNo, LIMITS);
    const close = (outTradeNo: string) => wallet.close(wallet.account, outTradeNo, LIMITS);
    const refund = (request: WalletRefundRequest) => wallet.refund(wallet.account, request, LIMITS);
    const read = (notification: RawNotification) =>
      wallet.readNotification(wallet.account, notification, { now: wallet.now(), skew: SKEW });

    describe("checkAccount", () => {
      it("finds nothing wrong with credentials that work", async () => {
        expect(await wallet.checkAccount(wallet.account)).toEqual([]);
      });

      it("says in words what is wrong with credentials that are missing", async () => {
        expect(await wallet.checkAccount({ ...wallet.account, credentials: {} })).not.toEqual([]);
      });

      it("says what is wrong with each credential that is garbage, and does not repeat it", async () => {
        for (const name of Object.keys(wallet.account.credentials)) {
          const credentials = { ...wallet.account.credentials, [name]: "secret-garbage" };
          const problems = await wallet.checkAccount({ ...wallet.account, credentials });
          expect(problems, name).not.toEqual([]);
          expect(problems.join(), name).not.toContain("secret-garbage");
        }
      });
    });

    describe("prepare", () => {
      it("takes the same request again as the same order", async () => {
        const request = aRequest({ paySource: "NATIVE" });
        await expectOk(prepare(request));
        const prepayment = await expectOk(prepare(request));
        const payload = await expectOk(wallet.payload(wallet.account, request, prepayment, wallet.now()));
        expect(await wallet.pay(request.outTradeNo, payload)).toBe(true);
        expect(await wallet.balance()).toBe(request.amount);
      });

      it("rejects a request that was changed, and keeps the first", async () => {
        const request = aRequest({ paySource: "NATIVE" });
        const prepayment = await expectOk(prepare(request));
        const changed = await expectFailure(prepare({ ...request, amount: request.amount + 1 }));
        expect(changed).toMatchObject({ name: "wallet.rejected", reason: "conflict" });
        const payload = await expectOk(wallet.payload(wallet.account, request, prepayment, wallet.now()));
        await wallet.pay(request.outTradeNo, payload);
        expect(await wallet.balance()).toBe(request.amount);
      });

      it("makes one order of concurrent identical requests", async () => {
        const request = aRequest({ paySource: "NATIVE" });
        const prepayments = await race(RACERS, () => prepare(request));
        for (const prepayment of prepayments) {
          const payload = await expectOk(wallet.payload(wallet.account, request, prepayment, wallet.now()));
          await wallet.pay(request.outTradeNo, payload);
        }
        expect(await wallet.balance()).toBe(request.amount);
      });

      it("says until when its prepayment is good, which is not after the order expires", async () => {
        const request = aRequest({ paySource: "NATIVE", expiresAt: wallet.now() + MINUTE });
        const prepayment = await expectOk(prepare(request));
        expect(prepayment.issuedAt).toBeLessThan(prepayment.validUntil);
        expect(prepayment.validUntil).toBeLessThanOrEqual(request.expiresAt);
      });

      it("rejects an order that is paid", async () => {
        const request = await aPaidOrder({ paySource: "NATIVE" });
        expect(await expectFailure(prepare(request))).toMatchObject({
          name: "wallet.rejected",
          reason: "paid",
        });
      });

      it("rejects an order that is closed", async () => {
        const request = aRequest({ paySource: "NATIVE" });
        await wallet.openPayment(request.outTradeNo, await handOut(request));
        await expectOk(close(request.outTradeNo));
        expect(await expectFailure(prepare(request))).toMatchObject({
          name: "wallet.rejected",
          reason: "closed",
        });
      });

      it("rejects credentials that do not work as a matter of configuration", async () => {
        const broken = { ...wallet.account, credentials: {} };
        const failure = await expectFailure(
          wallet.prepare(broken, aRequest({ paySource: "NATIVE" }), LIMITS),
        );
        expect(failure).toMatchObject({ name: "wallet.rejected", reason: "configuration" });
      });

      it("is unknown when the answer is lost, and the same request again is the same order", async () => {
        const request = aRequest({ paySource: "NATIVE" });
        await wallet.spoil("prepare", "timeout");
        expect(await expectFailure(prepare(request))).toMatchObject({ name: "wallet.unknown" });
        await wallet.spoil("prepare", null);
        expect(await wallet.pay(request.outTradeNo, await handOut(request))).toBe(true);
        expect(await wallet.balance()).toBe(request.amount);
      });

      it("is unknown when the wallet fails, and rejected when it says no", async () => {
        const request = aRequest({ paySource: "NATIVE" });
        await wallet.spoil("prepare", "server-error");
        expect(await expectFailure(prepare(request))).toMatchObject({
          name: "wallet.unknown",
          cause: "server-error",
        });
        await wallet.spoil("prepare", "reject");
        expect(await expectFailure(prepare(request))).toMatchObject({ name: "wallet.rejected" });
        expect(await expectOk(query(request.outTradeNo))).toBeUndefined();
      });
    });

    describe("payload", () => {
      for (const paySource of ["APP", "NATIVE", "H5"] as const) {
        it(`is equal for equal arguments: ${paySource}`, async () => {
          const request = aRequest({ paySource });
          const at = wallet.now();
          const local = wallet.localPrepayment(wallet.account, request, at);
          const prepayment = local ?? (await expectOk(prepare(request)));
          const payloads = await race(3, () => wallet.payload(wallet.account, request, prepayment, at));
          expect(payloads[1]).toEqual(payloads[0]);
          expect(payloads[2]).toEqual(payloads[0]);
        });

        it(`opens a payment: ${paySource}`, async () => {
          const request = await aPaidOrder({ paySource });
          expect(await expectOk(query(request.outTradeNo))).toMatchObject({
            state: "PAID",
            amount: request.amount,
          });
        });
      }

      it("opens the same order however often it is signed", async () => {
        const request = aRequest();
        const local = wallet.localPrepayment(wallet.account, request, wallet.now());
        const prepayment = local ?? (await expectOk(prepare(request)));
        for (const later of [0, 90_000]) {
          const payload = await expectOk(
            wallet.payload(wallet.account, request, prepayment, wallet.now() + later),
          );
          await wallet.pay(request.outTradeNo, payload);
        }
        expect(await wallet.balance()).toBe(request.amount);
      });
    });

    describe("query", () => {
      it("finds nothing where there is no such order", async () => {
        expect(await expectOk(query(anId()))).toBeUndefined();
      });

      it("finds an order that can be paid", async () => {
        const request = aRequest();
        await wallet.openPayment(request.outTradeNo, await handOut(request));
        expect(await expectOk(query(request.outTradeNo))).toMatchObject({
          state: "OPEN",
          outTradeNo: request.outTradeNo,
          walletAppId: wallet.account.walletAppId,
          merchantId: wallet.account.accountId,
        });
      });

      it("finds everything that must match in an order that is paid", async () => {
        const before = wallet.now();
        const request = await aPaidOrder();
        const order = await expectOk(query(request.outTradeNo));
        expect(order).toMatchObject({
          state: "PAID",
          outTradeNo: request.outTradeNo,
          walletAppId: wallet.account.walletAppId,
          merchantId: wallet.account.accountId,
          amount: request.amount,
          currency: "CNY",
        });
        expect(order?.walletTradeNo).toMatch(/^.+$/);
        expect(order?.evidence).toMatch(/^[0-9a-f]{64}$/);
        // Some wallets keep whole seconds only.
        expect(order?.paidAt).toBeGreaterThan(before - 1_000);
        expect(order?.paidAt).toBeLessThanOrEqual(wallet.now());
      });

      it("finds an order that was closed", async () => {
        const request = aRequest();
        await wallet.openPayment(request.outTradeNo, await handOut(request));
        await expectOk(close(request.outTradeNo));
        expect(await expectOk(query(request.outTradeNo))).toMatchObject({ state: "CLOSED" });
      });

      it("finds an order that was wholly refunded", async () => {
        const request = await aPaidOrder();
        await expectOk(refund(aRefund(request, { amount: request.amount })));
        expect(await expectOk(query(request.outTradeNo))).toMatchObject({ state: "REFUNDED" });
      });

      it("is unknown when there is no answer that proves itself", async () => {
        const { outTradeNo } = await aPaidOrder();
        for (const how of ["timeout", "server-error"] as const) {
          await wallet.spoil("query", how);
          expect(await expectFailure(query(outTradeNo))).toMatchObject({ name: "wallet.unknown" });
        }
        await wallet.spoil("query", null);
        expect(await expectOk(query(outTradeNo))).toMatchObject({ state: "PAID" });
      });
    });

    describe("close", () => {
      it("makes an order unpayable, also when it is told so twice", async () => {
        const request = aRequest();
        const payload = await handOut(request);
        await wallet.openPayment(request.outTradeNo, payload);
        expect(await expectOk(close(request.outTradeNo))).toBe("closed");
        expect(await expectOk(close(request.outTradeNo))).toBe("closed");
        expect(await wallet.pay(request.outTradeNo, payload)).toBe(false);
        expect(await wallet.balance()).toBe(0);
      });

      it("says so where there is no such order", async () => {
        expect(await expectOk(close(anId()))).toBe("absent");
      });

      it("is too late for an order that is paid", async () => {
        const request = await aPaidOrder();
        expect(await expectOk(close(request.outTradeNo))).toBe("paid");
        expect(await expectOk(query(request.outTradeNo))).toMatchObject({ state: "PAID" });
      });

      it("is unknown when the answer is lost, and can be repeated", async () => {
        const request = aRequest();
        await wallet.openPayment(request.outTradeNo, await handOut(request));
        await wallet.spoil("close", "timeout");
        expect(await expectFailure(close(request.outTradeNo))).toMatchObject({ name: "wallet.unknown" });
        await wallet.spoil("close", null);
        expect(await expectOk(close(request.outTradeNo))).toBe("closed");
      });
    });

    it("does not take a payment after the order expired", async () => {
      const request = aRequest({ expiresAt: wallet.now() - 1 });
      const opened = wallet.localPrepayment(wallet.account, request, request.expiresAt - MINUTE);
      if (opened === undefined) {
        expect(await expectFailure(prepare(request))).toMatchObject({
          name: "wallet.rejected",
          reason: "closed",
        });
        return;
      }
      const payload = await wallet.payload(wallet.account, request, opened, request.expiresAt - MINUTE);
      const paid = payload.isOk() && (await wallet.pay(request.outTradeNo, payload.value));
      expect(paid).toBe(false);
      expect(await wallet.balance()).toBe(0);
    });

    describe("refund", () => {
      it("sends money back and can be asked about", async () => {
        const request = await aPaidOrder();
        const asked = aRefund(request);
        const made = await expectOk(refund(asked));
        const facts = {
          outTradeNo: request.outTradeNo,
          refundNo: asked.refundNo,
          merchantId: wallet.account.accountId,
          amount: 100,
        };
        expect(made).toMatchObject(facts);
        expect(await expectOk(wallet.queryRefund(wallet.account, asked, LIMITS))).toMatchObject(facts);
        expect(await wallet.balance()).toBe(request.amount - 100);
      });

      it("refunds a number once, however many ask at once", async () => {
        const request = await aPaidOrder();
        const asked = aRefund(request);
        const made = await race(RACERS, () => refund(asked));
        expect(new Set(made.map(({ walletRefundNo }) => walletRefundNo)).size).toBe(1);
        expect(await wallet.balance()).toBe(request.amount - 100);
      });

      it("refunds parts until nothing is left", async () => {
        const request = await aPaidOrder();
        await expectOk(refund(aRefund(request, { amount: 400 })));
        expect(await expectOk(query(request.outTradeNo))).toMatchObject({ state: "PAID" });
        await expectOk(refund(aRefund(request, { amount: 200 })));
        expect(await wallet.balance()).toBe(0);
        expect(await expectFailure(refund(aRefund(request, { amount: 1 })))).toMatchObject({
          name: "wallet.rejected",
        });
        expect(await wallet.balance()).toBe(0);
      });

      it("rejects more than what was paid, another order amount, and an order that is not paid", async () => {
        const request = await aPaidOrder();
        const open = aRequest();
        await wallet.openPayment(open.outTradeNo, await handOut(open));
        const wrong = [
          aRefund(request, { amount: 601 }),
          aRefund(request, { orderAmount: 700 }),
          aRefund(open),
        ];
        for (const asked of [...wrong, aRefund(aRequest())]) {
          expect(await expectFailure(refund(asked))).toMatchObject({ name: "wallet.rejected" });
        }
        expect(await wallet.balance()).toBe(request.amount);
      });

      it("rejects a number that refunded another amount", async () => {
        const request = await aPaidOrder();
        const asked = aRefund(request);
        await expectOk(refund(asked));
        expect(await expectFailure(refund({ ...asked, amount: 200 }))).toMatchObject({
          name: "wallet.rejected",
        });
        expect(await wallet.balance()).toBe(request.amount - 100);
      });

      it("is unknown when the answer is lost, and the same number again refunds once", async () => {
        const request = await aPaidOrder();
        const asked = aRefund(request);
        await wallet.spoil("refund", "timeout");
        expect(await expectFailure(refund(asked))).toMatchObject({ name: "wallet.unknown" });
        await wallet.spoil("refund", null);
        await expectOk(refund(asked));
        expect(await wallet.balance()).toBe(request.amount - 100);
      });

      it("knows no refund that was never made", async () => {
        const request = await aPaidOrder();
        const asked = aRefund(request);
        await wallet.spoil("refund", "server-error");
        await expectFailure(refund(asked));
        expect(await expectOk(wallet.queryRefund(wallet.account, asked, LIMITS))).toBeUndefined();
      });
    });

    describe("readNotification", () => {
      async function refusal(notification: RawNotification): Promise<NotificationRefusal["reason"]> {
        return (await expectFailure<WalletEvent, NotificationRefusal>(read(notification))).reason;
      }

      it("reads what the wallet signed", async () => {
        const { request, notification } = await aNotification();
        expect(await expectOk(read(notification))).toMatchObject({
          kind: "payment",
          order: {
            state: "PAID",
            outTradeNo: request.outTradeNo,
            walletAppId: wallet.account.walletAppId,
            merchantId: wallet.account.accountId,
            amount: request.amount,
            currency: "CNY",
          },
        });
      });

      it("has equal evidence for one message however often it is read", async () => {
        const { notification } = await aNotification();
        const [first, second] = await race(2, () => read(notification));
        expect(first).toEqual(second);
      });

      it("says the same of a payment as a query", async () => {
        const { request, notification } = await aNotification();
        const event = await expectOk(read(notification));
        const order = await expectOk(query(request.outTradeNo));
        const facts = ({ state, walletTradeNo, paidAt }: Exclude<typeof order, undefined>) => ({
          state,
          walletTradeNo,
          paidAt,
        });
        expect(event.kind === "payment" && facts(event.order)).toEqual(order && facts(order));
      });

      it("refuses a signature that is not the wallet's", async () => {
        const { notification } = await aNotification();
        expect(await refusal(await wallet.forge(notification))).toBe("unverified");
      });

      it("believes nothing else of a message in which a byte was changed", async () => {
        const { notification } = await aNotification();
        const genuine = await expectOk(read(notification));
        const { body } = notification;
        let refused = 0;
        for (let position = 0; position < body.length; position += 1) {
          const changed = Uint8Array.from(body);
          changed[position] = (body[position] ?? 0) ^ 1;
          const result = await read({ ...notification, body: changed });
          // Bytes that say nothing, such as the name of the signature's own method, may be ignored.
          if (result.isOk()) expect(result.value).toEqual(genuine);
          else refused += 1;
        }
        expect(refused).toBeGreaterThan(body.length * 0.9);
      });

      it("refuses a message that was cut short or is empty", async () => {
        const { notification } = await aNotification();
        for (const length of [0, 1, notification.body.length - 1]) {
          const body = notification.body.slice(0, length);
          expect(["unverified", "malformed"]).toContain(await refusal({ ...notification, body }));
        }
      });

      it("refuses whatever is no message of a wallet, without headers and with bytes that are no text", async () => {
        const bodies = ["{}", "null", "a=1&a=2", "a=%zz", "[1", "sign=x"].map((text) =>
          new TextEncoder().encode(text),
        );
        for (const body of [...bodies, Uint8Array.of(0xff, 0xfe, 0x00)]) {
          expect(["unverified", "malformed"]).toContain(await refusal({ headers: {}, body }));
        }
      });

      it("refuses when the account's credentials cannot prove anything", async () => {
        const { notification } = await aNotification();
        const broken = { ...wallet.account, credentials: {} };
        const time = { now: wallet.now(), skew: SKEW };
        const failure = await expectFailure(wallet.readNotification(broken, notification, time));
        expect(failure.name).toBe("notification.refused");
      });
    });

    it("has different answers for a notification that was taken and one that was not", () => {
      const taken = wallet.answer(true);
      const refused = wallet.answer(false);
      expect([taken.status, taken.body]).not.toEqual([refused.status, refused.body]);
      expect(taken.status).toBeGreaterThanOrEqual(200);
      expect(taken.status).toBeLessThan(300);
    });
  });
}
