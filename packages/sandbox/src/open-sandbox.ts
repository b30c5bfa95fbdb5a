import { orThrow, type PayChannel, type Ports, type SmsSender, type Wallet } from "@tillkit/core";
import type { Surface } from "@tillkit/core/http";
import * as z from "zod";
import { createPayloadVerifier } from "./payload-verifier.js";
import { controlSurface, type SandboxAddresses } from "./control.js";
import { type Deliver, deliverOverHttp, createNotificationDispatcher } from "./notification-dispatcher.js";
import { type SimulatorControls, createSimulatorControls } from "./simulator-controls.js";
import { createFaultSettings, faultyWallet } from "./faults.js";
import { findHostOrder } from "./find-host-order.js";
import { type Journal, openJournal } from "./journal.js";
import { newSandboxKeys, type SandboxKeys, sandboxKeys, type SandboxPublicKeys } from "./keys.js";
import { openLedger } from "./ledger.js";
import type { LedgerOrder, LedgerRefund } from "./ledger-order.js";
import { merchantOf, type SandboxMerchant } from "./merchant.js";
import { messageOf, messagesOf } from "./messages.js";
import { createAccessTokens } from "./mini-program/access-tokens.js";
import type { MiniProgramControls } from "./mini-program/controls.js";
import { isMiniProgramCall, miniProgramHandler } from "./mini-program/server.js";
import { openShipments } from "./mini-program/shipments.js";
import { newPendingNotification } from "./pending-notification.js";
import { observePayloads } from "./observe-payloads.js";
import { openPayCodes } from "./pay-codes.js";
import { type SandboxPayTool, sandboxPayTools, subMerchantPayTools } from "./pay-tools.js";
import { createRefundControls, type RefundControls } from "./refund-controls.js";
import { createRefundRuleSettings } from "./refund-rules.js";
import { openRotation } from "./rotation/rotation.js";
import { shownKeys as keysToShow } from "./rotation/shown-keys.js";
import { type SandboxClock, sandboxClock } from "./sandbox-clock.js";
import { openSmsOutbox } from "./sms-outbox.js";
import { walletAHandler } from "./wechat-pay/server.js";
import { GATEWAY_PATH, walletBHandler } from "./alipay/gateway.js";
import { serve, type WireOutcome, type WireRequest } from "./wire/serve.js";

/** How to open a sandbox. */
export interface SandboxOptions {
  /**
   * The host's clock, which the control interface moves. Defaults to a new {@link sandboxClock}.
   */
  readonly clock?: SandboxClock;
  /**
   * A file that keeps the state across restarts and crashes. If absent, the state is not kept.
   *
   * It contains orders, pending notifications, SMS messages, the moves of the clock, and private
   * keys. Only one process at a time may use it.
   */
  readonly stateFile?: string;
  /** Keys to use instead of those of the state file or new ones. Do not change the object. */
  readonly keys?: SandboxKeys;
  /** Delivers notifications to the service. Defaults to HTTP POST to the order's `notify_url`. */
  readonly deliver?: Deliver;
  /** The ports of the two wallets on 127.0.0.1. Default to free ports. */
  readonly ports?: Readonly<Partial<Record<PayChannel, number>>>;
  /**
   * The key that WeChat Pay signs with unless a client asks for its downloaded public key.
   *
   * Defaults to the key of its certificate.
   */
  readonly walletASigning?: "certificate" | "public-key";
  /**
   * How long WeChat Pay takes to end a refund, in milliseconds of the clock.
   *
   * Defaults to three minutes, about as long as the real wallet takes. A program that people use
   * sets one second. Alipay ends a refund before it answers, and sends the notification a second
   * later.
   */
  readonly refundTime?: number;
  /**
   * The product codes that the merchant's contracts with Alipay cover, such as `QR_CODE_OFFLINE`.
   *
   * Alipay refuses an order of another product. Defaults to every product.
   */
  readonly alipayProducts?: readonly string[];
  /**
   * Called after the control interface moved the clock and before it replies, so that a host can
   * reconcile.
   */
  readonly onClockMoved?: (now: number) => void | Promise<void>;
  /**
   * Returns the ports of the host that pays here. The sandbox calls it only for the control
   * interface.
   *
   * With it, the control interface accepts a `bizNo` wherever it accepts an `outTradeNo`, and
   * refunds orders as the host's operator (`POST /refund`).
   */
  readonly host?: () => Ports;
  /** Called with each request to a wallet, before the wallet handles it. */
  readonly onRequest?: (payChannel: PayChannel, request: WalletRequest) => void;
}

/** A request to a wallet, as it arrived. */
export interface WalletRequest {
  /** In upper case. */
  readonly method: string;
  /** The path with the query. */
  readonly target: string;
  readonly body: Uint8Array;
}

/** Most refunds of WeChat Pay end within five minutes, those to bank cards within days. */
const REFUND_TIME = 180_000;
/** How long after the end of a refund a wallet reports this end, in milliseconds. */
const REPORTED_AFTER: Readonly<Record<PayChannel, number>> = { WALLET_A: 0, WALLET_B: 1_000 };

/** Both wallets and the SMS carrier, simulated in this process. */
export interface Sandbox {
  /** The addresses of the wallets: pass them to the wallet adapters as the DEV gateways. */
  readonly addresses: SandboxAddresses;
  /** The merchant's credentials, for any client of the wallets. They contain private keys. */
  readonly merchant: SandboxMerchant;
  /** Wraps an Alipay adapter so that `pay` works by order number for payloads it signs for DEV. */
  observe(wallet: Wallet): Wallet;
  readonly smsSender: SmsSender;
  readonly clock: SandboxClock;
  /** The input of `configurePayTool` for an app that pays at the sandbox. */
  readonly payTools: Readonly<Record<PayChannel, SandboxPayTool>>;
  /**
   * The inputs of `configurePayTool` for two merchants whose service provider is `merchant`.
   *
   * Add `provider` to their credentials: the id of the pay tool of `merchant`.
   */
  readonly subMerchants: readonly Readonly<Record<PayChannel, SandboxPayTool>>[];
  /** The public keys of the sandbox. */
  readonly keys: SandboxPublicKeys;
  /** Acts as customers and wallets from a program. */
  readonly simulatorControls: SimulatorControls;
  /** Ends refunds and sets the merchant's money from a program. */
  readonly refundControls: RefundControls;
  /** Shows which deliveries of mini-programs are reported, and revokes access tokens. */
  readonly miniProgram: MiniProgramControls;
  /**
   * The same controls over HTTP, and controls of faults, messages, clock and keys.
   *
   * It has no authentication: mount it only on a loopback address.
   */
  readonly control: Surface<string>;
  /** Stops notification retries, waits for the running ones and frees the ports. */
  close(): Promise<void>;
}

/**
 * Opens a sandbox: both wallets on 127.0.0.1 and an SMS carrier.
 *
 * Throws if `NODE_ENV` is `production`, because in a sandbox any caller can mark an order as paid.
 *
 * @returns the running sandbox. Close it at the end.
 * @example
 * ```ts
 * import { openSandbox } from "@tillkit/sandbox";
 *
 * const sandbox = await openSandbox({ stateFile: ".sandbox/state.jsonl" });
 * ```
 */
export async function openSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  if (process.env["NODE_ENV"] === "production") {
    throw new Error(
      "The sandbox refuses to start because NODE_ENV is production. Configure real wallets, or set NODE_ENV to development.",
    );
  }
  const { clock = sandboxClock(), deliver = deliverOverHttp, refundTime = REFUND_TIME } = options;
  const { ports = {}, walletASigning: signing = "certificate" } = options;
  const { onClockMoved, host } = options;
  const seen =
    (payChannel: PayChannel, handle: (request: WireRequest) => Promise<WireOutcome>) =>
    (request: WireRequest) => {
      options.onRequest?.(payChannel, request);
      return handle(request);
    };
  const journal = openJournal(options.stateFile);
  const firstKeys = options.keys ?? (await keptKeys(journal));
  const keptClock = keepAdvances(clock, journal);
  const merchant = merchantOf(firstKeys);
  const rotation = openRotation({ keys: firstKeys, merchant, clock, journal });
  const { keys } = rotation;
  const shownKeys = keysToShow(firstKeys, rotation);
  const faults = createFaultSettings();
  const refundRules = createRefundRuleSettings({ walletA: refundTime, walletB: 0 });
  const payCodes = openPayCodes(clock);
  const books = { clock, journal };
  const ledgers = {
    WALLET_A: openLedger({
      ...books,
      kind: "order-a",
      existsFrom: "prepay",
      voidsOlderCodes: true,
      mostRefunds: 50,
      retriesClosed: false,
      billed: "accepted",
    }),
    WALLET_B: openLedger({
      ...books,
      kind: "order-b",
      existsFrom: "opening",
      voidsOlderCodes: false,
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
    products: options.alipayProducts,
    trusted: ({ app_cert_sn: sn }: Readonly<Record<string, string>>) => {
      certified = sn !== undefined;
    },
  };
  const certificateB = () => (certified ? rotation.currentB() : undefined);
  const messages = messagesOf({ keys, clock, signing, certificateB });
  const dispatcher = createNotificationDispatcher({
    clock,
    journal,
    faults,
    deliver,
    messageOf: (notification) =>
      messageOf(
        messages,
        notification,
        ledgers[notification.payChannel].find(notification.outTradeNo),
        clock.now(),
      ),
  });
  const payloadVerifier = createPayloadVerifier({
    walletA: { ledger: ledgers.WALLET_A, merchant: merchant.walletA, merchantPublicKey },
    walletB: { ledger: ledgers.WALLET_B, app },
    clock,
  });
  const simulatorControls = createSimulatorControls({
    ledgers,
    payloadVerifier,
    messages,
    dispatcher,
    clock,
    finished: reportFinish,
  });
  const outbox = openSmsOutbox({ clock, journal, fault: () => faults.now().sms });

  function reportRefund(
    payChannel: PayChannel,
    { terms: { outTradeNo } }: LedgerOrder,
    { refundNo, outcome, notifyUrl }: LedgerRefund,
    dueAt: number,
  ): Promise<void> {
    // Alipay does not report a failed refund.
    const silent = notifyUrl === "" || (payChannel === "WALLET_B" && outcome !== "SUCCESS");
    const notification = newPendingNotification(payChannel, "refund", outTradeNo, {
      refundNo,
      outcome,
      dueAt,
    });
    return silent ? Promise.resolve() : dispatcher.announce(notification);
  }
  const refunded = (payChannel: PayChannel) => (order: LedgerOrder, refund: LedgerRefund) => {
    if (refund.settlesAt === null) return;
    void reportRefund(payChannel, order, refund, refund.settlesAt + REPORTED_AFTER[payChannel]);
  };
  function reportClosing({ terms: { outTradeNo, paySource, notifyUrl } }: LedgerOrder, dueAt: number): void {
    // Alipay reports only the payment of NATIVE and CODE trades, not their closing.
    if (paySource === "NATIVE" || paySource === "CODE" || notifyUrl === "") return;
    void dispatcher.announce(newPendingNotification("WALLET_B", "closed", outTradeNo, { dueAt }));
  }
  function reportPayment({ terms: { outTradeNo, notifyUrl } }: LedgerOrder): void {
    const notification = newPendingNotification("WALLET_B", "payment", outTradeNo, { dueAt: clock.now() });
    if (notifyUrl !== "") void dispatcher.announce(notification);
  }
  function reportFinish({ terms: { outTradeNo, paySource, notifyUrl } }: LedgerOrder): Promise<void> {
    if (paySource === "NATIVE" || paySource === "CODE" || notifyUrl === "") return Promise.resolve();
    const dueAt = clock.now();
    return dispatcher.announce(newPendingNotification("WALLET_B", "finished", outTradeNo, { dueAt }));
  }
  const refundControls = createRefundControls({
    ledgers,
    clock,
    courseOf: (payChannel, at) => refundRules.courseOf(faultyWallet(payChannel), at),
    accepted: (payChannel, order, refund) => refunded(payChannel)(order, refund),
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
    isUnsettled: () => refundRules.now().walletA.unsettled,
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
  const tokens = createAccessTokens(clock);
  const shipments = openShipments({ ledger: ledgers.WALLET_A, ...books });
  const atMiniProgram = miniProgramHandler({ merchant: merchant.walletA, tokens, shipments, faults, clock });
  const servedA = await serve(
    { port: ports.WALLET_A ?? 0, alive: false },
    seen("WALLET_A", (request) => (isMiniProgramCall(request) ? atMiniProgram : atWalletA)(request)),
  );
  const miniProgram: MiniProgramControls = {
    shipments: () => shipments.all(),
    revokeTokens: () => tokens.revoke(),
    tokensCreated: () => tokens.created(),
  };
  const servedB = await serve({ port: ports.WALLET_B ?? 0, alive: false }, seen("WALLET_B", atWalletB));
  const addresses = {
    walletA: `http://127.0.0.1:${servedA.port}`,
    walletB: `http://127.0.0.1:${servedB.port}${GATEWAY_PATH}`,
  };
  return {
    addresses,
    merchant,
    observe: (wallet) => observePayloads(wallet, simulatorControls, faults),
    smsSender: outbox.sender,
    clock,
    payTools: sandboxPayTools(merchant, shownKeys),
    subMerchants: subMerchantPayTools(),
    keys: shownKeys,
    simulatorControls,
    refundControls,
    miniProgram,
    control: controlSurface({
      simulatorControls,
      miniProgram,
      refundControls,
      refundRules,
      payCodes,
      faults,
      outbox,
      clock: keptClock,
      keys: shownKeys,
      rotation,
      addresses,
      catchUp: () => dispatcher.catchUp(),
      ...(onClockMoved === undefined ? {} : { onClockMoved }),
      ...(host === undefined ? {} : { host }),
      numberOf: async (number) => {
        const isKnown = Object.values(ledgers).some((ledger) => ledger.find(number) !== undefined);
        if (isKnown || host === undefined) return number;
        return (await orThrow(findHostOrder(host(), number)))?.id ?? number;
      },
    }),
    close: async () => {
      await dispatcher.close();
      await Promise.all([servedA.close(), servedB.close()]);
    },
  };
}

/**
 * Replays the stored moves of `clock` and stores its further moves.
 *
 * Without the replay the time would go backwards relative to the stored state.
 */
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
