import { expectFailure, expectOk } from "@tillkit/contract-tests";
import {
  configurePayTool,
  createApp,
  createOrder,
  createOrderInput,
  explainOrder,
  orThrow,
  PAY_CHANNELS,
  parseInput,
  type PayChannel,
  type WalletOptions,
} from "@tillkit/core";
import { changePayTool } from "@tillkit/core/operators";
import { describe, expect, it } from "vitest";
import { faultyWallet } from "../faults.js";
import {
  HOUR,
  MINUTE,
  openFixture,
  read,
  reconcile,
  storedOrder,
  type TestFixture,
} from "../testing/fixture.js";

const OPTIONS: Readonly<Record<PayChannel, WalletOptions>> = {
  WALLET_A: {
    attach: "till 7, `会员",
    goods_tag: "WXG",
    support_fapiao: true,
    limit_pay: ["no_credit"],
    settle_info: { profit_sharing: false },
    detail: { goods_detail: [{ merchant_goods_id: "g-1", quantity: 2, unit_price: 300 }] },
    scene_info: { store_info: { id: "0001", name: "Shop" } },
  },
  WALLET_B: {
    passback_params: "a=1&b=会员 100%",
    disable_pay_channels: "pcredit,creditCard",
    extend_params: { hb_fq_num: "3", hb_fq_seller_percent: "0" },
  },
};

const WAYS = [
  ["WALLET_A", "APP"],
  ["WALLET_A", "NATIVE"],
  ["WALLET_A", "H5"],
  ["WALLET_A", "JSAPI"],
  ["WALLET_B", "APP"],
  ["WALLET_B", "NATIVE"],
  ["WALLET_B", "H5"],
  ["WALLET_B", "PC"],
  ["WALLET_B", "JSAPI"],
] as const;

function create(
  { ports, appId }: Pick<TestFixture, "ports" | "appId">,
  bizNo: string,
  parameters: Readonly<Record<string, unknown>>,
) {
  return parseInput(createOrderInput(ports.policy), {
    bizNo,
    customerIdentity: `of-${bizNo}`,
    amount: 600,
    goodsTitle: "Thirty days",
    payerId: parameters["payChannel"] === "WALLET_A" ? "oUpF8uMuAJO" : "2088102146225135",
    ...parameters,
  }).asyncAndThen((input) => createOrder(ports, appId, input));
}

/** Opens an app whose pay tools belong to a sub-merchant of the fixture's merchant. */
async function openShop(fixture: TestFixture): Promise<TestFixture> {
  const { ports, sandbox, appId } = fixture;
  const [inputs] = sandbox.subMerchants;
  if (inputs === undefined) throw new Error("The sandbox has two sub-merchants.");
  const providers = await expectOk(ports.payTools.list(appId));
  const { app, appSecret } = await expectOk(createApp(ports, { name: "Shop" }));
  for (const { id: provider, payChannel } of providers) {
    const credentials = { ...inputs[payChannel].credentials, provider };
    const tool = { ...inputs[payChannel], credentials };
    expect((await expectOk(configurePayTool(ports, app.appId, tool))).problems).toEqual([]);
  }
  return { ...fixture, appId: app.appId, appSecret };
}

describe.each(["a merchant", "a sub-merchant"])("the options of %s", (who) => {
  it.each(WAYS)("reach the wallet, and the order becomes PAID: %s, %s", async (payChannel, paySource) => {
    const fixture = await openFixture();
    const shop = who === "a merchant" ? fixture : await openShop(fixture);
    const walletOptions = OPTIONS[payChannel];
    const { payload } = await expectOk(create(shop, "order-1", { payChannel, paySource, walletOptions }));
    await orThrow(fixture.sandbox.simulatorControls.pay(payload));
    await fixture.advance(MINUTE);
    expect((await storedOrder(shop, "order-1")).paymentStatus).toBe("PAID");
    const echoed = fixture.sent.map(({ body }) => body).join();
    if (payChannel === "WALLET_B")
      expect(echoed).toContain(encodeURIComponent(encodeURIComponent("a=1&b=会员 100%")));
    expect(fixture.serviceEvents.filter(({ type }) => type === "notification.refused")).toEqual([]);
  });
});

describe("the options of an order", () => {
  it.each(PAY_CHANNELS)("stay the same after a timeout and a changed pay tool: %s", async (payChannel) => {
    const fixture = await openFixture();
    const { ports, appId, sandbox } = fixture;
    const [tool] = (await expectOk(ports.payTools.list(appId))).filter(
      (one) => one.payChannel === payChannel,
    );
    const setDefaults = (walletOptions: WalletOptions) =>
      expectOk(changePayTool(ports, tool?.id ?? "", { walletOptions }));
    const { detail: _perOrder, ...defaults } = OPTIONS[payChannel];
    await setDefaults(defaults);
    const wallet = faultyWallet(payChannel);
    await fixture.faults({ [wallet]: { prepay: "timeout" } });
    const wanted = { payChannel, paySource: "NATIVE" };
    await expectFailure(create({ ports: fixture.impatient, appId }, "order-1", wanted));
    await fixture.faults({ [wallet]: { prepay: null } });
    await setDefaults({});
    await fixture.advance(MINUTE);
    // The wallet refuses the number with any other parameter.
    const { payload, order } = await expectOk(create(fixture, "order-1", wanted));
    expect(order.walletOptions).toEqual({ given: {}, sent: defaults });
    await orThrow(sandbox.simulatorControls.pay(payload));
    await fixture.advance(MINUTE);
    expect((await storedOrder(fixture, "order-1")).paymentStatus).toBe("PAID");
    expect((await expectOk(create(fixture, "order-2", wanted))).order).not.toHaveProperty("walletOptions");
  });

  it("are refused with another value for the same bizNo, and the order keeps its payload", async () => {
    const fixture = await openFixture();
    const wanted = { payChannel: "WALLET_A", paySource: "NATIVE", walletOptions: { attach: "a" } };
    const { payload } = await expectOk(create(fixture, "order-1", wanted));
    const other = create(fixture, "order-1", { ...wanted, walletOptions: { attach: "b" } });
    expect(await expectFailure(other)).toEqual({ name: "biz-no.conflict", fields: ["walletOptions.attach"] });
    expect((await expectOk(create(fixture, "order-1", wanted))).payload).toEqual(payload);
  });

  it.each(PAY_CHANNELS)("appear in the explanation by name only: %s", async (payChannel) => {
    const fixture = await openFixture();
    await expectOk(
      create(fixture, "order-1", { payChannel, paySource: "NATIVE", walletOptions: OPTIONS[payChannel] }),
    );
    const explained = await expectOk(explainOrder(fixture.ports, fixture.appId, "order-1", "en"));
    const text = explained.parts.order;
    expect(text).toContain(
      payChannel === "WALLET_A" ? "WeChat Pay gets these options" : "Alipay gets these options",
    );
    expect(text).not.toContain("till 7");
    expect(text).not.toContain("会员");
  });

  it("do not change the status that reconciliation finds", async () => {
    const fixture = await openFixture();
    const wanted = { payChannel: "WALLET_A", paySource: "NATIVE", walletOptions: OPTIONS.WALLET_A };
    const { payload } = await expectOk(create(fixture, "order-1", wanted));
    await orThrow(fixture.sandbox.simulatorControls.pay(payload));
    await fixture.advance(HOUR);
    await reconcile(fixture.ports);
    expect((await expectOk(read(fixture.ports, fixture.appId, "order-1"))).paymentStatus).toBe("PAID");
  });
});
