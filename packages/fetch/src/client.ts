import type { ClientSignal } from "@tillkit/core/http";

/**
 * Aborts with the signal of a request, and when the platform cancels the reply.
 *
 * The signal of the request is read only on demand. Some platforms create it when it is first read,
 * which is expensive. Few requests wait.
 */
export class Client implements ClientSignal {
  readonly #request: Request;
  #hasLeft = false;
  // Created by the first listener.
  #leaving: AbortController | undefined;

  constructor(request: Request) {
    this.#request = request;
  }

  get aborted(): boolean {
    return this.#hasLeft || this.#request.signal.aborted;
  }

  addEventListener(type: "abort", listener: () => void): void {
    if (this.#leaving === undefined) {
      this.#leaving = new AbortController();
      this.#request.signal.addEventListener("abort", () => this.leave());
    }
    this.#leaving.signal.addEventListener(type, listener);
  }

  removeEventListener(type: "abort", listener: () => void): void {
    this.#leaving?.signal.removeEventListener(type, listener);
  }

  /** Reports that the client has disconnected. Not every platform aborts the signal then. */
  leave(): void {
    this.#hasLeft = true;
    // An explicit reason avoids the default reason, an exception with its stack.
    this.#leaving?.abort("The client has disconnected.");
  }
}
