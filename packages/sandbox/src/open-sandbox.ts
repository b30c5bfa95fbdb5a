import type { ConfigurePayToolInput, PayChannel, SmsSender, Wallet } from "@tillkit/core";
import type { Surface } from "@tillkit/core/http";
import { z } from "zod";
import { openCashier } from "./cashier.js";
import { controlSurface, type SandboxAddresses } from "./control.js";
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
import { sandboxPayTools } from "./pay-tools.js";
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
  const { ports = {}, walletASigning: signing = "certificate", onClockMoved } = options;
  const journal = openJournal(options.stateFile);
  const firstKeys = options.keys ?? (await keptKeys(journal));
  const keptClock = keepAdvances(clock, journal);
  const rotation = openRotation({ keys: firstKeys, clock, journal });
  const { keys } = rotation;
  const shownKeys = keysToShow(firstKeys, rotation);
  const merchant = merchantOf(firstKeys);
  const faults = faultBoard();
  const ledgers = {
    WALLET_A: openLedger({ kind: "order-a", existsFrom: "prepay", clock, journal }),
    WALLET_B: openLedger({ kind: "order-b", existsFrom: "opening", clock, journal }),
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
    messageOf: (notice) => messageOf(messages, notice, ledgers[notice.payChannel].find(notice.outTradeNo)),
  });
  const cashier = openCashier({
    walletA: { ledger: ledgers.WALLET_A, merchant: merchant.walletA, merchantPublicKey },
    walletB: { ledger: ledgers.WALLET_B, app },
    clock,
  });
  const desk = openDesk({ ledgers, cashier, messages, courier, clock });
  const outbox = openSmsOutbox({ clock, journal, fault: () => faults.now().sms });

  const refunded = (payChannel: PayChannel) => (order: LedgerOrder, refund: LedgerRefund) => {
    const { outTradeNo } = order.terms;
    const when = { refundNo: refund.refundNo, dueAt: clock.now() + refundNoticeAfter };
    if (refund.notifyUrl !== "") void courier.announce(newNotice(payChannel, "refund", outTradeNo, when));
  };
  const closed = ({ terms: { outTradeNo, paySource, notifyUrl } }: LedgerOrder) => {
    // Of a code that is scanned WALLET_B tells only that it was paid.
    if (paySource === "NATIVE" || notifyUrl === "") return;
    void courier.announce(newNotice("WALLET_B", "closed", outTradeNo, { dueAt: clock.now() }));
  };
  const atWalletA = walletAHandler({
    ledger: ledgers.WALLET_A,
    merchant: merchant.walletA,
    keys,
    faults,
    signing,
    rotation,
    clock,
    refundTakes: refundNoticeAfter,
    refunded: refunded("WALLET_A"),
  });
  const atWalletB = walletBHandler({
    ledger: ledgers.WALLET_B,
    app,
    keys,
    faults,
    rotation,
    clock,
    refunded: refunded("WALLET_B"),
    closed,
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
    control: controlSurface({
      desk,
      faults,
      outbox,
      clock: keptClock,
      keys: shownKeys,
      rotation,
      addresses,
      catchUp: () => courier.catchUp(),
      ...(onClockMoved === undefined ? {} : { onClockMoved }),
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
