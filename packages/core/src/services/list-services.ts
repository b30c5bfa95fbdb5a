import { ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import type { StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { customerIdentity, perPolicy } from "../shared/input.js";
import { attempt } from "../shared/attempt.js";
import type { CustomerService } from "./service-type.js";

/** Path parameter of `GET /customerServiceMgmt/{customerIdentity}.json`. */
export const listServicesInput = perPolicy(() => z.object({ customerIdentity: customerIdentity() }));
/** A valid query: the result of `parseInput(listServicesInput(policy), …)`. */
export type ListServicesInput = z.output<ReturnType<typeof listServicesInput>>;

/** A customer's services, with the server's time for comparison with `expireTime`. */
export interface ServiceList {
  readonly services: readonly CustomerService[];
  /** Epoch milliseconds. */
  readonly serverTime: number;
}

/**
 * Returns the customer's timed services, including expired ones.
 *
 * The oldest comes first. Services of the same age are sorted by `serviceTypeNo`.
 *
 * @returns the services, and the server's time to compare with their `expireTime`.
 * @example
 * ```ts
 * import { listServices, listServicesInput, parseInput } from "@tillkit/core";
 *
 * const query = parseInput(listServicesInput(ports.policy), { customerIdentity: "customer-7" });
 * const services = await query.asyncAndThen((input) => listServices(ports, "app_1", input));
 * ```
 */
export function listServices(
  ports: Pick<Ports, "services" | "clock">,
  appId: string,
  input: ListServicesInput,
): ResultAsync<ServiceList, StorageFailure> {
  return attempt(async () => {
    const services = await ports.services.list(appId, input.customerIdentity);
    if (services.isErr()) return services;
    return ok({ services: services.value, serverTime: ports.clock.now() });
  });
}
