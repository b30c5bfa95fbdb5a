import type { OrderKey, QuotaKey, Stores } from "@tillkit/core";
import type { AuthCode, Session } from "@tillkit/core/ports";
import type { Opened } from "../open-before-each.js";

/** Rows that a call may have to wait for while another process changes them. */
export type Contended =
  | { readonly order: OrderKey }
  /** The row that forces the logins of a customer to run one after another. */
  | { readonly logins: Pick<Session, "appId" | "customerId"> }
  | { readonly code: Pick<AuthCode, "appId" | "phoneHash"> }
  | { readonly counter: QuotaKey };

/**
 * Stores over a storage that several processes share, with methods that inject faults.
 *
 * `port` contains the stores of the process under test.
 */
export interface SharedStorage extends Opened<Stores> {
  /** Opens the stores of another process over the same storage. */
  readonly another: () => Stores;
  /**
   * Loses the response to the next statement of `port`.
   *
   * The storage executes the statement, and the connection fails.
   */
  readonly loseNextAnswer: () => void;
  /**
   * Holds back the responses to the next `count` statements of `port`.
   *
   * The returned function releases them.
   */
  readonly holdNextAnswers: (count: number) => () => void;
  /** Runs `act` while another process locks `row`, and returns the result of `act`. */
  readonly whileLocked: <T>(row: Contended, act: () => Promise<T>) => Promise<T>;
  /**
   * Starts `call`, pauses its statement before it writes `row`, awaits `meanwhile`, and continues.
   *
   * Returns the result of `call`.
   */
  readonly whileBlocked: <T>(
    row: Contended,
    call: () => Promise<T>,
    meanwhile: () => Promise<unknown>,
  ) => Promise<T>;
}
