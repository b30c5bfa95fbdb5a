import type { Observer } from "@tillkit/core";

/** An observer that hears everything and does nothing: for hosts that count and log elsewhere. */
export const silentObserver: Observer = { notice: () => undefined };
