import type { Ports, ServiceEvent } from "@tillkit/core";

/** Emits an event to the observer. Ignores an error that the observer throws. */
export function emit({ observer }: Pick<Ports, "observer">, event: ServiceEvent): void {
  try {
    observer.onEvent(event);
  } catch {
    // An observer must not stop the background tasks.
  }
}
