import type { PayPayload, RawNotification, Wallet, WalletAccount } from "@tillkit/core";

/**
 * A call that a test environment can disturb.
 *
 * An environment that cannot distinguish `queryRefund` from `query` disturbs both.
 */
export type FaultyCall =
  "prepare" | "query" | "close" | "refund" | "queryRefund" | "readBill" | "readFundFlow";

/**
 * How a call is disturbed.
 *
 * | value          | what the wallet does                                             |
 * | -------------- | ---------------------------------------------------------------- |
 * | `timeout`      | executes the call, and its response is lost                      |
 * | `hang`         | does nothing and never responds, so only the deadline ends it    |
 * | `server-error` | fails without executing the call                                 |
 * | `reject`       | refuses the call                                                 |
 * | `unsigned`     | executes the call and sends a response without a valid signature |
 */
export type FaultKind = "timeout" | "hang" | "server-error" | "reject" | "unsigned";

/**
 * A wallet adapter with methods that act as the wallet and the customer.
 *
 * The wallet is a simulator in the process or a server on the network.
 */
export interface WalletHarness extends Wallet {
  /** An account whose credentials the wallet accepts. */
  readonly account: WalletAccount;
  /**
   * Why the adapter accepts any credentials, for a test double without cryptography.
   *
   * If it is set, the contract verifies that the adapter accepts any credentials. An adapter of a
   * real wallet must not set it.
   */
  readonly takesAnyCredentials?: string;
  /** Returns the time of the wallet, epoch milliseconds. */
  now(): number;
  /** Opens a payment as the customer, without paying. */
  openPayment(outTradeNo: string, payload: PayPayload): Promise<void>;
  /** Pays as the customer, and sends notifications. Returns `false` if the wallet refuses. */
  pay(outTradeNo: string, payload: PayPayload): Promise<boolean>;
  /** Returns the merchant's balance in cents: payments less refunds. */
  balance(): Promise<number>;
  /** Disturbs all later calls of this kind. `null` stops the disturbance. */
  injectFault(call: FaultyCall, how: FaultKind | null): Promise<void>;
  /** Returns the notifications so far, of payments and refunds, oldest first. */
  notifications(): Promise<readonly RawNotification[]>;
  /** Returns the notification with an invalid signature and no other difference. */
  forge(notification: RawNotification): Promise<RawNotification>;
  /**
   * Returns the notification as a signature probe, or `undefined` if the wallet sends no probes.
   */
  probe(notification: RawNotification): Promise<RawNotification | undefined>;
}
