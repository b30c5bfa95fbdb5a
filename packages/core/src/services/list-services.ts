import { ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import type { StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { customerIdentity, perPolicy } from "../shared/input.js";
import { attempt } from "../shared/attempt.js";
import type { CustomerService } from "./service-type.js";

/** The path parameter of GET /customerServiceMgmt/{customerIdentity}.json. */
export const listServicesInput = perPolicy((policy) =>
  z.object({ customerIdentity: customerIdentity(policy) }),
);
/** A valid question for services: what `parseInput(listServicesInput(policy), …)` returns. */
export type ListServicesInput = z.output<ReturnType<typeof listServicesInput>>;

/** A customer's services and the time on the server, to compare `expireTime` with. */
export interface ServiceList {
  readonly services: readonly CustomerService[];
  /** Epoch milliseconds. */
  readonly serverTime: number;
}

/** The customer's timed services, expired ones included. Source: GET /customerServiceMgmt/{customerIdentity}.json. */
export function listServices(
  ports: Pick<Ports, "services" | "clock">,
  appId: string,
  input: ListServicesInput,
): ResultAsync<ServiceList, StorageFailure> {
  return attempt(async () => {
    const servicesResult = await ports.services.list(appId, input.customerIdentity);
    if (servicesResult.isErr()) return servicesResult;
    const services = servicesResult.value;
    return ok({ services, serverTime: ports.clock.now() });
  });
}
