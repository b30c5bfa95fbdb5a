import { err, ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import { activeApp } from "../apps/active-app.js";
import type { FailureOf, StorageFailureName } from "../errors/failure.js";
import { auditEntryIfAny, type OperatorCommand } from "../operators/operator-command.js";
import type { Ports } from "../ports.js";
import {
  issue,
  type InputFailure,
  nonBlankText,
  nonBlankTextOrEmpty,
  parseInput,
  perPolicy,
} from "../shared/input.js";
import { LONGEST_DURATION } from "../shared/limits.js";
import { newId } from "../shared/random.js";
import { attempt } from "../shared/attempt.js";
import type { ServiceType } from "./service-type.js";

/** A service type with this number and other settings exists already. Nothing was changed. */
export interface ServiceTypeExistsFailure {
  readonly name: "service-type.exists";
  readonly serviceTypeNo: string;
}

/** Operator's settings of a new service type. */
export interface CreateServiceTypeInput {
  /** 1 to 64 characters. */
  readonly serviceName: string;
  /** Milliseconds that one paid order adds, from 1 to a hundred years. */
  readonly durationMs: number;
  /** Generated (`svt_…`) if it is absent. */
  readonly serviceTypeNo?: string;
}

const createServiceTypeInput = perPolicy((policy) =>
  z.object({
    serviceName: nonBlankText(64),
    durationMs: z.int(issue("duration")).min(1, issue("duration")).max(LONGEST_DURATION, issue("duration")),
    serviceTypeNo: nonBlankTextOrEmpty(policy.maxServiceNoLength),
  }),
);

/**
 * Registers a timed service that orders can buy.
 *
 * Safe to retry with the same `serviceTypeNo` and settings: the call returns the existing type.
 *
 * @param by - the operator. If set, the audit log gets an entry in the same transaction.
 * @returns the stored service type. Fails with `credentials.invalid` if the app does not exist or
 *   is disabled. Fails with `service-type.exists` if the number belongs to a type with other
 *   settings, or to a retired type.
 * @example
 * ```ts
 * import { createServiceType } from "@tillkit/core";
 *
 * const created = await createServiceType(ports, appId, {
 *   serviceTypeNo: "membership-30",
 *   serviceName: "30 days of membership",
 *   durationMs: 30 * 24 * 60 * 60 * 1000,
 * });
 * ```
 */
export function createServiceType(
  ports: Pick<Ports, "apps" | "serviceTypes" | "clock" | "random" | "policy">,
  appId: string,
  input: CreateServiceTypeInput,
  by?: OperatorCommand,
): ResultAsync<
  ServiceType,
  InputFailure | ServiceTypeExistsFailure | FailureOf<"credentials.invalid" | StorageFailureName>
> {
  return attempt(async () => {
    const parsed = parseInput(createServiceTypeInput(ports.policy), {
      ...input,
    });
    if (parsed.isErr()) return parsed;
    const { serviceName, durationMs, serviceTypeNo } = parsed.value;
    const active = await activeApp(ports, appId);
    if (active.isErr()) return active;
    const type = {
      appId,
      serviceTypeNo: serviceTypeNo ?? `svt_${newId(ports)}`,
      serviceName,
      durationMs,
      gmtCreate: ports.clock.now(),
    };
    const subject = `service-type:${appId}/${type.serviceTypeNo}`;
    const detail = JSON.stringify({ serviceName, durationMs });
    const facts = { action: "service-type.create", subject, appId, detail } as const;
    const existing = await ports.serviceTypes.insertOnce(type, auditEntryIfAny(ports, by, facts));
    if (existing.isErr()) return existing;
    const isSame =
      existing.value.serviceName === serviceName &&
      existing.value.durationMs === durationMs &&
      existing.value.retiredAt === undefined;
    return isSame
      ? ok(existing.value)
      : err<ServiceType, ServiceTypeExistsFailure>({
          name: "service-type.exists",
          serviceTypeNo: type.serviceTypeNo,
        });
  });
}
