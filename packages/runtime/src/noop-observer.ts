import type { Observer } from "@tillkit/core";

/** An observer that ignores every event, for hosts that log and count elsewhere. */
export const noopObserver: Observer = { onEvent: () => undefined };
