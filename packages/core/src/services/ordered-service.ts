import { ok, type ResultAsync } from "neverthrow";
import { fail, type FailureOf, type StorageFailureName } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import type { ServiceType } from "./service-type.js";

/**
 * Returns the timed service that a new order buys, or `undefined` if it buys none.
 *
 * Fails if the service type is unknown or retired, or if the request names no customer.
 */
export function orderedService(
  { serviceTypes }: Pick<Ports, "serviceTypes">,
  appId: string,
  {
    serviceTypeNo,
    customerIdentity,
  }: { readonly serviceTypeNo?: string | undefined; readonly customerIdentity?: string | undefined },
): ResultAsync<
  Pick<ServiceType, "serviceTypeNo" | "serviceName" | "durationMs"> | undefined,
  FailureOf<"parameter.missing" | "service-type.unknown" | "service-type.retired" | StorageFailureName>
> {
  return attempt(async () => {
    if (serviceTypeNo === undefined) return ok(undefined);
    // A timed service belongs to a customer, also in an app without customer accounts.
    if (customerIdentity === undefined) return fail("parameter.missing", { parameter: "customerIdentity" });
    const type = await serviceTypes.find(appId, serviceTypeNo);
    if (type.isErr()) return type;
    if (type.value === undefined) return fail("service-type.unknown");
    const { serviceName, durationMs, retiredAt } = type.value;
    if (retiredAt !== undefined) return fail("service-type.retired");
    return ok({ serviceTypeNo, serviceName, durationMs });
  });
}
