import { aCount, aFoundException, expectOk } from "@tillkit/contract-tests";
import {
  configurePayTool,
  createApp,
  createDownloadsClient,
  createOrder,
  createOrderInput,
  createServiceType,
  type Order,
  orThrow,
  parseInput,
  type PayChannel,
  receiveNotification,
  refundOrder,
  refundOrderInput,
  requestRefund,
  requestRefundInput,
} from "@tillkit/core";
import { closeOrder, closeOrderInput } from "@tillkit/core/operators";
import type { FoundException } from "@tillkit/core/ports";
import { keepBill } from "./keep-bill.js";
import type { Host } from "./open-host.js";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** What an order of the demo can differ in. */
interface DemoOrder {
  readonly bizNo: string;
  readonly amount?: number;
  readonly goodsTitle?: string;
  readonly payChannel?: PayChannel;
  readonly customerIdentity?: string;
  readonly customerName?: string;
  readonly attachData?: string;
  readonly serviceTypeNo?: string;
}

/** The merchant account of an app, at both channels. */
function accountOf(appId: string): string {
  return `16${appId.slice(-8)}`;
}

/** An app with its pay tools, and what a test does in it as customer and wallet. */
export async function openApp({ ports }: Pick<Host, "ports">, name: string) {
  const { app, appSecret } = await expectOk(createApp(ports, { name }));
  const { appId } = app;
  for (const payChannel of ["WALLET_A", "WALLET_B"] as const) {
    const shown = { appName: name, appPackageName: "", appSignature: "" };
    const account = { accountId: accountOf(appId), walletAppId: "wx-1", credentials: {} };
    await expectOk(configurePayTool(ports, appId, { ...account, ...shown, payChannel, appEnv: "PROD" }));
  }
  const order = async (demo: DemoOrder): Promise<Order> => {
    const terms = { customerIdentity: "user-1", amount: 600, goodsTitle: "Month", payChannel: "WALLET_A" };
    const input = orThrow(parseInput(createOrderInput(ports.policy), { ...terms, ...demo }));
    return (await expectOk(createOrder(ports, appId, input))).order;
  };
  const pay = async ({ id, notifyUrl, payChannel, payToolId }: Order, late = false) => {
    const wallet = ports.wallets[payChannel];
    if (payChannel === "WALLET_B" && !late) wallet.open(id);
    wallet.pay(id, { late });
    const address = { payChannel, payToolId, orderRef: notifyUrl.split("/").at(-1) ?? "" };
    await expectOk(receiveNotification(ports, address, wallet.notificationFor(id)));
  };
  const refund = async (bizNo: string, refundNo: string, amount: number, operator: string) => {
    const asked = { bizNo, refundNo, amount, reason: "customer asked", operator };
    const input = orThrow(parseInput(refundOrderInput(ports.policy), asked));
    await expectOk(refundOrder(ports, appId, input));
  };
  const close = async (bizNo: string) => {
    const asked = { bizNo, reason: "customer cancelled", operator: "li" };
    const input = orThrow(parseInput(closeOrderInput(ports.policy), asked));
    await expectOk(closeOrder(ports, appId, input));
  };
  /** Asks for a refund as an operator whose refund needs the approval of another operator. */
  const askForRefund = async (
    bizNo: string,
    refundNo: string,
    amount: number,
    operator: string,
    reason = "paid after the order was closed",
  ) => {
    // The operator has read everything on the page of the order.
    const events = await expectOk(ports.orders.timeline({ appId, bizNo }));
    const asked = { bizNo, refundNo, amount, reason, seen: events.at(-1)?.seq };
    const input = orThrow(parseInput(requestRefundInput(ports.policy), asked));
    const origin = { from: "192.0.2.1", traceId: "" };
    await expectOk(requestRefund(ports, { name: operator, role: "finance" }, appId, input, origin));
  };
  return { appId, appSecret, order, pay, refund, askForRefund, close };
}

const TITLES = [
  "Membership, 1 month",
  "会员年卡",
  "Storage 200 GB",
  "课程：英语入门",
  "Template pack",
] as const;
const PRICES = [1_500, 19_800, 3_000, 9_900, 600] as const;

/** Fills a host with two apps and a day of orders, as the screenshots show them. */
export async function openDemoShop(host: Host) {
  const { ports } = host;
  const start = ports.clock.now();
  ports.clock.set(start - DAY);
  const notes = await openApp(host, "Notes");
  const courses = await openApp(host, "Courses 课程");
  await expectOk(
    createServiceType(ports, notes.appId, {
      serviceName: "Membership",
      durationMs: 30 * DAY,
      serviceTypeNo: "vip-1",
    }),
  );
  await expectOk(
    createServiceType(ports, notes.appId, {
      serviceName: "会员年卡",
      durationMs: 365 * DAY,
      serviceTypeNo: "vip-12",
    }),
  );
  await expectOk(
    createDownloadsClient(ports, {
      appId: notes.appId,
      dailyLimit: 1_000,
      clientId: "report-of-downloads-1",
    }),
  );
  for (let nth = 0; nth < 24; nth += 1) {
    ports.clock.set(start - (24 - nth) * 0.5 * HOUR);
    const app = nth % 3 === 0 ? courses : notes;
    const one = await app.order({
      bizNo: `N20261123-${String(1_001 + nth)}`,
      amount: PRICES[nth % PRICES.length] ?? 600,
      goodsTitle: TITLES[nth % TITLES.length] ?? "",
      payChannel: nth % 2 === 0 ? "WALLET_A" : "WALLET_B",
      customerIdentity: `user-${String(100 + (nth % 7))}`,
    });
    ports.clock.advance(40_000);
    if (nth % 5 === 4) continue;
    await app.pay(one);
  }
  await openTroubles(host, notes, start);
  await openCounts(host, notes.appId);
  await openBills(host, notes.appId);
  ports.clock.set(start);
  return { notes, courses };
}

type App = Awaited<ReturnType<typeof openApp>>;

/** What an operator has to look at: a late payment, refunds and bill exceptions. */
async function openTroubles({ ports }: Host, notes: App, start: number): Promise<void> {
  ports.clock.set(start - 2 * HOUR);
  const late = await notes.order({ bizNo: "N20261123-0901", amount: 19_800, goodsTitle: "会员年卡" });
  await notes.close(late.bizNo);
  ports.clock.advance(90_000);
  await notes.pay(late, true);
  await notes.askForRefund(late.bizNo, "op-1", 19_800, "li");
  await notes.askForRefund("N20261123-1002", "op-2", 19_800, "han");
  ports.clock.set(start - HOUR);
  const refunded = await notes.order({
    bizNo: "N20261123-0907",
    amount: 9_900,
    goodsTitle: "Course: English for beginners",
    customerName: "Wang",
    attachData: '{"cart":"c-77","coupon":"AUTUMN"}',
    customerIdentity: "user-104",
  });
  ports.clock.advance(75_000);
  await notes.pay(refunded);
  ports.clock.advance(20 * 60_000);
  await notes.refund(refunded.bizNo, "r-1", 3_000, "han");
  const exception = (id: string, changes: Partial<FoundException>): FoundException => {
    // The fixture has an amount from the bill. Exceptions about missing lines have no such amount.
    const { amountThere: _there, ...found } = aFoundException({ id, at: start, asOf: start });
    return {
      ...found,
      day: "2026-11-22",
      accountId: "1600000001",
      payChannel: "WALLET_A",
      outTradeNo: `20261122${id}`,
      walletTradeNo: `42000011${id}`,
      ...changes,
    };
  };
  const order = { appId: notes.appId, bizNo: refunded.bizNo };
  await expectOk(
    ports.billExceptions.report([
      exception("88001", {
        kind: "PAYMENT_AMOUNT",
        amountThere: 9_900,
        amountHere: 9_800,
        statusHere: "PAID",
        order,
      }),
      exception("88002", { kind: "PAYMENT_NOT_HERE", amountThere: 9_900 }),
      exception("88003", {
        kind: "REFUND_NOT_THERE",
        refundNo: "r-1",
        amountHere: 3_000,
        statusHere: "CONFIRMED",
        order,
      }),
    ]),
  );
}

/** Stores yesterday's bill of one channel. The bill of the other channel is missing. */
async function openBills(host: Host, appId: string): Promise<void> {
  const refund = { kind: "refund", refundNo: "r-0", amount: 9_900, received: -9_900, fee: -59 } as const;
  const foreign = { amount: 4_500, received: 4_500, fee: 27 };
  const lines = [...PRICES, ...PRICES].map((amount, nth) => ({
    appId,
    bizNo: `N20261122-${String(1_001 + nth)}`,
    amount,
    received: amount,
    fee: Math.round(amount * 0.006),
  }));
  const fees = lines.reduce((sum, { fee }) => sum + fee, 0) - 59 + 27;
  const received = lines.reduce((sum, line) => sum + line.received, 0) - 9_900 + 4_500;
  const bill = { accountId: accountOf(appId), day: "2026-11-22", fees } as const;
  const balances = { opening: 120_000, closing: 120_000 + received - fees };
  await keepBill(host, { ...bill, ...balances }, [...lines, { appId, ...refund }, foreign]);
}

/** Downloads of 30 days from two stores. */
async function openCounts({ ports }: Host, appId: string): Promise<void> {
  const days = Array.from({ length: 60 }, (_, nth) =>
    new Date(Date.UTC(2026, 8, 24) + nth * DAY).toISOString().slice(0, 10),
  );
  const counts = days.flatMap((date, nth) =>
    ["appstore", "huawei"].map((store, which) =>
      aCount({
        appId,
        date,
        store,
        newDownloads: 120 + ((nth * 37 + which * 53) % 60) + nth,
        updateDownloads: 40 + ((nth * 23 + which * 31) % 35),
      }),
    ),
  );
  await expectOk(ports.downloads.upsert([counts]));
}
