import { alipayWallet } from "@tillkit/alipay";
import {
  configurePayTool,
  createOrder,
  createOrderInput,
  orThrow,
  parseInput,
  type PayChannel,
  refundOrder,
  refundOrderInput,
  registerApp,
  syncOrder,
} from "@tillkit/core";
import { orderLine } from "@tillkit/core/operators";
import { memoryPorts } from "@tillkit/memory";
import { systemRandom } from "@tillkit/runtime";
import { openSandbox } from "@tillkit/sandbox";
import { testWalletKeys } from "@tillkit/test-keys";
import { wechatPayWallet } from "@tillkit/wechat-pay";
import { expect, it, onTestFinished } from "vitest";
import { emptiedHost } from "../testing/cli.js";
import { aLine } from "../testing/import-lines.js";

const openHost = emptiedHost();

const CREDENTIALS = { appId: "old", appSecret: "the-old-secret" };

/** Opens another service at the wallets of a sandbox, and a Tillkit that takes over from it. */
async function openMove() {
  const sandbox = await openSandbox({ keys: testWalletKeys });
  onTestFinished(() => sandbox.close());
  const { addresses, clock } = sandbox;
  const ports = {
    ...memoryPorts(),
    clock,
    wallets: {
      WALLET_A: sandbox.observe(
        wechatPayWallet({ clock, random: systemRandom, gateways: { DEV: addresses.walletA } }),
      ),
      WALLET_B: sandbox.observe(alipayWallet({ clock, gateways: { DEV: addresses.walletB } })),
    },
  };
  await orThrow(registerApp(ports, { ...CREDENTIALS, name: "Old" }));
  const place = await openHost();
  const env = {
    ...place.env,
    TILLKIT_WALLET_A_GATEWAY: addresses.walletA,
    TILLKIT_WALLET_B_GATEWAY: addresses.walletB,
  };
  const ask = (argv: readonly string[], code = 0, input = "") => place.ask(argv, { env, code, input });
  const create = ["apps", "create", "--name", "Old", "--app-id", "old", "--app-secret-stdin"];
  await ask(create, 0, CREDENTIALS.appSecret);
  for (const tool of Object.values(sandbox.payTools)) {
    await orThrow(configurePayTool(ports, "old", tool));
    const path = await place.file(`${tool.payChannel}.json`, JSON.stringify(tool));
    await ask(["pay-tools", "set", "--app", "old", path]);
  }
  const buy = async (payChannel: PayChannel, bizNo: string) => {
    const parameters = { bizNo, amount: 600, goodsTitle: "Month", payChannel, customerIdentity: "user-1" };
    const input = orThrow(parseInput(createOrderInput(ports.policy), parameters));
    const { order } = await orThrow(createOrder(ports, "old", input));
    await orThrow(sandbox.simulatorControls.pay(order.id));
  };
  /** The old service queries the wallet, and records the payment. */
  const learn = async (bizNo: string) => await orThrow(syncOrder(ports, "old", bizNo));
  const refundThere = async (bizNo: string, amount: number) => {
    const parameters = { bizNo, refundNo: "old-1", amount, reason: "asked to", operator: "kim" };
    const input = orThrow(parseInput(refundOrderInput(ports.policy), parameters));
    await orThrow(refundOrder(ports, "old", input));
  };
  /** Imports the orders of the old service. */
  const move = async (...options: readonly string[]) => {
    const orders = await orThrow(ports.orders.listAll({ limit: 10 }));
    const lines = orders.map(orderLine);
    return ask(["import", "orders", "-", "--operator", "kim", ...options], 0, lines.join("\n"));
  };
  const refund = (bizNo: string, code: number, ...options: readonly string[]) =>
    ask(
      ["orders", "refund", "--app", "old", bizNo, "--reason", "asked to", "--operator", "kim", ...options],
      code,
    );
  const found = (bizNo: string) => ask(["orders", "find", "--app", "old", "--biz-no", bizNo]);
  return { ask, buy, learn, refundThere, move, refund, found, place };
}

it("refunds imported orders at both wallets, and never more than the old service left", async () => {
  const { ask, buy, learn, refundThere, move, refund, found } = await openMove();
  expect(await ask(["pay-tools", "check"])).toEqual({ checked: 2, findings: [] });
  await buy("WALLET_A", "a-1");
  await buy("WALLET_B", "b-1");
  await learn("a-1");
  await learn("b-1");
  await refundThere("b-1", 150);
  expect(await move()).toMatchObject({ imported: 2 });
  expect(await found("b-1")).toMatchObject({ orders: [{ refundedAmount: 150 }] });
  expect(await refund("b-1", 1, "--amount", "451", "--refund-no", "r-1")).toMatchObject({
    error: { name: "refund.exceeds-remaining" },
  });
  expect(await refund("b-1", 0, "--all", "--refund-no", "r-2")).toMatchObject({ refund: { amount: 450 } });
  expect(await refund("a-1", 0, "--amount", "100", "--refund-no", "r-1")).toMatchObject({
    refund: { amount: 100 },
  });
  expect(await found("b-1")).toMatchObject({ orders: [{ paymentStatus: "REFUND", refundedAmount: 600 }] });
  const explained = await ask(["orders", "explain", "--app", "old", "b-1"]);
  expect(explained).toMatchObject({ chainHolds: true });
  expect(JSON.stringify(explained)).toMatch(/"IMPORTED".*"CONNECTED".*"REFUND_REQUESTED"/);
});

it("queries the wallet about an imported order only if a command asks for it", async () => {
  const { ask, buy, move, found } = await openMove();
  await buy("WALLET_A", "a-1");
  await buy("WALLET_B", "b-1");
  expect(await move()).toMatchObject({ imported: 2 });
  expect(await found("a-1")).toMatchObject({ orders: [{ paymentStatus: "PENDING" }] });
  expect(await ask(["orders", "sync", "--app", "old", "a-1"])).toMatchObject({
    order: { paymentStatus: "PAID" },
  });
  expect(await found("b-1")).toMatchObject({ orders: [{ paymentStatus: "PENDING" }] });
});

it("connects each order of a file to its pay tool once, also an order that was imported before", async () => {
  const { ask, buy, move, place } = await openMove();
  await buy("WALLET_A", "a-1");
  await move();
  await buy("WALLET_B", "b-1");
  const outcome = { imported: 1, connected: 1, unchanged: 0 };
  expect(await move("--connect", "--dry-run")).toMatchObject(outcome);
  expect(await move("--connect")).toMatchObject(outcome);
  expect(await move("--connect")).toMatchObject({ imported: 0, connected: 0, unchanged: 2 });
  const due = {
    name: "due",
    text: `select count(*)::int as n from ${place.schema}.orders where next_query_ms is not null`,
  };
  expect(await place.sql.query(due, [])).toEqual([{ n: 2 }]);
  await ask(["apps", "create", "--name", "Bare", "--app-id", "bare", "--app-secret-stdin"], 0, "12345678");
  const bare = ["import", "orders", "-", "--operator", "kim", "--connect"];
  const report = await ask(bare, 1, aLine(1, { appId: "bare" }));
  expect(JSON.stringify(report)).toContain("the app has no pay tool of this payChannel");
});
