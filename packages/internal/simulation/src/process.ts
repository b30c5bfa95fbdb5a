import {
  EMPTY_FLOW,
  type PayChannel,
  type Ports,
  type SmsFailure,
  tallyFlow,
  type Wallet,
  type WalletAccount,
  type WalletFailure,
} from "@tillkit/core";
import type { StorageFailure } from "@tillkit/core/errors";
import {
  rememberingAppStore,
  rememberingDownloadsClientStore,
  rememberingPayToolStore,
} from "@tillkit/postgres";
import { err, type Result, ResultAsync } from "neverthrow";
import type { BillPress } from "./bill-press.js";
import { handOver, totalsOf } from "./hand-over.js";
import { type PortCall, rerouted } from "./rerouted.js";
import { falseNo, withoutSignedRefusals } from "./unproven.js";
import type { World } from "./world.js";

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

/** Starts process `no` over the durable state. `press` provides the bills of the wallets. */
export function startProcess(world: World, press: BillPress, no: number): Process {
  const storage = (call: PortCall) => remote(world, no, "stores", call, () => unavailable);
  const network = (call: PortCall) => remote(world, no, "wallets", call, () => silent);
  const carrier = (call: PortCall) => remote(world, no, "carrier", call, () => unsent);
  const { bare } = world;
  const stores = Object.fromEntries(
    Object.entries(world.stores).map(([name, store]) => [name, rerouted(name, store, storage)]),
  );
  const wallet = (channel: PayChannel): Wallet => {
    const there = bare.wallets[channel];
    const { signsRefusals } = world.habits[channel];
    const answering = signsRefusals ? there : withoutSignedRefusals(there);
    const desk = rerouted(
      channel,
      {
        readBill: (account: WalletAccount, day: string) => press.read(account, day),
        readFundFlow: (account: WalletAccount, day: string) => press.read(account, day),
      },
      network,
    );
    return {
      ...rerouted(channel, answering, network, NETWORK),
      // The file arrives at once; the process reads its lines itself.
      readBill: (account, day, take) =>
        desk
          .readBill(account, day)
          .andThen(({ lines }) => new ResultAsync(handOver(world, lines, take, totalsOf))),
      readFundFlow: (account, day, take) =>
        desk
          .readFundFlow(account, day)
          .andThen(
            ({ flow }) => new ResultAsync(handOver(world, flow, take, (all) => tallyFlow(EMPTY_FLOW, all))),
          ),
    };
  };
  const ports: Ports = {
    ...bare,
    ...stores,
    // Each process has its own cache, which is lost when it dies.
    apps: rememberingAppStore(rerouted("apps", world.stores.apps, storage), world.now),
    payTools: rememberingPayToolStore(rerouted("payTools", world.stores.payTools, storage), world.now),
    downloadsClients: rememberingDownloadsClientStore(
      rerouted("downloadsClients", world.stores.downloadsClients, storage),
      world.now,
    ),
    wallets: { WALLET_A: wallet("WALLET_A"), WALLET_B: wallet("WALLET_B") },
    ...(bare.smsSender === undefined ? {} : { smsSender: rerouted("carrier", bare.smsSender, carrier) }),
    clock: {
      now: world.now,
      sleep: (ms) =>
        new Promise((resolve) => {
          world.events.add({
            label: `p${String(no)} wakes`,
            process: no,
            dueAt: world.now() + ms,
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
const unsent = err<never, SmsFailure>({ name: "sms.unknown", detail: "simulated" });

/**
 * Makes a call over the network, with a random fault.
 *
 * The call can arrive, get lost, arrive twice or arrive after its caller has given up. The response
 * can get lost or be replaced by an unsigned refusal, and the wallet can limit the rate.
 */
function remote(
  world: World,
  process: number,
  kind: Kind,
  call: PortCall,
  lost: () => Result<unknown, unknown>,
): ResultAsync<unknown, unknown> {
  const name = `${call.port}.${call.verb}`;
  const answered = new Promise<Result<unknown, unknown>>((resolve) => {
    const answer = (result: Result<unknown, unknown>) => {
      world.events.add({
        label: `p${String(process)} hears of ${name}`,
        process,
        dueAt: world.now(),
        run: () => resolve(result),
      });
    };
    const arrive = async (fault: Fault): Promise<Result<unknown, unknown>> => {
      if (fault === "lost" || fault === "late") return lost();
      if (fault === "limited") return tooMany;
      if (fault === "denied") {
        const denial = await falseNo(world, call);
        const result = await takeEffect(world, call);
        return denial === undefined ? result : err(denial);
      }
      const result = await takeEffect(world, call);
      if (fault === "twice") await takeEffect(world, call);
      return fault === "unheard" ? lost() : result;
    };
    let fault: Fault = "none";
    let result: Result<unknown, unknown> = lost();
    world.events.add({
      label: `p${String(process)} ${name}`,
      process,
      sent: true,
      ...(kind === "stores" ? { statement: { verb: name, about: JSON.stringify(call.args[0]) } } : {}),
      dueAt: world.now(),
      run: async () => {
        fault = faultOf(world, kind);
        if (fault !== "none") world.tell(`  ${fault}: ${name}`);
        result = await arrive(fault);
      },
      follow: () => {
        answer(result);
        if (fault !== "late") return;
        const dueAt = world.now() + world.tape.next(LATEST);
        world.events.add({
          label: `${name} arrives late`,
          dueAt,
          run: async () => {
            await takeEffect(world, call);
          },
        });
      },
    });
  });
  return new ResultAsync(answered);
}

type Fault = "none" | "lost" | "unheard" | "late" | "twice" | "denied" | "limited";

function faultOf({ tape, rates, calm }: World, kind: Kind): Fault {
  if (calm || tape.next(100) < 100 - rates[kind]) return "none";
  // A statement is sent once. A request to a wallet may be repeated on the way, or get an unsigned
  // refusal. The SMS carrier would send a repeated message twice, so its calls are not repeated.
  const faults =
    kind !== "wallets"
      ? (["unheard", "lost", "late"] as const)
      : (["unheard", "lost", "late", "twice", "denied", "limited"] as const);
  return faults[tape.next(faults.length)] ?? "none";
}

async function takeEffect(world: World, call: PortCall): Promise<Result<unknown, unknown>> {
  const answer = await call.make();
  for (const heard of world.effects) heard({ ...call, at: world.now(), answer });
  return answer;
}
