import {
  configurePayTool,
  type ConfigurePayToolInput,
  createApp,
  createDownloadsClient,
  createServiceType,
  logIn,
  logInInput,
  orThrow,
  type ServiceEvent,
  PAY_CHANNELS,
  parseInput,
  type PayChannel,
  type Policy,
  policyWith,
  type Ports,
  sendCode,
  sendCodeInput,
  type Wallet,
} from "@tillkit/core";
import {
  memoryPorts,
  memoryState,
  type MemoryState,
  memoryStores,
  memoryWallet,
  testClock,
} from "@tillkit/memory";
import { byteStream } from "@tillkit/simulation/choice-source";
import { okAsync } from "neverthrow";
import { openOrders, type Wanted } from "./fixture-orders.js";

/** A service with prepared data, and what its callers know. */
export interface TestFixture {
  readonly apps: Readonly<Record<"demo" | "device", Caller>>;
  readonly serviceTypeNo: string;
  /** The parameters of the demo app's orders. */
  readonly orders: readonly Wanted[];
  readonly token: string;
  /** The code that was sent to {@link MOBILE_NO}. */
  readonly authCode: string;
  /** Texts that no response may contain. */
  readonly secrets: readonly string[];
  /** Returns a copy of the prepared service, with changes of its policy. */
  again(changes?: Partial<Policy>): ServiceCopy;
}

/** The credentials of an app. */
export interface Caller {
  readonly appId: string;
  readonly appSecret: string;
}

/** One copy of the service. */
export interface ServiceCopy {
  readonly ports: Ports;
  readonly state: MemoryState;
  /** The events that its observer received. */
  readonly serviceEvents: readonly ServiceEvent[];
}

/** A phone number that received a code. */
export const MOBILE_NO = "13800138000";
/** Downloads clients: with a large allowance, with a small one, and of a removed app. */
export const CLIENTS = { plenty: "plenty-of-requests", few: "few-requests-a-day", orphan: "orphan" } as const;

/** The options of the test environment. */
export interface FixtureOptions {
  /** Reads and answers notifications and checks accounts. Defaults to the wallets in memory. */
  readonly wallets?: Readonly<Record<PayChannel, Wallet>>;
  readonly payTools?: Readonly<Record<PayChannel, ConfigurePayToolInput>>;
}

const CREDENTIAL = "the-key-at-the-wallet-4ad1";

/** Opens a test environment. It is the same each time: fixed random bytes and a fixed clock. */
export async function openFixture({
  wallets,
  payTools = toolsOf(),
}: FixtureOptions = {}): Promise<TestFixture> {
  const state = memoryState();
  const { ports, offer } = portsOn(state, "world", wallets);
  const demo = await enrolled(ports, payTools, true);
  const device = await enrolled(ports, payTools, false);
  const serviceType = { serviceName: "Member", durationMs: 86_400_000 };
  const { serviceTypeNo } = await orThrow(createServiceType(ports, demo.appId, serviceType));
  const orders = await openOrders(ports, offer, demo.appId, serviceTypeNo);
  const { token, authCode } = await customers(ports, demo);
  for (const [clientId, dailyLimit] of [
    [CLIENTS.plenty, 1_000],
    [CLIENTS.few, 2],
  ] as const)
    await orThrow(createDownloadsClient(ports, { clientId, appId: demo.appId, dailyLimit }));
  // Tillkit removes no apps. This client is as after a manual deletion of its app in the database.
  state.downloadsClients.set(CLIENTS.orphan, {
    clientId: CLIENTS.orphan,
    appId: "app-gone",
    dailyLimit: 9,
    gmtCreate: ports.clock.now(),
  });
  const day = { appId: demo.appId, newDownloads: 5, updateDownloads: 7 };
  const counts = ["store_01", "store_02"].map((store) => ({ ...day, store, date: "2026-01-14" }));
  await orThrow(ports.downloads.upsert([counts]));
  return {
    apps: { demo, device },
    serviceTypeNo,
    orders,
    token,
    authCode,
    secrets: [demo.appSecret, device.appSecret, CREDENTIAL],
    again: (changes = {}) => {
      const { digest, ...stored } = state;
      const copy = { digest, ...structuredClone(stored) };
      const { ports: opened, serviceEvents } = portsOn(copy, "copy", wallets);
      return { state: copy, serviceEvents, ports: { ...opened, policy: policyWith(changes) } };
    },
  };
}

function portsOn(state: MemoryState, random: string, wallets: FixtureOptions["wallets"]) {
  const clock = testClock();
  const offer = { WALLET_A: memoryWallet("WALLET_A", clock), WALLET_B: memoryWallet("WALLET_B", clock) };
  const serviceEvents: ServiceEvent[] = [];
  const ports: Ports = {
    ...memoryPorts({ clock }),
    ...memoryStores(state),
    random: { bytes: byteStream(random) },
    observer: { onEvent: (event) => void serviceEvents.push(event) },
    wallets: { WALLET_A: listening(offer.WALLET_A, wallets), WALLET_B: listening(offer.WALLET_B, wallets) },
  };
  return { ports, offer, serviceEvents };
}

/** Returns a wallet in memory whose notifications another adapter reads. */
function listening(wallet: Wallet, wallets: FixtureOptions["wallets"]): Wallet {
  const reader = wallets?.[wallet.payChannel];
  if (reader === undefined) return wallet;
  return {
    ...wallet,
    checkAccount: (account) => reader.checkAccount(account),
    readNotification: (account, notification, time) => reader.readNotification(account, notification, time),
    answer: (taken) => reader.answer(taken),
  };
}

function toolsOf(): Readonly<Record<PayChannel, ConfigurePayToolInput>> {
  const tool = {
    accountId: "merchant-1",
    walletAppId: "wallet-app-1",
    appEnv: "DEV",
    appName: "Demo",
    appPackageName: "com.example.demo",
    appSignature: "0123456789abcdef",
    credentials: { key: CREDENTIAL },
  } as const;
  return { WALLET_A: { ...tool, payChannel: "WALLET_A" }, WALLET_B: { ...tool, payChannel: "WALLET_B" } };
}

async function enrolled(
  ports: Ports,
  payTools: Readonly<Record<PayChannel, ConfigurePayToolInput>>,
  accountBased: boolean,
): Promise<Caller> {
  const { app, appSecret } = await orThrow(createApp(ports, { name: "Demo", accountBased }));
  for (const payChannel of PAY_CHANNELS) {
    const { problems } = await orThrow(configurePayTool(ports, app.appId, payTools[payChannel]));
    if (problems.length > 0) throw new Error(problems.join(" "));
  }
  return { appId: app.appId, appSecret };
}

/** Logs one customer in, and sends a code to another one. */
async function customers(ports: Ports, { appId }: Caller) {
  let authCode = "";
  const smsSender: Ports["smsSender"] = {
    send: (message) => {
      authCode = message.authCode;
      return okAsync(undefined);
    },
  };
  const codeTo = async (mobileNo: string) => {
    await orThrow(
      sendCode(
        { ...ports, smsSender },
        appId,
        orThrow(parseInput(sendCodeInput(ports.policy), { mobileNo })),
      ),
    );
    return { mobileNo, authCode };
  };
  const first = orThrow(parseInput(logInInput(ports.policy), await codeTo("13800138001")));
  const { token } = await orThrow(logIn(ports, appId, first));
  await codeTo(MOBILE_NO);
  return { token, authCode };
}
