import { expectOk } from "@tillkit/contract-tests";
import { orThrow, type PayChannel, type WalletFailure } from "@tillkit/core";
import type { BillEntry, BillTotals, FlowEntry, FlowTotals } from "@tillkit/core/ports";
import { testWalletKeys as keys } from "@tillkit/test-keys";
import { okAsync, type ResultAsync } from "neverthrow";
import { expect, onTestFinished } from "vitest";
import type { FaultsChange } from "../faults.js";
import { openSandbox, type Sandbox, sandboxClock } from "../index.js";
import { postControl } from "./call-control.js";
import { accountAt, aRequest, issuePayload, walletsAt } from "./merchant.js";

const LIMITS = { deadline: 60_000 };
const MEBIBYTE = 1024 * 1024;
const DAY = 86_400_000;
/** The day of the payments. */
export const PAID_ON = "2026-11-20";
const NOON = Date.parse(`${PAID_ON}T12:00:00+08:00`);

/** A sandbox on the day after its merchant's payments. */
export interface BilledDay {
  readonly sandbox: Sandbox;
  readBill(): { readonly lines: BillEntry[]; readonly totals: ResultAsync<BillTotals, WalletFailure> };
  readFundFlow(): { readonly lines: FlowEntry[]; readonly totals: ResultAsync<FlowTotals, WalletFailure> };
  fault(change: FaultsChange): Promise<void>;
}

/** Opens a sandbox with two payments and a partial refund on a day that has ended. */
export async function openBilledDay(payChannel: PayChannel): Promise<BilledDay> {
  const deliver = () => Promise.resolve({ status: 200, body: "success" });
  // The clock stands still until it is moved, so that no test runs across midnight.
  const clock = sandboxClock(() => NOON);
  const sandbox = await openSandbox({ keys, deliver, clock });
  onTestFinished(() => sandbox.close());
  const wallet = walletsAt(sandbox, { maxBillBytes: MEBIBYTE })[payChannel];
  const account = accountAt(sandbox, payChannel);
  for (const [outTradeNo, amount] of [
    ["01JCXW9Z3K7Q2N5T8V0B4D6F1H", 601],
    ["01JCXW9Z3K7Q2N5T8V0B4D6F1J", 200],
  ] as const) {
    const request = aRequest(outTradeNo, {
      amount,
      goodsTitle: "会员, 30 天",
      expiresAt: clock.now() + 3_600_000,
    });
    const payload = await expectOk(issuePayload(sandbox, payChannel, request));
    await orThrow(sandbox.simulatorControls.pay(payload));
  }
  clock.advance(1_000);
  const refund = { refundNo: "R-1", amount: 100, orderAmount: 601, reason: "returned" };
  await expectOk(
    wallet.refund(
      account,
      { ...refund, outTradeNo: "01JCXW9Z3K7Q2N5T8V0B4D6F1H", notifyUrl: "https://svc.example/notify" },
      LIMITS,
    ),
  );
  clock.advance(DAY);
  return {
    sandbox,
    readBill: () => {
      const lines: BillEntry[] = [];
      const totals = wallet.readBill(
        account,
        PAID_ON,
        (portion) => okAsync(void lines.push(...portion)),
        LIMITS,
      );
      return { lines, totals };
    },
    readFundFlow: () => {
      const lines: FlowEntry[] = [];
      const totals = wallet.readFundFlow(
        account,
        PAID_ON,
        (portion) => okAsync(void lines.push(...portion)),
        LIMITS,
      );
      return { lines, totals };
    },
    fault: async (change) => {
      expect((await postControl(sandbox, "/faults", change)).status).toBe(200);
    },
  };
}
