import { ok, type ResultAsync } from "neverthrow";
import { activeApp } from "../apps/create-app.js";
import type { FailureOf } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { newId } from "../shared/random.js";
import { steps } from "../shared/steps.js";
import type { ServiceType } from "./service-type.js";

/** What an operator says of a new service type. */
export interface CreateServiceTypeInput {
  readonly serviceName: string;
  /** How much time one paid order adds, in milliseconds. */
  readonly durationMs: number;
  /** Chosen by the operator, or made by the service. */
  readonly serviceTypeNo?: string;
}

/** Registers a timed service that orders can name. Repeating it with the same number returns the one that is there. */
export function createServiceType(
  ports: Pick<Ports, "apps" | "serviceTypes" | "clock" | "random">,
  appId: string,
  input: CreateServiceTypeInput,
): ResultAsync<ServiceType, FailureOf<"credentials.invalid" | "storage.unavailable">> {
  return steps(async function* () {
    yield* activeApp(ports, appId);
    const type = yield* ports.serviceTypes.insertOnce({
      appId,
      serviceTypeNo: input.serviceTypeNo ?? `svt_${newId(ports)}`,
      serviceName: input.serviceName,
      durationMs: input.durationMs,
      gmtCreate: ports.clock.now(),
    });
    return ok(type);
  });
}
