import { expectFailure, expectOk } from "@tillkit/contract-tests";
import { testWalletKeys as keys } from "@tillkit/test-keys";
import type { RawNotification } from "@tillkit/core";
import { expect, it, onTestFinished } from "vitest";
import { openSandbox, type SandboxOptions } from "../index.js";
import { accountAt, aRequest, walletsAt } from "../testing/merchant.js";

const LIMITS = { deadline: 60_000 };

/** Opens the adapter of Alipay at a sandbox, and records the notifications. */
async function openAlipay(options: SandboxOptions = {}, productCodes?: string) {
  const received: RawNotification[] = [];
  const sandbox = await openSandbox({
    keys,
    deliver: ({ headers, body }) => {
      received.push({ headers: new Headers(headers), body: new TextEncoder().encode(body) });
      return Promise.resolve({ status: 200, body: "success" });
    },
    ...options,
  });
  onTestFinished(() => sandbox.close());
  const account = accountAt(sandbox, "WALLET_B");
  const credentials =
    productCodes === undefined ? account.credentials : { ...account.credentials, productCodes };
  return {
    sandbox,
    received,
    adapter: walletsAt(sandbox).WALLET_B,
    account: { ...account, credentials },
    request: (changes: Parameters<typeof aRequest>[1]) =>
      aRequest("01JCXW9Z3K7Q2N5T8V0B4D6F1H", { ...changes, expiresAt: sandbox.clock.now() + 7_200_000 }),
  };
}

it("Alipay creates a code for a merchant with only 订单码 if its product code is configured", async () => {
  const products = { alipayProducts: ["QR_CODE_OFFLINE"] };
  const usual = await openAlipay(products);
  const order = usual.request({ paySource: "NATIVE" });
  expect(await expectFailure(usual.adapter.prepare(usual.account, order, LIMITS))).toMatchObject({
    name: "wallet.rejected",
    reason: "configuration",
    detail: "WALLET_B answered 40004 ACQ.ACCESS_FORBIDDEN",
  });
  const configured = await openAlipay(products, '{"NATIVE": "QR_CODE_OFFLINE"}');
  const { adapter, account, request } = configured;
  const { values } = await expectOk(adapter.prepare(account, request({ paySource: "NATIVE" }), LIMITS));
  expect(values["qr_code"]).toMatch(/^https:/);
});

it("the adapter reads the notification of an order whose title looks like a member", async () => {
  const { sandbox, adapter, account, request, received } = await openAlipay();
  const order = request({ goodsTitle: "A&total_amount=9" });
  const now = sandbox.clock.now();
  const prepayment = { issuedAt: now, validUntil: order.expiresAt, values: {} };
  const payload = await expectOk(adapter.payload(account, order, prepayment, now));
  expect((await sandbox.simulatorControls.pay(payload)).isOk()).toBe(true);
  const [notification] = received;
  if (notification === undefined) throw new Error("The sandbox sent no notification.");
  expect(
    await expectOk(adapter.readNotification(account, notification, { now, skew: 300_000 })),
  ).toMatchObject({
    kind: "payment",
    order: { outTradeNo: order.outTradeNo, state: "PAID", amount: 600, currency: "CNY" },
  });
});
