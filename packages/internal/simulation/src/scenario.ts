import {
  configurePayTool,
  createApp,
  createDownloadsClient,
  type CreateOrderInput,
  createOrderInput,
  createServiceType,
  type OrderEvent,
  orThrow,
  parseInput,
  type PayChannel,
  type PaySource,
} from "@tillkit/core";
import type { Result, ResultAsync } from "neverthrow";
import { registerHandlers } from "./event-handlers.js";
import { type AppHistory, appHistory } from "./app-history.js";
import { type BillGenerator, createBillGenerator } from "./bill-generator.js";
import { type Process, startProcess } from "./process.js";
import type { Simulation } from "./simulation.js";

/** One purchase that callers may try to make, any number of times. */
export interface PlannedPurchase {
  readonly bizNo: string;
  readonly customerIdentity: string;
  readonly amount: number;
  readonly payChannel: PayChannel;
  readonly paySource: PaySource;
  readonly payerId?: string;
  readonly serviceTypeNo?: string;
}

/** The possible purchases: both wallets, several ways to pay, several orders of one service. */
export const PURCHASES: readonly PlannedPurchase[] = [
  {
    bizNo: "b-1",
    customerIdentity: "c-1",
    amount: 600,
    payChannel: "WALLET_A",
    paySource: "APP",
    serviceTypeNo: "month",
  },
  {
    bizNo: "b-2",
    customerIdentity: "c-1",
    amount: 700,
    payChannel: "WALLET_B",
    paySource: "APP",
    serviceTypeNo: "month",
  },
  { bizNo: "b-3", customerIdentity: "c-2", amount: 101, payChannel: "WALLET_A", paySource: "NATIVE" },
  {
    bizNo: "b-4",
    customerIdentity: "c-1",
    amount: 900,
    payChannel: "WALLET_B",
    paySource: "NATIVE",
    serviceTypeNo: "month",
  },
  {
    bizNo: "b-5",
    customerIdentity: "c-2",
    amount: 50,
    payChannel: "WALLET_B",
    paySource: "H5",
    serviceTypeNo: "month",
  },
  {
    bizNo: "b-6",
    customerIdentity: "c-2",
    amount: 250,
    payChannel: "WALLET_A",
    paySource: "JSAPI",
    payerId: "openid-1",
  },
  {
    bizNo: "b-7",
    customerIdentity: "c-1",
    amount: 300,
    payChannel: "WALLET_B",
    paySource: "JSAPI",
    payerId: "2088102146225135",
  },
];

/** The phone numbers of the customers who log in. */
export const PHONES = ["+8613800000001", "+8613800000002"] as const;
/** The number of reports per day that the client may read. */
export const DAILY_LIMIT = 3;
/** The duration of the service type, in milliseconds. */
export const MONTH = 30 * 86_400_000;

/** What callers, customers and wallets know, for the checks. */
export interface Known {
  /** By `bizNo`: the order id that a creation returned. */
  readonly created: Map<string, string>;
  /** The `bizNo` of each order that was reported as paid. */
  readonly notifiedPaid: Set<string>;
  /** The ids of the orders that customers paid at their wallet. */
  readonly paid: Set<string>;
  /** The `bizNo` and number of each refund that was reported as confirmed. */
  readonly notifiedRefunded: Set<string>;
  /** The tokens of the customers. */
  readonly tokens: string[];
  /** The number of reports that the client received, by the end of the day of its allowance. */
  readonly reports: Map<string, number>;
  /** The ids of the differences that operators resolved. */
  readonly resolved: Set<string>;
  /** The events that took effect in the handlers, in order. */
  readonly received: { readonly handler: string; readonly event: OrderEvent }[];
}

/** The scenario of a run: an app with its configuration, and the processes that serve it. */
export interface Scenario {
  readonly simulation: Simulation;
  readonly appId: string;
  readonly clientId: string;
  /** An app that only authenticates, and whose secrets and state operators change. */
  readonly guest: { readonly appId: string; readonly secrets: string[]; readonly history: AppHistory };
  /** The purchases that callers try to make in this run. */
  readonly wanted: readonly PlannedPurchase[];
  readonly billGenerator: BillGenerator;
  /** The purchase that many actions currently choose. */
  busyWith: PlannedPurchase | undefined;
  /** Returns a random live process. */
  some(): Process;
  /** Ends a random process at once and starts another one. */
  kill(): void;
  /**
   * Runs `work` in a process. Passes the outcome to the callback, unless the process dies before.
   */
  serve<T, E extends { readonly name: string }>(
    label: string,
    work: (ports: Process["ports"]) => ResultAsync<T, E>,
    received?: (outcome: Result<T, E>) => void,
  ): void;
  /** What callers, customers and wallets know, for the checks. */
  readonly known: Known;
}

const FEWEST = 2;
const MOST = 4;

/** Creates the scenario: apps, pay tools, a service type, a client and processes. */
export async function openScenario(simulation: Simulation): Promise<Scenario> {
  const { bare, choices } = simulation;
  const { app } = await orThrow(createApp(bare, { name: "Notes" }));
  const { appId } = app;
  for (const payChannel of ["WALLET_A", "WALLET_B"] as const) {
    const account = {
      accountId: `merchant-${payChannel}`,
      walletAppId: `app-${payChannel}`,
      credentials: {},
    };
    const shown = { appName: "Notes", appPackageName: "", appSignature: "" };
    await configurePayTool(bare, appId, { payChannel, appEnv: "DEV", ...account, ...shown });
  }
  const type = { serviceTypeNo: "month", serviceName: "A month", durationMs: MONTH };
  await orThrow(createServiceType(bare, appId, type));
  const client = await orThrow(createDownloadsClient(bare, { appId, dailyLimit: DAILY_LIMIT }));

  await registerHandlers({ simulation });

  const visitor = await orThrow(createApp(bare, { name: "Guest" }));
  const guest = {
    appId: visitor.app.appId,
    secrets: [visitor.appSecret],
    history: appHistory(simulation, visitor.app),
  };

  const known: Known = {
    created: new Map(),
    notifiedPaid: new Set(),
    paid: new Set(),
    notifiedRefunded: new Set(),
    tokens: [],
    reports: new Map(),
    resolved: new Set(),
    received: [],
  };
  const billGenerator = createBillGenerator(simulation, () =>
    PURCHASES.flatMap(({ bizNo, amount }) => {
      const outTradeNo = known.created.get(bizNo);
      return outTradeNo === undefined ? [] : [{ outTradeNo, amount }];
    }),
  );
  const alive: Process[] = [];
  let started = 0;
  const start = () => void alive.push(startProcess(simulation, billGenerator, (started += 1)));
  const processes = FEWEST + choices.next(MOST - FEWEST + 1);
  while (alive.length < processes) start();

  const first = choices.next(PURCHASES.length);
  const many = [1, 2, 3, PURCHASES.length, PURCHASES.length][choices.next(5)] ?? 1;
  const wanted = [...PURCHASES, ...PURCHASES].slice(first, first + many);

  const some = () => alive[choices.next(alive.length)] ?? startProcess(simulation, billGenerator, 0);
  return {
    known,
    billGenerator,
    simulation,
    appId,
    guest,
    wanted,
    busyWith: undefined,
    clientId: client.clientId,
    some,
    kill: () => {
      const [victim] = alive.splice(choices.next(alive.length), 1);
      if (victim !== undefined) {
        simulation.log(`p${String(victim.no)} dies`);
        simulation.events.end(victim.no, () => choices.next(2) === 1);
      }
      start();
    },
    serve: <T, E extends { readonly name: string }>(
      label: string,
      work: (ports: Process["ports"]) => ResultAsync<T, E>,
      received: (outcome: Result<T, E>) => void = () => undefined,
    ) => {
      const { no, ports } = some();
      simulation.log(`p${String(no)} begins: ${label}`);
      const receive = (outcome: Result<T, E>) => {
        simulation.log(`p${String(no)} ends: ${label}: ${outcome.isOk() ? "ok" : outcome.error.name}`);
        received(outcome);
      };
      const ended: Promise<void> = Promise.resolve(work(ports)).then(receive);
      ended.catch((thrown: unknown) => void simulation.thrown.push(thrown));
    },
  };
}

/** Creates the request for a purchase, with another amount if `differs` is true. */
export function requestFor(
  { policy }: Pick<Simulation, "policy">,
  purchase: PlannedPurchase,
  differs: boolean,
): CreateOrderInput {
  const parameters = { ...purchase, amount: purchase.amount + (differs ? 1 : 0), goodsTitle: "Something" };
  return orThrow(parseInput(createOrderInput(policy), parameters));
}
