import {
  type CreateOrderInput,
  createOrder,
  createOrderInput,
  defaultPolicy,
  orThrow,
  parseInput,
  type Ports,
} from "@tillkit/core";
import { memoryPorts, memoryWallet, type MemoryWallet } from "@tillkit/memory";
import { postgresStores } from "@tillkit/postgres";
import { nodeDigest, readKeyring, noopObserver, systemClock, systemRandom } from "@tillkit/runtime";
import { ok } from "neverthrow";
import type { OpenWallets } from "../wallets.js";
import type { Place } from "./cli.js";
import { newApp, TOOL } from "./fixture.js";

/** The options of a command that records a reason and an operator. */
export const REASON = ["--reason", "bought twice", "--operator", "kim"];

/** A host that takes payments through a wallet of the test. */
export interface Shop extends Place {
  readonly appId: string;
  readonly wallet: MemoryWallet;
  readonly openWallets: OpenWallets;
  /** The ports of the host that takes the payments. */
  readonly ports: Ports;
  /** Creates an order of 600 cents and returns its number at the wallet. */
  readonly order: (bizNo: string) => Promise<string>;
  /** Refunds a part of an order at the wallet, by the order's number there. */
  readonly refundAtWallet: (outTradeNo: string, refundNo: string, amount: number) => Promise<void>;
}

/** Makes a host take payments through a wallet of the test. */
export async function openShop(open: () => Promise<Place>): Promise<Shop> {
  const place = await open();
  const wallet = memoryWallet("WALLET_A", systemClock);
  const wallets = { WALLET_A: wallet, WALLET_B: memoryWallet("WALLET_B", systemClock) };
  const openWallets: OpenWallets = () => ok(wallets);
  const appId = await newApp(place.ask);
  await place.ask(["pay-tools", "set", "--app", appId, await place.file("tool.json", TOOL)], { openWallets });
  const keyring = await orThrow(readKeyring(place.env["TILLKIT_KEYS_FILE"] ?? ""));
  const ports = {
    ...memoryPorts(),
    ...postgresStores({ sql: place.sql, schema: place.schema, credentialKeys: keyring.credentialKeys }),
    clock: systemClock,
    random: systemRandom,
    digest: nodeDigest({ peppers: keyring.peppers }),
    observer: noopObserver,
    policy: defaultPolicy,
    wallets,
    notificationsUrl: "https://pay.example/wallets",
  };
  const order = async (bizNo: string): Promise<string> => {
    const parameters = {
      amount: 600,
      bizNo,
      goodsTitle: "Month",
      payChannel: "WALLET_A",
      customerIdentity: "user-1",
    };
    const input: CreateOrderInput = orThrow(parseInput(createOrderInput(defaultPolicy), parameters));
    const { order: made } = await orThrow(createOrder(ports, appId, input));
    return made.id;
  };
  const refundAtWallet = async (outTradeNo: string, refundNo: string, amount: number): Promise<void> => {
    const account = await orThrow(ports.payTools.current(appId, "WALLET_A"));
    if (account === undefined) throw new Error("The app has no pay tool.");
    const request = { outTradeNo, refundNo, amount, orderAmount: 600, reason: "", notifyUrl: "" };
    await orThrow(wallet.refund(account, request, { deadline: 1_000 }));
  };
  return { ...place, appId, wallet, openWallets, ports, order, refundAtWallet };
}
