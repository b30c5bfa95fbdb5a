import { alipayWallet } from "@tillkit/alipay";
import {
  createOrder,
  createOrderInput,
  defaultPolicy,
  type Order,
  orThrow,
  parseInput,
  type PayChannel,
  refundOrder,
  refundOrderInput,
} from "@tillkit/core";
import { notificationsSurface } from "@tillkit/core/http";
import { memoryPorts } from "@tillkit/memory";
import { postgresStores } from "@tillkit/postgres";
import { readKeyring, noopObserver, systemRandom } from "@tillkit/runtime";
import { openSandbox } from "@tillkit/sandbox";
import { testWalletKeys } from "@tillkit/test-keys";
import { wechatPayWallet } from "@tillkit/wechat-pay";
import { ok } from "neverthrow";
import { onTestFinished } from "vitest";
import type { OpenWallets } from "../wallets.js";
import type { emptiedHost } from "./cli.js";
import { newApp } from "./fixture.js";

const BASE = "http://127.0.0.1:8787/wallets";
const DAY = 86_400_000;
const CHINA_OFFSET = DAY / 3;

/** Opens a host on PostgreSQL whose app has both wallets of a sandbox, which it calls over HTTP. */
export async function openSandboxShop(openHost: ReturnType<typeof emptiedHost>) {
  const place = await openHost();
  const late: { notifications?: ReturnType<typeof notificationsSurface> } = {};
  const sandbox = await openSandbox({
    keys: testWalletKeys,
    deliver: async ({ url, headers, body }) => {
      const path = url.slice(BASE.length);
      const bytes = new TextEncoder().encode(body);
      const message = { headers: new Headers(headers), body: bytes };
      const reply = await late.notifications?.handle({ method: "POST", path, query: "", ...message });
      return { status: reply?.status ?? 503, body: reply?.body ?? "" };
    },
  });
  onTestFinished(() => sandbox.close());
  const { addresses, clock } = sandbox;
  const wallets = {
    WALLET_A: sandbox.observe(
      wechatPayWallet({ clock, random: systemRandom, gateways: { DEV: addresses.walletA } }),
    ),
    WALLET_B: sandbox.observe(alipayWallet({ clock, gateways: { DEV: addresses.walletB } })),
  };
  const openWallets: OpenWallets = () => ok(wallets);
  const io = { openWallets, clock };
  /** Creates an app on the accounts of the sandbox. */
  const newShop = async () => {
    const created = await newApp(place.ask);
    for (const tool of Object.values(sandbox.payTools)) {
      const path = await place.file(`${tool.payChannel}.json`, JSON.stringify(tool));
      await place.ask(["pay-tools", "set", "--app", created, path], io);
    }
    return created;
  };
  const appId = await newShop();
  const { credentialKeys } = await orThrow(readKeyring(place.env["TILLKIT_KEYS_FILE"] ?? ""));
  const ports = {
    ...memoryPorts(),
    ...postgresStores({ sql: place.sql, schema: place.schema, credentialKeys }),
    clock,
    wallets,
    observer: noopObserver,
    notificationsUrl: BASE,
  };
  late.notifications = notificationsSurface(ports);
  const order = async (
    payChannel: PayChannel,
    bizNo: string,
    { goodsTitle = "VIP 会员", app = appId, amount = 600 } = {},
  ): Promise<Order> => {
    const parameters = { bizNo, amount, goodsTitle, payChannel, customerIdentity: "user-1" };
    const input = orThrow(parseInput(createOrderInput(defaultPolicy), parameters));
    return (await orThrow(createOrder(ports, app, input))).order;
  };
  const paid = async (
    payChannel: PayChannel,
    bizNo: string,
    details: Parameters<typeof order>[2] = {},
  ): Promise<Order> => {
    const made = await order(payChannel, bizNo, details);
    await orThrow(sandbox.simulatorControls.pay(made.id));
    return made;
  };
  const refund = async (bizNo: string, amount: number) => {
    const parameters = { bizNo, refundNo: "r-1", amount, reason: "asked to", operator: "kim" };
    const input = orThrow(parseInput(refundOrderInput(defaultPolicy), parameters));
    await orThrow(refundOrder(ports, appId, input));
  };
  const faults = (change: object) =>
    sandbox.control.handle({
      method: "POST",
      path: "/faults",
      query: "",
      headers: new Headers(),
      body: new TextEncoder().encode(JSON.stringify(change)),
    });
  /** Moves the clock to noon of the next day in China, and returns the day that has ended. */
  const dayGoesBy = (): string => {
    const day = new Date(clock.now() + CHINA_OFFSET).toISOString().slice(0, 10);
    clock.advance(Date.parse(`${day}T12:00:00+08:00`) + DAY - clock.now());
    return day;
  };
  const bills = (argv: readonly string[], code: number) => place.ask(["bills", ...argv], { ...io, code });
  return { ...place, io, appId, newShop, sandbox, order, paid, refund, faults, dayGoesBy, bills };
}
