import { type IdPorts, newId } from "../shared/random.js";

/** Returns the number for the customer's service: the one that the order sent, or a new one. */
export function serviceNoOf(ports: IdPorts, { serviceNo }: { readonly serviceNo?: string }): string {
  return serviceNo ?? `svc_${newId(ports)}`;
}
