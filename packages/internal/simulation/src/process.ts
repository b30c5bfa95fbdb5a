import type { PayChannel, Ports, SmsFailure, Wallet, WalletAccount, WalletFailure } from "@tillkit/core";
import type { StorageFailure } from "@tillkit/core/errors";
import { EMPTY_FLOW, tallyFlow } from "@tillkit/core/ports";
import { cachingAppStore, cachingDownloadsClientStore, cachingPayToolStore } from "@tillkit/postgres";
import { err, type Result, ResultAsync } from "neverthrow";
import type { BillGenerator } from "./bill-generator.js";
import { streamLines, totalsOf } from "./stream-lines.js";
import { type PortCall, intercepted } from "./intercepted.js";
import { forgedRefusal, withUnsignedRefusals } from "./forged-refusals.js";
import type { Simulation } from "./simulation.js";

/** A process of the service. It loses its memory, and nothing else, when it dies. */
export interface Process {
  readonly no: number;
  readonly ports: Ports;
}

type Kind = "stores" | "wallets" | "carrier";

const NETWORK: ReadonlySet<string> = new Set([
  "prepare",
  "query",
  "close",
  "refund",
  "queryRefund",
  "applyAbnormalRefund",
]);
/** How long an abandoned message may still be on its way, in milliseconds. */
const LATEST = 30_000;

/**
 * Starts process `no` over the durable state. The bill generator provides the bills of the wallets.
 */
export function startProcess(simulation: Simulation, billGenerator: BillGenerator, no: number): Process {
  const storage = (call: PortCall) => remote(simulation, no, "stores", call, () => unavailable);
  const network = (call: PortCall) => remote(simulation, no, "wallets", call, () => silent);
  const carrier = (call: PortCall) => remote(simulation, no, "carrier", call, () => notSentRefusal);
  const { bare } = simulation;
  const stores = Object.fromEntries(
    Object.entries(simulation.stores).map(([name, store]) => [name, intercepted(name, store, storage)]),
  );
  const wallet = (channel: PayChannel): Wallet => {
    const there = bare.wallets[channel];
    const { signsRefusals } = simulation.habits[channel];
    const answering = signsRefusals ? there : withUnsignedRefusals(there);
    const simulatorControls = intercepted(
      channel,
      {
        readBill: (account: WalletAccount, day: string) => billGenerator.read(account, day),
        readFundFlow: (account: WalletAccount, day: string) => billGenerator.read(account, day),
      },
      network,
    );
    return {
      ...intercepted(channel, answering, network, NETWORK),
      // The whole file arrives in one step. The process then reads its lines.
      readBill: (account, day, take) =>
        simulatorControls
          .readBill(account, day)
          .andThen(({ lines }) => new ResultAsync(streamLines(simulation, lines, take, totalsOf))),
      readFundFlow: (account, day, take) =>
        simulatorControls
          .readFundFlow(account, day)
          .andThen(
            ({ flow }) =>
              new ResultAsync(streamLines(simulation, flow, take, (all) => tallyFlow(EMPTY_FLOW, all))),
          ),
    };
  };
  const ports: Ports = {
    ...bare,
    ...stores,
    // Each process has its own cache, which is lost when it dies.
    apps: cachingAppStore(intercepted("apps", simulation.stores.apps, storage), simulation.now),
    payTools: cachingPayToolStore(
      intercepted("payTools", simulation.stores.payTools, storage),
      simulation.now,
    ),
    downloadsClients: cachingDownloadsClientStore(
      intercepted("downloadsClients", simulation.stores.downloadsClients, storage),
      simulation.now,
    ),
    wallets: { WALLET_A: wallet("WALLET_A"), WALLET_B: wallet("WALLET_B") },
    ...(bare.smsSender === undefined ? {} : { smsSender: intercepted("carrier", bare.smsSender, carrier) }),
    clock: {
      now: simulation.now,
      sleep: (ms) =>
        new Promise((resolve) => {
          simulation.events.add({
            label: `p${String(no)} wakes`,
            process: no,
            dueAt: simulation.now() + ms,
            run: resolve,
          });
        }),
    },
  };
  return { no, ports };
}

const unavailable = err<never, StorageFailure>({ name: "storage.unavailable", cause: "simulated" });
const silent = err<never, WalletFailure>({ name: "wallet.unknown", cause: "timeout", detail: "simulated" });
const tooMany = err<never, WalletFailure>({
  name: "wallet.unknown",
  cause: "rate-limited",
  detail: "simulated",
});
const notSentRefusal = err<never, SmsFailure>({ name: "sms.unknown", detail: "simulated" });

/**
 * Makes a call over the network, with a random fault.
 *
 * The call can arrive, get lost, arrive twice or arrive after its caller has given up. The response
 * can get lost or be replaced by an unsigned refusal, and the wallet can limit the rate.
 */
function remote(
  simulation: Simulation,
  process: number,
  kind: Kind,
  call: PortCall,
  lost: () => Result<unknown, unknown>,
): ResultAsync<unknown, unknown> {
  const name = `${call.port}.${call.method}`;
  const answered = new Promise<Result<unknown, unknown>>((resolve) => {
    const answer = (result: Result<unknown, unknown>) => {
      simulation.events.add({
        label: `p${String(process)} receives ${name}`,
        process,
        dueAt: simulation.now(),
        run: () => resolve(result),
      });
    };
    const arrive = async (fault: Fault): Promise<Result<unknown, unknown>> => {
      if (fault === "lost" || fault === "late") return lost();
      if (fault === "limited") return tooMany;
      if (fault === "denied") {
        const denial = await forgedRefusal(simulation, call);
        const result = await takeEffect(simulation, call);
        return denial === undefined ? result : err(denial);
      }
      const result = await takeEffect(simulation, call);
      if (fault === "twice") await takeEffect(simulation, call);
      return fault === "unheard" ? lost() : result;
    };
    let fault: Fault = "none";
    let result: Result<unknown, unknown> = lost();
    simulation.events.add({
      label: `p${String(process)} ${name}`,
      process,
      sent: true,
      ...(kind === "stores" ? { statement: { method: name, about: JSON.stringify(call.args[0]) } } : {}),
      dueAt: simulation.now(),
      run: async () => {
        fault = faultOf(simulation, kind);
        if (fault !== "none") simulation.log(`  ${fault}: ${name}`);
        result = await arrive(fault);
      },
      follow: () => {
        answer(result);
        if (fault !== "late") return;
        const dueAt = simulation.now() + simulation.choices.next(LATEST);
        simulation.events.add({
          label: `${name} arrives late`,
          dueAt,
          run: async () => {
            await takeEffect(simulation, call);
          },
        });
      },
    });
  });
  return new ResultAsync(answered);
}

type Fault = "none" | "lost" | "unheard" | "late" | "twice" | "denied" | "limited";

function faultOf({ choices, rates, calm }: Simulation, kind: Kind): Fault {
  if (calm || choices.next(100) < 100 - rates[kind]) return "none";
  // A statement is sent once. A request to a wallet may be repeated on the way, or get an unsigned
  // refusal. The SMS carrier would send a repeated message twice, so its calls are not repeated.
  const faults =
    kind !== "wallets"
      ? (["unheard", "lost", "late"] as const)
      : (["unheard", "lost", "late", "twice", "denied", "limited"] as const);
  return faults[choices.next(faults.length)] ?? "none";
}

async function takeEffect(simulation: Simulation, call: PortCall): Promise<Result<unknown, unknown>> {
  const answer = await call.make();
  for (const received of simulation.effects) received({ ...call, at: simulation.now(), answer });
  return answer;
}
