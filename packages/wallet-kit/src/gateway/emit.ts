import type { Observer, ServiceEvent } from "@tillkit/core";

/** Emits an event to the observer, if there is one. Ignores an error that the observer throws. */
export function emit(observer: Observer | undefined, event: ServiceEvent): void {
  try {
    observer?.onEvent(event);
  } catch {
    // The call to the wallet must go on.
  }
}
