import {
  anAccount,
  FIXTURE_TIME,
  type FaultyCall,
  type FaultKind,
  walletBillContract,
  type WalletBillHarness,
  walletContract,
} from "@tillkit/contract-tests";
import {
  PAY_CHANNELS,
  PAY_SOURCES,
  type PayChannel,
  type RawNotification,
  type WalletFailure,
} from "@tillkit/core";
import { memoryWallet } from "./memory-wallet.js";
import { testClock } from "../ports/test-clock.js";

for (const payChannel of PAY_CHANNELS) {
  const open = async () => ({ port: openFixture(payChannel), close: async () => {} });
  const paySources = PAY_SOURCES.filter((paySource) => payChannel === "WALLET_B" || paySource !== "PC");
  walletContract(`memory ${payChannel}`, open, { paySources });
  walletBillContract(`memory ${payChannel}`, open);
}

const unknown = (cause: "timeout" | "server-error" | "unverified"): WalletFailure => ({
  name: "wallet.unknown",
  cause,
  detail: "scripted",
});
// No call waits: a hanging wallet returns `wallet.unknown` before its deadline.
const FAILURES = {
  timeout: [unknown("timeout"), "after"],
  hang: [unknown("timeout"), "before"],
  "server-error": [unknown("server-error"), "before"],
  reject: [{ name: "wallet.rejected", reason: "other", trusted: true, detail: "scripted" }, "before"],
  unsigned: [unknown("unverified"), "after"],
} as const satisfies Record<FaultKind, readonly [WalletFailure, "before" | "after"]>;

/**
 * Creates a memory wallet whose failures last until they are removed, and that sends notifications.
 */
function openFixture(payChannel: PayChannel): WalletBillHarness {
  const clock = testClock(FIXTURE_TIME);
  const wallet = memoryWallet(payChannel, clock);
  const sent: RawNotification[] = [];
  const faulty = new Map<FaultyCall, FaultKind>();
  const script = (call: FaultyCall): void => {
    const how = faulty.get(call);
    if (how === undefined) return;
    const [failure, when] = FAILURES[how];
    wallet.failNext(call, failure, when);
  };
  const does = (act: () => void): boolean => {
    try {
      act();
      return true;
    } catch {
      return false;
    }
  };
  return {
    ...wallet,
    account: anAccount({ payChannel }),
    takesAnyCredentials: "its signatures are obviously fake, so that tests need no keys",
    now: () => clock.now(),
    prepare: (...call) => {
      script("prepare");
      return wallet.prepare(...call);
    },
    query: (...call) => {
      script("query");
      return wallet.query(...call);
    },
    close: (...call) => {
      script("close");
      return wallet.close(...call);
    },
    refund: (account, request, limits) => {
      script("refund");
      return wallet.refund(account, request, limits).map((made) => {
        sent.push(wallet.refundNotificationFor(request.outTradeNo, request.refundNo));
        return made;
      });
    },
    queryRefund: (...call) => {
      script("queryRefund");
      return wallet.queryRefund(...call);
    },
    readBill: (...call) => {
      script("readBill");
      return wallet.readBill(...call);
    },
    readFundFlow: (...call) => {
      script("readFundFlow");
      return wallet.readFundFlow(...call);
    },
    advance: async (ms) => clock.advance(ms),
    openPayment: async (outTradeNo) => wallet.open(outTradeNo),
    pay: async (outTradeNo) => {
      const paid = does(() => wallet.pay(outTradeNo));
      if (paid) sent.push(wallet.notificationFor(outTradeNo));
      return paid;
    },
    balance: async () => wallet.balance(),
    injectFault: async (call, how) => {
      if (how === null) faulty.delete(call);
      else faulty.set(call, how);
    },
    notifications: async () => sent,
    forge: async ({ headers, body }) => {
      const forged = "0".repeat(64);
      const isSignature = (name: string) => name === "x-memory-wallet-signature";
      return { headers: { get: (name) => (isSignature(name) ? forged : headers.get(name)) }, body };
    },
    probe: async (notification) => wallet.probeOf(notification),
  };
}
