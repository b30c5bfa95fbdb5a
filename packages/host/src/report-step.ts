import { type Ports, reportMisconfigured } from "@tillkit/core";
import type { TaskFailure } from "./task.js";
import { emit } from "./emit.js";

/** Emits the outcome of a step of a background task to the observer. */
export function reportStep(
  ports: Pick<Ports, "clock" | "observer">,
  task: string,
  startedAt: number,
  failure: TaskFailure | undefined,
): void {
  const durationMs = ports.clock.now() - startedAt;
  if (failure === undefined) {
    emit(ports, { type: "task.ran", task, durationMs });
    return;
  }
  const { name, cause } = failure;
  reportMisconfigured(ports, failure);
  emit(ports, { type: "task.ran", task, durationMs, failure: name, cause });
}
