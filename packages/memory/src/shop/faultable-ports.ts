import type { PayChannel, SmsFailure, SmsSender, Stores, Wallet, WalletFailure } from "@tillkit/core";
import type { StorageFailure } from "@tillkit/core/errors";
import type { ResultAsync } from "neverthrow";
import { memoryStores } from "../stores/memory-stores.js";
import type { WalletCall } from "../wallets/memory-wallet.js";

type WalletCalls = Pick<Wallet, WalletCall>;

/** The ports whose calls can fail: every store, both wallets and the SMS carrier. */
export interface FaultablePorts extends Stores, Readonly<Record<PayChannel, WalletCalls>> {
  readonly smsSender: SmsSender;
}

/** The name of a port whose calls can fail. */
export type FaultablePort = keyof FaultablePorts;

/** The names of the methods of a port that return a `ResultAsync`. */
export type FaultableMethod<P extends FaultablePort> = {
  [M in keyof FaultablePorts[P]]: FaultablePorts[P][M] extends (
    ...parameters: never[]
  ) => ResultAsync<unknown, unknown>
    ? M
    : never;
}[keyof FaultablePorts[P]] &
  string;

/** The failures of a port. */
export type PortFailure<P extends FaultablePort> = P extends PayChannel
  ? WalletFailure
  : P extends "smsSender"
    ? SmsFailure
    : StorageFailure;

const WALLET_CALLS = {
  prepare: true,
  query: true,
  close: true,
  refund: true,
  queryRefund: true,
  applyAbnormalRefund: true,
  readBill: true,
  readFundFlow: true,
} as const satisfies Record<WalletCall, true>;

/** Returns the names of all methods that can have a fault, by port. */
export function methodsByPort(): ReadonlyMap<string, readonly string[]> {
  const all: Readonly<Record<string, object>> = { ...memoryStores() };
  const stores = Object.entries(all).map(([port, store]) => {
    // `getCached…` returns at once and cannot fail.
    const names = Object.keys(store).filter((name) => !name.startsWith("getCached"));
    return [port, names] as const;
  });
  const wallets = ["WALLET_A", "WALLET_B"].map((port) => [port, Object.keys(WALLET_CALLS)] as const);
  return new Map([...stores, ...wallets, ["smsSender", ["send"]] as const]);
}

/** Returns the default failure of a fault. `lost`: the call takes effect, its answer is lost. */
export function defaultFailure(
  port: FaultablePort,
  lost: boolean,
): WalletFailure | SmsFailure | StorageFailure {
  const detail = "a fault of the test";
  if (port === "smsSender") return { name: lost ? "sms.unknown" : "sms.rejected", detail };
  if (port === "WALLET_A" || port === "WALLET_B") return { name: "wallet.unknown", cause: "timeout", detail };
  return { name: "storage.unavailable", cause: new Error(detail) };
}

/** Throws if the port cannot return this failure. */
export function checkFailure(port: FaultablePort, { name }: { readonly name?: unknown }): void {
  const names = failureNames(port);
  if (!names.some((one) => one === name))
    throw new TypeError(
      `The port ${port} never fails with "${String(name)}", only with ${names.join(" or ")}.`,
    );
}

function failureNames(port: FaultablePort): readonly (WalletFailure | SmsFailure | StorageFailure)["name"][] {
  if (port === "smsSender") return ["sms.rejected", "sms.unknown"];
  if (port === "WALLET_A" || port === "WALLET_B") return ["wallet.rejected", "wallet.unknown"];
  return ["storage.unavailable", "storage.misconfigured"];
}
