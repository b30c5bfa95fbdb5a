import type { Policy } from "../policy.js";
import { forbiddenIdentity } from "./identity-rules.js";

/** The checks of a name. No app can disable them. */
const CHECKS = { identityChecks: { email: true, phone: true, card: false } } as const;

/**
 * Returns the `customerName` to store. `undefined` if it is a phone number or an e-mail address.
 *
 * @see {@link
 *   https://github.com/tillkit/tillkit/blob/main/docs/decisions/customer-name-without-personal-data.md |
 *   A customerName that is personal data is not stored}
 */
export function storedCustomerName(customerName: string | undefined, policy: Policy): string | undefined {
  if (customerName === undefined) return undefined;
  return forbiddenIdentity(CHECKS, customerName, policy) === undefined ? customerName : undefined;
}
