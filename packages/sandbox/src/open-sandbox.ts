import type { ConfigurePayToolInput, PayChannel, SmsSender, Wallet } from "@tillkit/core";
import type { Surface } from "@tillkit/core/http";
import { z } from "zod";
import { controlSurface } from "./control.js";
import { type Deliver, deliverOverHttp, openCourier } from "./courier.js";
import { type Desk, openDesk } from "./desk.js";
import { faultBoard } from "./faults.js";
import { type Journal, openJournal } from "./journal.js";
import { newSandboxKeys, publicKeys, type SandboxKeys, sandboxKeys, type SandboxPublicKeys } from "./keys.js";
import { openLedger } from "./ledger.js";
import type { WalletSide } from "./ledger-calls.js";
import { messagesOf } from "./messages.js";
import { sandboxPayTools } from "./pay-tools.js";
import { type SandboxClock, sandboxClock } from "./sandbox-clock.js";
import { openSmsOutbox } from "./sms-outbox.js";
import { walletAClient } from "./wallet-a/client.js";
import { walletBClient } from "./wallet-b/client.js";

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
  /** How long after a refund its notification follows, in milliseconds; by default 1000. */
  readonly refundNoticeAfter?: number;
  /** Called after the control interface moved the clock and before it answers: the place to reconcile. */
  readonly onClockMoved?: (now: number) => void | Promise<void>;
}

/** Both wallets and the SMS carrier, played in this process. */
export interface Sandbox {
  readonly wallets: Readonly<Record<PayChannel, Wallet>>;
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
  /** Ends repeated notifications and waits for those under way. */
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
  const journal = openJournal(options.stateFile);
  const keys = options.keys ?? (await keptKeys(journal));
  const keptClock = keepAdvances(clock, journal);
  const faults = faultBoard();
  const messages = messagesOf(keys, clock, faults);
  const courier = openCourier(clock, deliver);
  const ledgers = {
    WALLET_A: openLedger({ kind: "order-a", existsFrom: "prepay", clock, journal }),
    WALLET_B: openLedger({ kind: "order-b", existsFrom: "opening", clock, journal }),
  };
  const outbox = openSmsOutbox({ clock, journal, fault: () => faults.now().sms });
  const desk = openDesk(ledgers, messages, courier);
  const { onClockMoved } = options;
  const sideOf = (payChannel: PayChannel): WalletSide => ({
    ledger: ledgers[payChannel],
    clock,
    faults: () => faults.now()[payChannel === "WALLET_A" ? "walletA" : "walletB"],
    refunded: (order, refund) =>
      courier.announceLater(messages.refund(payChannel, order, refund), refundNoticeAfter),
  });
  return {
    wallets: {
      WALLET_A: walletAClient({ ...sideOf("WALLET_A"), keys: keys.walletA }),
      WALLET_B: walletBClient({ ...sideOf("WALLET_B"), keys: keys.walletB }),
    },
    smsSender: outbox.sender,
    clock,
    payTools: sandboxPayTools(keys),
    keys: publicKeys(keys),
    desk,
    control: controlSurface({
      desk,
      faults,
      outbox,
      clock: keptClock,
      keys: publicKeys(keys),
      ...(onClockMoved === undefined ? {} : { onClockMoved }),
    }),
    close: () => courier.close(),
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
