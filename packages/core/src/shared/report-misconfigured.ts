import type { Failure } from "../errors/failure.js";
import { emit } from "../shared/emit.js";

/** Any failure. Only `storage.misconfigured` needs more members than its name. */
type NamedFailure = Extract<Failure, { readonly name: "storage.misconfigured" }> | { readonly name: string };

/** The observer of a host, as far as it is called here. */
interface MisconfigurationReceiver {
  onEvent(event: {
    readonly type: "storage.misconfigured";
    readonly remedy: string;
    readonly cause?: unknown;
  }): void;
}

/**
 * Emits `storage.misconfigured` with the remedy, if `failure` is that failure.
 *
 * Surfaces and background tasks call it, because their replies and events do not contain the
 * remedy.
 *
 * @example
 * ```ts
 * import { reportMisconfigured } from "@tillkit/core";
 *
 * const found = await ports.orders.find({ appId: "app_1", bizNo: "order-1001" });
 * if (found.isErr()) reportMisconfigured(ports, found.error);
 * ```
 */
export function reportMisconfigured(
  ports: { readonly observer: MisconfigurationReceiver },
  failure: NamedFailure,
): void {
  if (!("remedy" in failure)) return;
  const { name, remedy, cause } = failure;
  emit(ports, { type: name, remedy, cause });
}
