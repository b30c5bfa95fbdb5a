import { type Ports, reportMisconfigured } from "@tillkit/core";
import type { EndedStep } from "./background.js";
import { emit } from "./emit.js";

/** Emits the outcome of a step of a background task to the observer. */
export function reportStep(
  ports: Pick<Ports, "clock" | "observer">,
  { task, traceId, startedAt, failure }: EndedStep,
): void {
  const durationMs = ports.clock.now() - startedAt;
  if (failure === undefined) {
    emit(ports, { type: "task.ran", task, traceId, durationMs });
    return;
  }
  const { name, cause } = failure;
  reportMisconfigured(ports, failure);
  emit(ports, { type: "task.ran", task, traceId, durationMs, failure: name, cause });
}
