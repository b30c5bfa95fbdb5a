import type { RawNotification } from "@tillkit/core";
import type { NotificationRefusal, WalletEvent } from "@tillkit/core/ports";
import { describe, expect, it, vi } from "vitest";
import { expectFailure, expectOk, race } from "../../../support/open-before-each.js";
import { SKEW, type WalletFixture } from "../../../support/wallet/wallet-fixture.js";

/** Maximum milliseconds of a notification, on a machine that runs other tests. */
const PATIENCE = 30_000;

/** Tests which notifications a `Wallet` accepts, and what it reads from them. */
export function walletNotifications(fixture: WalletFixture): void {
  const { wallet, aPaidOrder, aNotification, aRefund, query, refund, queryRefund, read } = fixture;

  describe("readNotification", () => {
    async function refusal(notification: RawNotification): Promise<NotificationRefusal["reason"]> {
      return (await expectFailure<WalletEvent, NotificationRefusal>(read(notification))).reason;
    }

    it("returns what the wallet signed", async () => {
      const { request, notification } = await aNotification();
      expect(await expectOk(read(notification))).toMatchObject({
        kind: "payment",
        order: {
          state: "PAID",
          outTradeNo: request.outTradeNo,
          walletAppId: wallet().account.walletAppId,
          merchantId: wallet().account.accountId,
          amount: request.amount,
          currency: "CNY",
        },
      });
    });

    it("has equal evidence for repeated reads of one message", async () => {
      const { notification } = await aNotification();
      const [first, second] = await race(2, () => read(notification));
      expect(first).toEqual(second);
    });

    it("returns the same facts about a payment as a query", async () => {
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

    it("rejects a signature that is not the wallet's", async () => {
      const { notification } = await aNotification();
      expect(await refusal(await wallet().forge(notification))).toBe("unverified");
    });

    it("accepts no other facts from a message with a changed byte", async () => {
      const { notification } = await aNotification();
      const genuine = await expectOk(read(notification));
      const { body } = notification;
      let refused = 0;
      for (let position = 0; position < body.length; position += 1) {
        const changed = Uint8Array.from(body);
        changed[position] = (body[position] ?? 0) ^ 1;
        const result = await read({ ...notification, body: changed });
        // Bytes without meaning, such as the name of the signature algorithm, may be ignored.
        if (result.isOk()) expect(result.value).toEqual(genuine);
        else refused += 1;
      }
      expect(refused).toBeGreaterThan(body.length * 0.9);
    });

    it("has equal evidence for one message with different unsigned parts", async () => {
      const { notification } = await aNotification();
      const genuine = await expectOk(read(notification));
      const { headers, body } = notification;
      const text = new TextDecoder().decode(body);
      const bodies = ["&note=", "&note=&other=", "&alipay_cert_sn=", "&sign_type=RSA", " "].map(
        (more) => text + more,
      );
      const unsigned = { get: (name: string) => headers.get(name) ?? (name === "x-note" ? "1" : null) };
      const variants = [
        { headers: unsigned, body },
        ...bodies.map((one) => ({ headers, body: new TextEncoder().encode(one) })),
      ];
      for (const variant of variants) {
        const result = await read(variant);
        if (result.isOk()) expect(result.value).toEqual(genuine);
        else expect(["unverified", "malformed"]).toContain(result.error.reason);
      }
      expect(await expectOk(read({ headers: unsigned, body }))).toEqual(genuine);
    });

    it("rejects a truncated or empty message", async () => {
      const { notification } = await aNotification();
      for (const length of [0, 1, notification.body.length - 1]) {
        const body = notification.body.slice(0, length);
        expect(["unverified", "malformed"]).toContain(await refusal({ ...notification, body }));
      }
    });

    it("rejects anything that is not a wallet's message, without headers and with bytes that are not text", async () => {
      const bodies = ["{}", "null", "a=1&a=2", "a=%zz", "[1", "sign=x"].map((text) =>
        new TextEncoder().encode(text),
      );
      for (const body of [...bodies, Uint8Array.of(0xff, 0xfe, 0x00)]) {
        expect(["unverified", "malformed"]).toContain(await refusal({ headers: new Headers(), body }));
      }
    });

    it("rejects a message whose time differs too much, if the wallet signs a time for each attempt", async () => {
      const { notification } = await aNotification();
      for (const sign of [1, -1]) {
        // Some wallets use whole seconds.
        expect(await expectOk(read(notification, sign * (SKEW - 2_000)))).toMatchObject({ kind: "payment" });
        const off = read(notification, sign * (SKEW + 2_000));
        if (wallet().payChannel === "WALLET_A") expect((await expectFailure(off)).reason).toBe("stale");
        else expect(await expectOk(off)).toMatchObject({ kind: "payment" });
      }
    });

    it("recognises the wallet's probe with a bad signature", async () => {
      const { notification } = await aNotification();
      const probe = await wallet().probe(notification);
      if (wallet().payChannel === "WALLET_A") {
        if (probe === undefined) throw new Error("WALLET_A sends probes, but the fixture has none.");
        expect(await refusal(probe)).toBe("probe");
      } else expect(probe).toBeUndefined();
    });

    it("returns the same facts about a refund as a query", async () => {
      const request = await aPaidOrder();
      const refundRequest = aRefund(request, { amount: request.amount });
      await expectOk(refund(refundRequest));
      // The wallet sends the notification after its response to the refund.
      const event = await vi.waitFor(async () => {
        const events = await Promise.all(
          (await wallet().notifications()).map((sent) => expectOk(read(sent))),
        );
        const reported = events.find((one) => one.kind === "refund" || one.order.state === "REFUNDED");
        if (reported === undefined) throw new Error("The wallet sent no notification of the refund.");
        return reported;
      }, PATIENCE);
      if (wallet().payChannel === "WALLET_A") {
        expect(event).toEqual({ kind: "refund", refund: await expectOk(queryRefund(refundRequest)) });
      } else {
        // WALLET_B has no refund notification. It reports the order after the refund.
        const { outTradeNo, amount } = request;
        expect(event).toMatchObject({ kind: "payment", order: { state: "REFUNDED", outTradeNo, amount } });
      }
    });
  });

  it("returns different answers for accepted and rejected notifications", () => {
    const taken = wallet().answer(true);
    const refused = wallet().answer(false);
    expect([taken.status, taken.body]).not.toEqual([refused.status, refused.body]);
    expect(taken.status).toBeGreaterThanOrEqual(200);
    expect(taken.status).toBeLessThan(300);
  });
}
