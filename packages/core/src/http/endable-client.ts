import type { ClientSignal } from "./request.js";

/**
 * A signal that aborts when the signal of a request aborts, or when `leave` is called.
 *
 * It reads the signal of the request only on demand, because some platforms create it when it is
 * first read.
 */
export class EndableClient implements ClientSignal {
  readonly #request: { readonly signal: ClientSignal | undefined };
  #hasLeft = false;
  // Created for the first listener, because most requests have none.
  #listeners: Set<() => void> | undefined;

  /**
   * @param request - has the signal of the request, if the platform has one.
   */
  constructor(request: { readonly signal: ClientSignal | undefined }) {
    this.#request = request;
  }

  /** Whether the client has disconnected or `leave` was called. */
  get aborted(): boolean {
    return this.#hasLeft || this.#request.signal?.aborted === true;
  }

  /** Calls `listener` once when the signal aborts. */
  addEventListener(type: "abort", listener: () => void): void {
    if (this.#listeners === undefined) {
      this.#listeners = new Set();
      this.#request.signal?.addEventListener(type, () => this.leave());
    }
    this.#listeners.add(listener);
  }

  /** Removes a listener. */
  removeEventListener(_type: "abort", listener: () => void): void {
    this.#listeners?.delete(listener);
  }

  /** Aborts the signal. A second call changes nothing. */
  leave(): void {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    for (const listener of this.#listeners ?? []) listener();
  }
}
