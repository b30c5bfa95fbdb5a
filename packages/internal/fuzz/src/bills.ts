import { gzipSync } from "node:zlib";
import { alipayWallet } from "@tillkit/alipay";
import { PAY_CHANNELS, type PayChannel, type Wallet, type WalletAccount } from "@tillkit/core";
import type { BillEntry } from "@tillkit/core/ports";
import { systemRandom } from "@tillkit/runtime";
import { testWalletKeys as keys } from "@tillkit/test-keys";
import { wechatPayWallet } from "@tillkit/wechat-pay";
import fc from "fast-check";
import { okAsync } from "neverthrow";
import { archiveOf, DETAIL, gbk, SUMMARY } from "../../../alipay/src/testing/bill-files.js";
import { publicKeys } from "../../../sandbox/src/keys.js";
import { merchantOf } from "../../../sandbox/src/merchant.js";
import { sandboxPayTools } from "../../../sandbox/src/pay-tools.js";
import { BILL } from "../../../wechat-pay/src/testing/bill-text.js";
import { openTargetBy, reportBroken, type FuzzTarget } from "./fuzz-target.js";
import { openBillServer } from "./bill-server.js";
import { type ByteChange, byteChanges, changedBytes } from "./byte-changes.js";
import { visible } from "./requests.js";
import { signersOf } from "./signed-notifications.js";

/** The differences between the served file and the genuine bill. */
interface FuzzCase {
  readonly payChannel: PayChannel;
  /** Lines that are omitted, repeated, or moved to the end, by position. */
  readonly lines: readonly { readonly how: "drop" | "repeat" | "move"; readonly at: number }[];
  /** Changes of the text, and of the file that contains the text. */
  readonly text: readonly ByteChange[];
  readonly file: readonly ByteChange[];
  /** Whether WeChat Pay signs the digest of the changed text instead of the genuine one. */
  readonly isStated: boolean;
  /** Changes of the response with the file's URL, before the wallet signs it. */
  readonly answer: readonly ByteChange[];
}

const DAY = "2026-11-19";
const NOW = Date.parse("2026-11-20T14:00:00+08:00");

/** The readers of both wallets' daily bills. */
export const bills: FuzzTarget = {
  name: "bills",
  share: 2,
  open: async () => {
    const served = await openBillServer(signersOf(keys), NOW);
    const clock = { now: () => NOW };
    const wallets: Readonly<Record<PayChannel, Wallet>> = {
      WALLET_A: wechatPayWallet({ clock, random: systemRandom, gateways: { DEV: served.address } }),
      WALLET_B: alipayWallet({ clock, gateways: { DEV: `${served.address}/gateway.do` } }),
    };
    const tools = sandboxPayTools(merchantOf(keys), publicKeys(keys));
    const record = { id: "tool-1", appId: "app-1", signStatus: "OK", gmtCreate: 0, gmtModified: 0 } as const;
    const read = async (fuzzCase: FuzzCase) => {
      const { text, file } = filesOf(fuzzCase);
      const stated = fuzzCase.isStated ? text : Buffer.from(BILL.join("\r\n"));
      served.serve({ file, stated, answer: (body) => changedBytes(body, fuzzCase.answer) });
      const account: WalletAccount = { ...tools[fuzzCase.payChannel], ...record };
      return reading(wallets[fuzzCase.payChannel], account);
    };
    const truth = new Map<PayChannel, string>();
    for (const payChannel of PAY_CHANNELS) {
      const { lines, isWhole } = await read({
        payChannel,
        lines: [],
        text: [],
        file: [],
        isStated: true,
        answer: [],
      });
      if (!isWhole) throw new Error(`The bill of ${payChannel} without a change cannot be read.`);
      truth.set(payChannel, JSON.stringify(lines));
    }
    const rarely = fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: byteChanges });
    return openTargetBy<FuzzCase>({
      cases: fc.record({
        payChannel: fc.constantFrom(...PAY_CHANNELS),
        lines: fc.array(
          fc.record({ how: fc.constantFrom("drop", "repeat", "move"), at: fc.nat({ max: 12 }) }),
          { maxLength: 2 },
        ),
        text: rarely,
        file: rarely,
        isStated: fc.boolean(),
        answer: fc.oneof({ weight: 6, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: byteChanges }),
      }),
      requestsIn: () => 1,
      play: async (fuzzCase) => {
        const { lines, isWhole } = await read(fuzzCase);
        if (!isWhole) return;
        const isProved = fuzzCase.payChannel === "WALLET_A" && !fuzzCase.isStated;
        const isTextTrue = fuzzCase.lines.length === 0 && fuzzCase.text.length === 0;
        if ((isProved || isTextTrue) && JSON.stringify(lines) !== truth.get(fuzzCase.payChannel))
          reportBroken("a changed file is not accepted as a bill", lines);
      },
      toText: (fuzzCase) => {
        const { file, text } = filesOf(fuzzCase);
        return [
          `${fuzzCase.payChannel}, ${fuzzCase.isStated ? "with its own digest signed" : "with the genuine bill's digest signed"}`,
          `text: ${visible(Buffer.from(text).toString("latin1"))}`,
          `file: ${visible(Buffer.from(file).toString("latin1"))}`,
          `the response with its URL: ${JSON.stringify(fuzzCase.answer)}`,
        ].join("\n");
      },
      close: served.close,
    });
  },
};

/** Reads a bill and checks the invariants of every bill. */
async function reading(wallet: Wallet, account: WalletAccount) {
  const lines: BillEntry[] = [];
  const take = (portion: readonly BillEntry[]) => okAsync(void lines.push(...portion));
  const totals = await wallet.readBill(account, DAY, take, { deadline: 20_000 });
  const read = lines.flatMap((line) => (line.kind === "unreadable" ? [] : [line]));
  for (const { amount, outTradeNo } of read)
    if (!Number.isSafeInteger(amount) || amount <= 0 || outTradeNo === "")
      reportBroken("a readable line has a positive amount and an order number", lines);
  for (const line of lines)
    if (line.kind === "unreadable" && /VIP|oUpF8|津水/.test(JSON.stringify(line)))
      reportBroken("an unreadable line contains no text of its order", lines);
  if (totals.isErr()) {
    const { name, detail } = totals.error;
    if (!["wallet.rejected", "wallet.unknown"].includes(name))
      reportBroken("a bill fails with wallet.rejected or wallet.unknown", totals.error);
    if (detail === "" || /\n {4}at /.test(detail))
      reportBroken("a failed bill has a detail without a stack trace", totals.error);
    return { lines, isWhole: false };
  }
  if ((totals.value.unreadable?.lines ?? 0) !== lines.length - read.length)
    reportBroken("every line is read or reported as unreadable", totals.value);
  for (const kind of ["payment", "refund"] as const) {
    const some = read.filter((line) => line.kind === kind);
    const [count, sum] = [some.length, some.reduce((total, { amount }) => total + amount, 0)];
    const { payments, paymentAmount, refunds, refundAmount } = totals.value;
    const stated = kind === "payment" ? [payments, paymentAmount] : [refunds, refundAmount];
    if (stated[0] !== count || stated[1] !== sum) reportBroken("the totals match the lines", totals.value);
  }
  return { lines, isWhole: true };
}

function filesOf({ payChannel, lines, text, file }: FuzzCase): {
  readonly text: Uint8Array;
  readonly file: Uint8Array;
} {
  if (payChannel === "WALLET_A") {
    const written = changedBytes(new Uint8Array(Buffer.from(changedLines(BILL, lines).join("\r\n"))), text);
    return { text: written, file: changedBytes(gzipSync(written), file) };
  }
  const detail = changedBytes(gbk(`${changedLines(DETAIL, lines).join("\r\n")}\r\n`), text);
  const archive = archiveOf([detail, gbk(`${SUMMARY.join("\r\n")}\r\n`)]);
  return { text: detail, file: changedBytes(archive, file) };
}

function changedLines(lines: readonly string[], changes: FuzzCase["lines"]): readonly string[] {
  return changes.reduce<readonly string[]>((now, { how, at }) => {
    const [before, line, after] = [now.slice(0, at), now.slice(at, at + 1), now.slice(at + 1)];
    if (how === "drop") return [...before, ...after];
    return how === "repeat" ? [...before, ...line, ...line, ...after] : [...before, ...after, ...line];
  }, lines);
}
