import { anAccount, expectOk } from "@tillkit/contract-tests";
import { disableApp } from "@tillkit/core/operators";
import { openApp } from "./demo-shop.js";
import { keepBill } from "./keep-bill.js";
import type { Host } from "./open-host.js";

/** The longest texts that Tillkit stores, without a place to break them. */
const NUMBER = "N".repeat(64);
const TITLE = "W".repeat(127);
const NAME = "名".repeat(64);
const REASON = "w".repeat(80);

/**
 * Stores the bill of one day with large sums that do not add up, for an account with a long id. The
 * other days have no bill.
 */
async function openLongReport(host: Host, appId: string): Promise<void> {
  const account = { payChannel: "WALLET_A", appEnv: "DEV", accountId: "9".repeat(32) } as const;
  const gmtCreate = host.ports.clock.now() - 3 * 86_400_000;
  await expectOk(host.ports.payTools.put(anAccount({ ...account, id: "long-tool", appId, gmtCreate })));
  const line = { appId, amount: 9_999_999_999, received: 9_999_999_999, fee: 59_999_999 };
  const balances = { opening: 999_999_999_999, closing: 999_999_999_999 };
  await keepBill(host, { ...account, ...balances, day: "2026-11-21", fees: 1, unreadable: 3 }, [
    line,
    { ...line, kind: "refund", refundNo: "r-1" },
    { amount: 9_999_999_999, received: 9_999_999_999, fee: 59_999_999 },
  ]);
}

/** Fills a host with an app whose every text is as long as possible, without a space. */
export async function openLongShop(host: Host) {
  const app = await openApp(host, NAME);
  const order = await app.order({
    bizNo: NUMBER,
    goodsTitle: TITLE,
    amount: 999_999_999,
    customerIdentity: "c".repeat(64),
    customerName: "顾".repeat(20),
    attachData: "a".repeat(500),
  });
  await app.pay(order);
  await app.refund(NUMBER, "r".repeat(31), 100, "o".repeat(64));
  await app.askForRefund(NUMBER, "q".repeat(31), 20_000, "p".repeat(64), REASON);
  await app.order({ bizNo: "M".repeat(64), goodsTitle: TITLE, payChannel: "WALLET_B" });
  const by = { operator: "o".repeat(64), reason: REASON, from: "2001:db8::".padEnd(39, "1"), traceId: "t" };
  const other = await openApp(host, `${NAME.slice(0, 60)}停用`);
  await expectOk(disableApp(host.ports, other.appId, by));
  await openLongReport(host, app.appId);
  await host.create("o".repeat(64), "support", [app.appId, other.appId]);
  return { appId: app.appId, bizNo: NUMBER };
}
