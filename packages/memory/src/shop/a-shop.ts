import {
  configurePayTool,
  createApp,
  createOrder,
  createOrderInput,
  createServiceType,
  parseInput,
  type PayChannel,
  type PayTool,
  policyWith,
  type Ports,
  type ServiceEvent,
  type Stores,
} from "@tillkit/core";
import type { ResultAsync } from "neverthrow";
import { memoryPorts } from "../ports/memory-ports.js";
import { memoryStores } from "../stores/memory-stores.js";
import { testClock } from "../ports/test-clock.js";
import { checkOptions } from "./check-options.js";
import { deliverInProcess } from "./deliver-in-process.js";
import { faultyStores } from "./faulty-stores.js";
import { createPortFaults } from "./port-faults.js";
import { seededRandom } from "./seeded-random.js";
import type { Shop, ShopOptions, ShopPorts } from "./shop.js";
import { shopWallet, type ShopWallet } from "./shop-wallet.js";

const DAY = 24 * 60 * 60 * 1000;

/**
 * Opens a shop for a test: ports in memory, an app, both pay tools and a service type.
 *
 * The clock moves only when the test moves it. Ids, secrets and codes repeat in every run. Each
 * call creates an independent shop. The shop needs no test runner: its helpers throw if something
 * is wrong.
 *
 * @returns the shop. Call its `end` after the test.
 * @example
 * ```ts
 * import { getOrder } from "@tillkit/core";
 * import { aShop } from "@tillkit/memory";
 *
 * const shop = await aShop();
 * const { order } = await shop.placeOrder({ bizNo: "buy-1" });
 * await shop.wallets.WALLET_A.notify(order);
 * const paid = await getOrder(shop.ports, shop.app.appId, order);
 * await shop.end();
 * ```
 */
export async function aShop(options: ShopOptions = {}): Promise<Shop> {
  checkOptions(options);
  const { stores = memoryStores(), seed = "shop", startAt } = options;
  const { notificationsUrl = "https://pay.example/wallets" } = options;
  const clock = testClock(startAt);
  const events: ServiceEvent[] = [];
  const {
    wallets: plainWallets,
    smsSender,
    ...shared
  } = memoryPorts({
    ...stores,
    clock,
    notificationsUrl,
    random: seededRandom(seed),
    policy: policyWith(options.policy ?? {}),
    observer: { onEvent: (event) => void events.push(event) },
  });
  const { faults, wrap, end: endFaults } = createPortFaults(clock);
  const name = `Shop ${seed}`;
  await checkSeed(stores, name, seed);

  let hasEnded = false;
  const checkRunning = (step: string): void => {
    if (hasEnded) throw new Error(`The shop has ended: ${step}.`);
  };
  const { app, appSecret } = await valueOf(createApp(shared, { name }), "create the app");
  const { appId } = app;
  const openWallet = (payChannel: PayChannel): ShopWallet => {
    const wallet = plainWallets[payChannel];
    return shopWallet({
      wallet,
      // `faults` replaces `failNext`, which cannot report that a planned failure was never used.
      faulty: wrap(payChannel, { ...wallet, failNext: undefined }),
      appId,
      orders: stores.orders,
      clock,
      skew: shared.policy.notificationSkew,
      deliver: (request) => deliver(request),
      refusals: () =>
        events.flatMap((event) =>
          event.type === "notification.refused" && event.payChannel === payChannel ? [event.reason] : [],
        ),
      checkRunning,
    });
  };
  const wallets = { WALLET_A: openWallet("WALLET_A"), WALLET_B: openWallet("WALLET_B") };
  const carrier: ShopPorts["smsSender"] = {
    get messages() {
      return smsSender.messages;
    },
    get failed() {
      return smsSender.failed;
    },
    send: (message) => smsSender.send(message),
  };
  const ports: ShopPorts = {
    ...shared,
    ...faultyStores(stores, wrap),
    wallets,
    smsSender: wrap("smsSender", carrier),
  };
  const deliver = options.deliver ?? deliverInProcess(ports);

  const payTools = {
    WALLET_A: await openPayTool(ports, appId, "WALLET_A"),
    WALLET_B: await openPayTool(ports, appId, "WALLET_B"),
  };
  const type = { serviceTypeNo: "membership", serviceName: "Membership", durationMs: 30 * DAY };
  const serviceType = await valueOf(createServiceType(ports, appId, type), "create the service type");

  let placed = 0;
  let outcome: Promise<void> | undefined;
  return {
    ports,
    app,
    appSecret,
    payTools,
    serviceType,
    wallets,
    faults,
    get events() {
      return [...events];
    },
    advance: (ms) => {
      checkRunning("the clock cannot be moved");
      if (!Number.isSafeInteger(ms) || ms < 1)
        throw new RangeError(`The clock must advance by 1 or more whole milliseconds, not by ${ms}.`);
      clock.advance(ms);
    },
    placeOrder: async (changes = {}) => {
      checkRunning("no order can be placed");
      placed += 1;
      const defaults = { customerIdentity: "customer-1", amount: 600, goodsTitle: "30 days" };
      const terms = { ...defaults, payChannel: "WALLET_A", bizNo: `order-${placed}`, ...changes };
      const input = parseInput(createOrderInput(ports.policy), terms);
      return valueOf(
        input.asyncAndThen((valid) => createOrder(ports, appId, valid)),
        `place the order ${terms.bizNo}`,
      );
    },
    end: () => {
      hasEnded = true;
      outcome ??= new Promise<void>((resolve) => {
        endFaults();
        faults.verify();
        resolve();
      });
      return outcome;
    },
  };
}

/** Throws if the stores already contain the ids that this seed produces. */
async function checkSeed({ apps }: Stores, name: string, seed: string): Promise<void> {
  const existing = await valueOf(apps.list(), "read the apps");
  if (existing.some((app) => app.name === name))
    throw new Error(
      `The stores already have a shop with the seed "${seed}": empty them, or pass another seed.`,
    );
}

async function openPayTool(ports: Ports, appId: string, payChannel: PayChannel): Promise<PayTool> {
  const { payTool, problems } = await valueOf(
    configurePayTool(ports, appId, {
      payChannel,
      accountId: `merchant-of-${payChannel}`,
      walletAppId: `app-of-${payChannel}`,
      appEnv: "DEV",
      appName: "Shop",
      appPackageName: "com.example.shop",
      appSignature: "0a1b2c",
      credentials: {},
    }),
    `configure ${payChannel}`,
  );
  if (problems.length > 0) throw new Error(`The shop cannot configure ${payChannel}: ${problems.join("; ")}`);
  return payTool;
}

/** Returns the value of a result. Throws an error that contains the name of the failure. */
async function valueOf<T, E extends { readonly name: string }>(
  result: ResultAsync<T, E>,
  step: string,
): Promise<T> {
  const settled = await result;
  if (settled.isErr())
    throw new Error(`The shop cannot ${step}: ${settled.error.name}`, { cause: settled.error });
  return settled.value;
}
