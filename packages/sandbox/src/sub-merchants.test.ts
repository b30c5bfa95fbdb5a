import { expectFailure, expectOk } from "@tillkit/contract-tests";
import {
  configurePayTool,
  createApp,
  orThrow,
  PAY_CHANNELS,
  type PayChannel,
  type PayTool,
  readCredentialExpiries,
  parseInput,
  reconcileBills,
  reconcileBillsInput,
} from "@tillkit/core";
import { changePayTool, inspectPayTool } from "@tillkit/core/operators";
import { testWalletKeys } from "@tillkit/test-keys";
import { describe, expect, it } from "vitest";
import { faultyWallet } from "./faults.js";
import {
  DAY,
  HOUR,
  openFixture,
  order,
  read,
  reconcile,
  refund,
  storedOrder,
  type TestFixture,
} from "./testing/fixture.js";

/** Opens a service provider with two shops, each an app with its own pay tools. */
async function openShops() {
  const fixture = await openFixture();
  const { ports, sandbox } = fixture;
  const providers = new Map(
    (await expectOk(ports.payTools.list(fixture.appId))).map(({ payChannel, id }) => [payChannel, id]),
  );
  const shops: TestFixture[] = [];
  const tools: PayTool[] = [];
  for (const inputs of sandbox.subMerchants) {
    const { app, appSecret } = await expectOk(createApp(ports, { name: "Shop" }));
    for (const payChannel of PAY_CHANNELS) {
      const { credentials } = inputs[payChannel];
      const { payTool, problems } = await expectOk(
        configurePayTool(ports, app.appId, {
          ...inputs[payChannel],
          credentials: { ...credentials, provider: providers.get(payChannel) ?? "" },
        }),
      );
      expect(problems).toEqual([]);
      tools.push(payTool);
    }
    shops.push({ ...fixture, appId: app.appId, appSecret });
  }
  const [first, second] = shops;
  if (first === undefined || second === undefined) throw new Error("The sandbox has two sub-merchants.");
  return { fixture, first, second, tools, providers };
}

const CASES = [
  ["WALLET_A", "NATIVE"],
  ["WALLET_A", "APP"],
  ["WALLET_B", "APP"],
  ["WALLET_B", "NATIVE"],
] as const;

async function pay(shop: TestFixture, bizNo: string, payChannel: PayChannel, paySource: "APP" | "NATIVE") {
  const { payload } = await expectOk(order(shop, bizNo, { payChannel, paySource }));
  await orThrow(shop.sandbox.simulatorControls.pay(payload));
}

const statusOf = async (shop: TestFixture, bizNo: string) =>
  (await expectOk(shop.ports.orders.find({ appId: shop.appId, bizNo })))?.paymentStatus;

describe.each(CASES)("a sub-merchant at %s, %s", (payChannel, paySource) => {
  it("is paid, refunded, and billed through its service provider", async () => {
    const { first, fixture, tools } = await openShops();
    await pay(first, "order-1", payChannel, paySource);
    await fixture.advance(HOUR);
    expect(await statusOf(first, "order-1")).toBe("PAID");
    const paid = await expectOk(read(first.ports, first.appId, "order-1"));
    expect(paid.paymentStatus).toBe("PAID");

    await expectOk(refund(first, "order-1", "part", 200));
    await fixture.advance(HOUR);
    await reconcile(fixture.ports);
    const stored = await expectOk(first.ports.orders.find({ appId: first.appId, bizNo: "order-1" }));
    const key = { appId: first.appId, bizNo: "order-1" };
    const refunds = await expectOk(first.ports.refunds.list(key));
    expect(refunds.map(({ status }) => status)).toEqual(["CONFIRMED"]);
    expect(stored?.refundedAmount).toBe(200);

    await fixture.advance(2 * DAY);
    const day = orThrow(parseInput(reconcileBillsInput(), { day: "2026-01-15" }));
    const bills = await expectOk(reconcileBills(fixture.ports, day));
    const accountId = accountOf(tools, first, payChannel);
    const billed = bills.find(({ bill }) => bill.payChannel === payChannel && bill.accountId === accountId);
    expect(billed).toMatchObject({
      kind: "compared",
      reconciled: {
        totals: { payments: 1, paymentAmount: 600, refunds: 1, refundAmount: 200 },
        foreign: { payments: 0, refunds: 0 },
        flow: { kind: "read" },
        open: 0,
      },
    });
    // The provider's own bill contains the lines of its sub-merchants. Tillkit does not count them.
    const others = bills.filter((one) => one !== billed);
    for (const one of others)
      if (one.kind === "compared") expect(one.reconciled).toMatchObject({ totals: { payments: 0 }, open: 0 });
  });

  it.each([
    ["missing-line", "read", 1],
    ["wrong-amount", "read", 1],
    ["no-permission", "not-read", 0],
    ["tampered-amount", "not-read", 0],
  ] as const)(
    "has its settlements compared as a merchant without a provider: %s",
    async (fault, kind, open) => {
      const { first, fixture, tools } = await openShops();
      await pay(first, "order-1", payChannel, paySource);
      await fixture.advance(2 * DAY);
      const accountId = accountOf(tools, first, payChannel);
      const wallet = faultyWallet(payChannel);
      await fixture.faults({ [wallet]: { flowFile: fault } });
      const day = orThrow(parseInput(reconcileBillsInput(), { day: "2026-01-15" }));
      const bills = await expectOk(reconcileBills(fixture.ports, day));
      const billed = bills.find(({ bill }) => bill.payChannel === payChannel && bill.accountId === accountId);
      expect(billed).toMatchObject({ kind: "compared", reconciled: { flow: { kind } } });
      const found = billed?.kind === "compared" ? billed.reconciled.open : 0;
      expect(found > 0 ? 1 : 0).toBe(open);
    },
  );

  it("does not see or credit the orders of another sub-merchant", async () => {
    const { first, second, fixture, tools } = await openShops();
    fixture.hold(true);
    await pay(first, "order-1", payChannel, paySource);
    await expectOk(order(second, "order-2", { payChannel, paySource }));
    const [mine, theirs] = [await storedOrder(first, "order-1"), await storedOrder(second, "order-2")];
    fixture.hold(false);

    // The wallet does not show the order to the other shop.
    const wallet = fixture.ports.wallets[payChannel];
    const limits = { deadline: 5_000 };
    const account = await expectOk(findOrderAccountOf(fixture, theirs.payToolId));
    expect(await expectOk(wallet.query(account, mine.id, limits))).toBeUndefined();

    // The message about the order of one shop, sent to the address of the other one.
    const [delivery] = fixture.sent;
    if (delivery === undefined) throw new Error("The wallet sent no notification.");
    const toOther = { ...delivery, url: delivery.url.replace(mine.payToolId, theirs.payToolId) };
    expect(toOther.url).not.toBe(delivery.url);
    await fixture.post(toOther);
    expect(await statusOf(first, "order-1")).toBe("PENDING");
    expect(await statusOf(second, "order-2")).toBe("PENDING");
    expect(tools).toHaveLength(4);

    await fixture.post(delivery);
    expect(await statusOf(first, "order-1")).toBe("PAID");
    expect(await statusOf(second, "order-2")).toBe("PENDING");
  });

  it("is not credited by a statement about another merchant", async () => {
    const { first, fixture } = await openShops();
    const { payload } = await expectOk(order(first, "order-1", { payChannel, paySource }));
    const wallet = faultyWallet(payChannel);
    await fixture.faults({ [wallet]: { notify: "wrong-merchant" } });
    await first.sandbox.simulatorControls.pay(payload);
    expect(await statusOf(first, "order-1")).toBe("PENDING");
  });
});

describe("the keys of a service provider", () => {
  it.each([
    ["WALLET_A", "merchantPrivateKey"],
    ["WALLET_B", "appPrivateKey"],
  ] as const)("are changed in one step for all of its sub-merchants: %s", async (payChannel, name) => {
    const { first, second, providers, fixture } = await openShops();
    const { ports, sandbox } = fixture;
    const id = providers.get(payChannel) ?? "";
    const setKey = (key: string) => expectOk(changePayTool(ports, id, { credentials: { [name]: key } }));
    const wanted = { payChannel, paySource: "NATIVE" } as const;
    await setKey(testWalletKeys.retired.privateKey);
    for (const shop of [first, second])
      expect((await expectFailure(order(shop, "order-1", wanted))).name).toMatch(/^wallet-[ab]\./);
    await setKey(sandbox.payTools[payChannel].credentials[name] ?? "");
    for (const shop of [first, second]) await pay(shop, "order-2", payChannel, "NATIVE");
    await fixture.advance(HOUR);
    for (const shop of [first, second]) expect(await statusOf(shop, "order-2")).toBe("PAID");
  });

  it.each(PAY_CHANNELS)("are not replaced by a missing provider: %s", async (payChannel) => {
    const { first, fixture } = await openShops();
    const [tool] = fixture.sandbox.subMerchants;
    if (tool === undefined) throw new Error("The sandbox has two sub-merchants.");
    const credentials = { ...tool[payChannel].credentials, provider: "unknown" };
    const configured = await expectOk(
      configurePayTool(fixture.ports, first.appId, { ...tool[payChannel], credentials }),
    );
    expect(configured.payTool.signStatus).toBe("NO");
    expect(configured.problems).toHaveLength(1);
    expect(configured.problems[0]).toContain("provider");
  });

  it("expire with the authorisation of the merchant at Alipay", async () => {
    const { first, providers, fixture } = await openShops();
    const [tool] = fixture.sandbox.subMerchants;
    if (tool === undefined) throw new Error("The sandbox has two sub-merchants.");
    const { WALLET_B } = tool;
    const provider = providers.get("WALLET_B") ?? "";
    const credentials = { ...WALLET_B.credentials, provider, appAuthTokenExpiry: "2026-02-01" };
    const { payTool, problems } = await expectOk(
      configurePayTool(fixture.ports, first.appId, { ...WALLET_B, credentials }),
    );
    expect(problems).toEqual([]);
    const { expiries } = await expectOk(readCredentialExpiries(fixture.ports));
    expect(expiries).toContainEqual({
      payToolId: payTool.id,
      appId: first.appId,
      payChannel: "WALLET_B",
      name: "appAuthToken",
      // The start of the day in China.
      expiresAt: Date.UTC(2026, 0, 31, 16),
    });
    await fixture.advance(20 * DAY);
    const inspected = await inspectPayTool(fixture.ports, payTool, "en");
    expect(inspected.problems.map(({ code }) => code)).toEqual(["expired"]);
  });
});

/** Returns the account of a pay tool with its provider, as the wallet's adapter gets it. */
function findOrderAccountOf({ ports }: TestFixture, payToolId: string) {
  return ports.payTools.find(payToolId).andThen((account) => {
    if (account === undefined) throw new Error(`The store has no pay tool ${payToolId}.`);
    return ports.payTools
      .find(account.credentials["provider"] ?? "")
      .map((provider) => (provider === undefined ? account : { ...account, provider }));
  });
}

function accountOf(tools: readonly PayTool[], { appId }: TestFixture, payChannel: PayChannel) {
  return tools.find((tool) => tool.appId === appId && tool.payChannel === payChannel)?.accountId;
}
