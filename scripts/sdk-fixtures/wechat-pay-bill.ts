import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { WalletAccount } from "@tillkit/core";
import type { BillEntry } from "@tillkit/core/ports";
import { systemRandom } from "@tillkit/runtime";
import { testWalletKeys as keys } from "@tillkit/test-keys";
import { wechatPayWallet } from "@tillkit/wechat-pay";
import { okAsync } from "neverthrow";
import { publicKeys } from "../../packages/sandbox/src/keys.js";
import { merchantOf } from "../../packages/sandbox/src/merchant.js";
import { sandboxPayTools } from "../../packages/sandbox/src/pay-tools.js";
import { openBillServer } from "../../packages/internal/fuzz/src/bill-server.js";
import { signersOf } from "../../packages/internal/fuzz/src/signed-notifications.js";
import type { Check } from "./check.js";

/** The merchant of the SDK's sample, the day of the bill and a later time. */
const MERCHANT = "1921000401";
const DAY = "2019-02-19";
const NOW = Date.parse("2019-02-20T14:00:00+08:00");

/**
 * Reads the SDK's sample bill through the adapter and compares its totals with those in the file.
 *
 * A simulated gateway signs the bill.
 *
 * @param folder - the fixture folder of a checkout of `wechatpay-axios-plugin`.
 */
export async function checkWechatPayBill(folder: string): Promise<readonly Check[]> {
  const name = "bill.ALL.csv";
  const text = readFileSync(join(folder, name));
  const server = await openBillServer(signersOf(keys), NOW);
  try {
    server.serve({ file: gzipSync(text), stated: text, answer: (body) => body });
    const tool = sandboxPayTools(merchantOf(keys), publicKeys(keys)).WALLET_A;
    const account: WalletAccount = {
      ...tool,
      id: "tool-1",
      appId: "app-1",
      accountId: MERCHANT,
      signStatus: "OK",
      gmtCreate: 0,
      gmtModified: 0,
    };
    const gateways = { DEV: server.address };
    const wallet = wechatPayWallet({ clock: { now: () => NOW }, random: systemRandom, gateways });
    const lines: BillEntry[] = [];
    const read = await wallet.readBill(account, DAY, (portion) => okAsync(void lines.push(...portion)), {
      deadline: 20_000,
    });
    const stated = statedBy(text.toString("utf8"));
    const check = (compared: string, bySdk: string, byTillkit: string): Check => ({
      fixture: `${name} (${createHash("sha256").update(text).digest("hex").slice(0, 8)})`,
      compared,
      bySdk,
      byTillkit,
    });
    if (read.isErr()) return [check("whole bill", "read", read.error.detail)];
    const { paymentAmount, refundAmount } = read.value;
    return [
      check("lines", stated.lines, String(lines.length)),
      check("order amounts", stated.orderAmount, yuan(paymentAmount)),
      check("refund amounts", stated.refundAmount, yuan(refundAmount)),
    ];
  } finally {
    await server.close();
  }
}

/** Returns the totals in the last line of the bill. */
function statedBy(text: string) {
  const last = text.trim().split(/\r?\n/).at(-1) ?? "";
  const [lines = "", , , , , orderAmount = "", refundAmount = ""] = last.replaceAll("`", "").split(",");
  return { lines: String(Number(lines)), orderAmount, refundAmount };
}

function yuan(cents: number): string {
  return `${String(Math.floor(cents / 100))}.${String(cents % 100).padStart(2, "0")}`;
}
