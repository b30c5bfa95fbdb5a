import type { Ports } from "@tillkit/core";
import { emit } from "./emit.js";
import type { CheckFailure } from "./health.js";

/** Returns a function that emits an event if the result of the storage check has changed. */
export function readinessReporter(
  ports: Pick<Ports, "observer">,
): (failure: CheckFailure | undefined) => void {
  let last: string | undefined;
  return (failure) => {
    if (failure?.name === last) return;
    last = failure?.name;
    if (failure === undefined) {
      emit(ports, { type: "host.ready" });
      return;
    }
    const { name: why, remedy, cause } = failure;
    emit(ports, { type: "host.not-ready", why, ...(remedy === undefined ? {} : { remedy }), cause });
  };
}
