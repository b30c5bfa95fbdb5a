import type { AuthCode, OrderKey, QuotaKey, Session, Stores } from "@tillkit/core";
import type { Opened } from "../opening.js";

/** What a call may have to wait for while another process changes it. */
export type Contended =
  | { readonly order: OrderKey }
  /** What lets the logins of a customer in one after the other. */
  | { readonly logins: Pick<Session, "appId" | "customerId"> }
  | { readonly code: Pick<AuthCode, "appId" | "phoneHash"> }
  | { readonly counter: QuotaKey };

/**
 * Stores over a storage that several processes share, and what a test does to the storage and to the
 * connection. `port` holds the stores of the process under test.
 */
export interface SharedStorage extends Opened<Stores> {
  /** Opens the stores of another process over the same storage. */
  readonly another: () => Stores;
  /** Loses the answer to the next statement of `port`: the storage executes it, and the connection fails. */
  readonly loseNextAnswer: () => void;
  /** Holds back the answers to the next `count` statements of `port` until the returned function is called. */
  readonly holdNextAnswers: (count: number) => () => void;
  /** Runs `act` while another process holds a lock on `row`, and returns what `act` returns. */
  readonly whileLocked: <T>(row: Contended, act: () => Promise<T>) => Promise<T>;
  /**
   * Starts `call`, stops its statement before it writes `row`, waits for `meanwhile`, and lets the statement
   * go on. Returns what `call` returns.
   */
  readonly whileHeldUp: <T>(
    row: Contended,
    call: () => Promise<T>,
    meanwhile: () => Promise<unknown>,
  ) => Promise<T>;
}
