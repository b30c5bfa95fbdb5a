import type {
  App,
  Checkout,
  CreateOrderInput,
  PayChannel,
  PayTool,
  Policy,
  ServiceEvent,
  ServiceType,
  Stores,
} from "@tillkit/core";
import type { MemoryPorts } from "../ports/memory-ports.js";
import type { RecordingSmsSender } from "../sessions/recording-sms-sender.js";
import type { PortFaults } from "./port-faults.js";
import type { ShopWallet } from "./shop-wallet.js";

/** How to open a shop. */
export interface ShopOptions {
  /** The stores, for example of a database. Defaults to new stores in memory. */
  readonly stores?: Stores;
  /** Values that replace those of the default policy. */
  readonly policy?: Partial<Policy>;
  /** Start time of the clock, in epoch milliseconds. Defaults to 2026-01-15T12:00+08:00. */
  readonly startAt?: number;
  /**
   * Determines all ids, secrets and codes. Defaults to `"shop"`.
   *
   * Two shops on the same stores need different seeds.
   */
  readonly seed?: string;
  /** The base URL of the notifications. Defaults to `https://pay.example/wallets`. */
  readonly notificationsUrl?: string;
  /**
   * Sends a wallet's notification to the service, like `fetch`.
   *
   * By default the notifications endpoint of core receives it in this process. Pass `fetch`, or
   * the handler of your own server, to include your server in the test.
   */
  readonly deliver?: (request: Request) => Promise<Response>;
}

/** The ports of a shop. A test controls the clock, the wallets and the SMS carrier. */
export interface ShopPorts extends Omit<MemoryPorts, "wallets" | "smsSender"> {
  readonly wallets: Readonly<Record<PayChannel, ShopWallet>>;
  readonly smsSender: Omit<RecordingSmsSender, "failNext">;
}

/** An app with both wallets and a service type, in ports that a test controls. */
export interface Shop {
  /** The ports, for the functions of core, its HTTP surfaces or a host. */
  readonly ports: ShopPorts;
  readonly app: App;
  /** The value of the header `APP_SECRET`. */
  readonly appSecret: string;
  readonly payTools: Readonly<Record<PayChannel, PayTool>>;
  /** A service of 30 days. */
  readonly serviceType: ServiceType;
  /** The wallets, which are also in `ports`. */
  readonly wallets: Readonly<Record<PayChannel, ShopWallet>>;
  /** Makes calls of the stores, the wallets and the SMS carrier fail. */
  readonly faults: PortFaults;
  /** The events that the observer received, oldest first. */
  readonly events: readonly ServiceEvent[];
  /** Moves the clock forward by `ms` milliseconds, a positive whole number. */
  advance(ms: number): void;
  /**
   * Creates an order of the app with `createOrder`. Rejects if `createOrder` fails.
   *
   * By default `customer-1` pays 600 cents at WALLET_A, and `bizNo` is `order-1`, `order-2` and so
   * on.
   */
  placeOrder(changes?: Partial<CreateOrderInput>): Promise<Checkout>;
  /**
   * Ends the shop. Rejects if a fault did not occur or a held call was not released.
   *
   * Call this at the end of every test. Afterwards the wallets send nothing, and no fault can be
   * set. Repeated calls have the same outcome. The stores of the caller stay open.
   */
  end(): Promise<void>;
}
