import type { ConfigurePayToolInput, PayChannel, SmsSender, Wallet } from "@tillkit/core";
import type { Surface } from "@tillkit/core/http";
import { z } from "zod";
import { openCashier } from "./cashier.js";
import { controlSurface, type SandboxAddresses } from "./control.js";
import type { HostRefund } from "./control-refunds.js";
import { type Deliver, deliverOverHttp, openCourier } from "./courier.js";
import { type Desk, openDesk } from "./desk.js";
import { faultBoard } from "./faults.js";
import { type Journal, openJournal } from "./journal.js";
import { newSandboxKeys, type SandboxKeys, sandboxKeys, type SandboxPublicKeys } from "./keys.js";
import { openLedger } from "./ledger.js";
import type { LedgerOrder, LedgerRefund } from "./ledger-order.js";
import { merchantOf, type SandboxMerchant } from "./merchant.js";
import { messageOf, messagesOf } from "./messages.js";
import { newNotice } from "./notice.js";
import { observed } from "./observe.js";
import { openPayCodes } from "./pay-codes.js";
import { sandboxPayTools } from "./pay-tools.js";
import { openRefundDesk, type RefundDesk } from "./refund-desk.js";
import { refundRulesBoard } from "./refund-rules.js";
import { openRotation } from "./rotation/rotation.js";
import { shownKeys as keysToShow } from "./rotation/shown-keys.js";
import { type SandboxClock, sandboxClock } from "./sandbox-clock.js";
import { openSmsOutbox } from "./sms-outbox.js";
import { walletAHandler } from "./wallet-a/server.js";
import { GATEWAY_PATH, walletBHandler } from "./wallet-b/gateway.js";
import { serve } from "./wire/serve.js";

/** How to open a sandbox. */
export interface SandboxOptions {
  /** The host's clock, which the control interface moves; by default a new `sandboxClock()`. */
  readonly clock?: SandboxClock;
  /**
   * A file that keeps keys, wallets' books, messages and how far the control interface moved the clock, over restarts and kills. It holds private keys and
   * belongs to one process at a time. Without it nothing survives.
   */
  readonly stateFile?: string;
  /** Keys to use instead of those of the state file or new ones. */
  readonly keys?: SandboxKeys;
  /** How notifications reach the service; by default HTTP POST to the order's `notify_url`. */
  readonly deliver?: Deliver;
  /** The ports of the two wallets on 127.0.0.1; by default free ones. */
  readonly ports?: Readonly<Partial<Record<PayChannel, number>>>;
  /** What WALLET_A signs with where a client does not ask for its downloaded public key; by default its certificate's key. */
  readonly walletASigning?: "certificate" | "public-key";
  /** How long WALLET_A takes over a refund, and how long after a refund its notification follows, in milliseconds; by default 1000. */
  readonly refundNoticeAfter?: number;
  /** Called after the control interface moved the clock and before it answers: the place to reconcile. */
  readonly onClockMoved?: (now: number) => void | Promise<void>;
  /**
   * Called by `POST /refund` of the control interface: the host's operator refunds an order. Answers what the operator sees.
   * Without it the control interface refuses the call.
   */
  readonly onRefund?: HostRefund;
}

/** Both wallets and the SMS carrier, played in this process. */
export interface Sandbox {
  /** Where the wallets listen: what the adapters of the wallets take as their gateways for DEV. */
  readonly addresses: SandboxAddresses;
  /** What a merchant holds, for configuring any client of the wallets. It has private keys in it. */
  readonly merchant: SandboxMerchant;
  /** An adapter of WALLET_B with what it signs for DEV handed to the customer's phone: then `pay` needs no more than an order's number. */
  observe(wallet: Wallet): Wallet;
  readonly smsSender: SmsSender;
  readonly clock: SandboxClock;
  /** What to give `configurePayTool` for an app that pays here. */
  readonly payTools: Readonly<Record<PayChannel, ConfigurePayToolInput>>;
  /** The public halves of its keys. */
  readonly keys: SandboxPublicKeys;
  /** Plays customers and wallets from a program. */
  readonly desk: Desk;
  /** Ends refunds and sets the merchant's money from a program. */
  readonly refundDesk: RefundDesk;
  /** The same over HTTP, and faults, messages, clock and keys. Mount it on a loopback address only: it has no authentication. */
  readonly control: Surface;
  /** Ends repeated notifications, waits for those under way and frees the ports. */
  close(): Promise<void>;
}

/** Opens a sandbox. It throws where `NODE_ENV` is `production`: here anybody can say that an order is paid. */
export async function openSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  if (process.env["NODE_ENV"] === "production") {
    throw new Error(
      "The sandbox does not open while NODE_ENV is production: configure real wallets, or set NODE_ENV to development.",
    );
  }
  const { clock = sandboxClock(), deliver = deliverOverHttp, refundNoticeAfter = 1_000 } = options;
  const { ports = {}, walletASigning: signing = "certificate", onClockMoved, onRefund } = options;
  const journal = openJournal(options.stateFile);
  const firstKeys = options.keys ?? (await keptKeys(journal));
  const keptClock = keepAdvances(clock, journal);
  const rotation = openRotation({ keys: firstKeys, clock, journal });
  const { keys } = rotation;
  const shownKeys = keysToShow(firstKeys, rotation);
  const merchant = merchantOf(firstKeys);
  const faults = faultBoard();
  const refundRules = refundRulesBoard({ walletA: refundNoticeAfter, walletB: 0 });
  const payCodes = openPayCodes(clock);
  const books = { clock, journal };
  const ledgers = {
    WALLET_A: openLedger({
      ...books,
      kind: "order-a",
      existsFrom: "prepay",
      mostRefunds: 50,
      retriesClosed: false,
      billed: "accepted",
    }),
    WALLET_B: openLedger({
      ...books,
      kind: "order-b",
      existsFrom: "opening",
      mostRefunds: Infinity,
      retriesClosed: true,
      billed: "done",
      // The trade ends one millisecond after the last moment to pay.
      opened: (order) => reportClosing(order, order.terms.expiresAt + 1),
    }),
  };
  const { merchantPublicKey } = shownKeys.walletA;
  let certified = false;
  const app = {
    ...merchant.walletB,
    appPublicKey: shownKeys.walletB.appPublicKey,
    proven: ({ app_cert_sn: sn }: Readonly<Record<string, string>>) => {
      certified = sn !== undefined;
    },
  };
  const certificateB = () => (certified ? rotation.currentB() : undefined);
  const messages = messagesOf({ keys, clock, signing, certificateB });
  const courier = openCourier({
    clock,
    journal,
    faults,
    deliver,
    messageOf: (notice) =>
      messageOf(messages, notice, ledgers[notice.payChannel].find(notice.outTradeNo), clock.now()),
  });
  const cashier = openCashier({
    walletA: { ledger: ledgers.WALLET_A, merchant: merchant.walletA, merchantPublicKey },
    walletB: { ledger: ledgers.WALLET_B, app },
    clock,
  });
  const desk = openDesk({ ledgers, cashier, messages, courier, clock });
  const outbox = openSmsOutbox({ clock, journal, fault: () => faults.now().sms });

  function reportRefund(
    payChannel: PayChannel,
    { terms: { outTradeNo } }: LedgerOrder,
    { refundNo, outcome, notifyUrl }: LedgerRefund,
    dueAt: number,
  ): Promise<void> {
    // Of a refund that failed Alipay reports nothing.
    const silent = notifyUrl === "" || (payChannel === "WALLET_B" && outcome !== "SUCCESS");
    const notice = newNotice(payChannel, "refund", outTradeNo, { refundNo, outcome, dueAt });
    return silent ? Promise.resolve() : courier.announce(notice);
  }
  // WeChat Pay reports the end of a refund at once, and Alipay a moment later.
  const pauses = { WALLET_A: 0, WALLET_B: refundNoticeAfter };
  const refunded = (payChannel: PayChannel) => (order: LedgerOrder, refund: LedgerRefund) => {
    if (refund.settlesAt === null) return;
    void reportRefund(payChannel, order, refund, refund.settlesAt + pauses[payChannel]);
  };
  function reportClosing({ terms: { outTradeNo, paySource, notifyUrl } }: LedgerOrder, dueAt: number): void {
    // Of a code that is scanned WALLET_B tells only that it was paid.
    if (paySource === "NATIVE" || paySource === "CODE" || notifyUrl === "") return;
    void courier.announce(newNotice("WALLET_B", "closed", outTradeNo, { dueAt }));
  }
  function reportPayment({ terms: { outTradeNo, notifyUrl } }: LedgerOrder): void {
    const notice = newNotice("WALLET_B", "payment", outTradeNo, { dueAt: clock.now() });
    if (notifyUrl !== "") void courier.announce(notice);
  }
  const refundDesk = openRefundDesk({
    ledgers,
    clock,
    report: (payChannel, order, refund) => reportRefund(payChannel, order, refund, clock.now()),
  });
  const atWalletA = walletAHandler({
    ledger: ledgers.WALLET_A,
    merchant: merchant.walletA,
    keys,
    faults,
    signing,
    rotation,
    clock,
    courseOf: (at) => refundRules.courseOf("walletA", at),
    oneRefundAMinute: () => refundRules.now().walletA.oneAMinute,
    refunded: refunded("WALLET_A"),
  });
  const atWalletB = walletBHandler({
    ledger: ledgers.WALLET_B,
    app,
    keys,
    faults,
    rotation,
    clock,
    payCodes,
    courseOf: (at) => refundRules.courseOf("walletB", at),
    chargeError: () => refundRules.now().walletB.chargeError,
    refunded: refunded("WALLET_B"),
    closed: (order) => reportClosing(order, clock.now()),
    paid: reportPayment,
  });
  const servedA = await serve({ port: ports.WALLET_A ?? 0, alive: false }, atWalletA);
  const servedB = await serve({ port: ports.WALLET_B ?? 0, alive: false }, atWalletB);
  const addresses = {
    walletA: `http://127.0.0.1:${servedA.port}`,
    walletB: `http://127.0.0.1:${servedB.port}${GATEWAY_PATH}`,
  };
  return {
    addresses,
    merchant,
    observe: (wallet) => observed(wallet, desk, faults),
    smsSender: outbox.sender,
    clock,
    payTools: sandboxPayTools(merchant, shownKeys),
    keys: shownKeys,
    desk,
    refundDesk,
    control: controlSurface({
      desk,
      refundDesk,
      refundRules,
      payCodes,
      faults,
      outbox,
      clock: keptClock,
      keys: shownKeys,
      rotation,
      addresses,
      catchUp: () => courier.catchUp(),
      ...(onClockMoved === undefined ? {} : { onClockMoved }),
      ...(onRefund === undefined ? {} : { onRefund }),
    }),
    close: async () => {
      await courier.close();
      await Promise.all([servedA.close(), servedB.close()]);
    },
  };
}

/** Moves `clock` by what it was moved before, for time must not go backwards under what is stored, and notes what it is moved by from now on. */
function keepAdvances(clock: SandboxClock, journal: Journal): SandboxClock {
  for (const ms of journal.read("clock", z.int())) clock.advance(ms);
  return {
    ...clock,
    advance: (ms) => {
      journal.write("clock", ms);
      clock.advance(ms);
    },
  };
}

async function keptKeys(journal: Journal): Promise<SandboxKeys> {
  const kept = journal.read("keys", sandboxKeys).at(-1);
  if (kept !== undefined) return kept;
  const made = await newSandboxKeys();
  journal.write("keys", made);
  return made;
}
