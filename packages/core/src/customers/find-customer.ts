import { ok, type Result, type ResultAsync } from "neverthrow";
import type { FailureOf, StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { phoneHashes, readMobileNo } from "../sessions/phone-hash.js";
import { attempt } from "../shared/attempt.js";
import type { LoginData, LoginSubject } from "./customer-data-store.js";

/**
 * How a request names a customer: by phone number, or by the identity that the app uses.
 *
 * The identity of a customer who logs in through Tillkit is the `customerId` of the login.
 */
export type CustomerRef = { readonly mobileNo: string } | { readonly customerIdentity: string };

/** A customer of an app with everything that is known about the login. */
export interface FoundCustomer {
  readonly subject: LoginSubject;
  readonly login: LoginData;
  /** The identities under which the customer may have orders and services, sorted. */
  readonly identities: readonly string[];
}

/** The ports that `findCustomer` uses. */
export type FindCustomerPorts = Pick<Ports, "customerData" | "digest" | "policy">;

/** Finds the customer that a request names. A phone number without data has no identities. */
export function findCustomer(
  ports: FindCustomerPorts,
  appId: string,
  ref: CustomerRef,
): ResultAsync<FoundCustomer, FailureOf<"mobile-no.invalid"> | StorageFailure> {
  return attempt(async () => {
    const subject = subjectOf(ports, appId, ref);
    if (subject.isErr()) return subject;
    const { value } = subject;
    const login = await ports.customerData.readLogin(value);
    if (login.isErr()) return login;
    const identities = new Set(login.value.phones.map(({ customerId }) => customerId));
    if (value.customerId !== undefined) identities.add(value.customerId);
    return ok({ subject: value, login: login.value, identities: [...identities].sort() });
  });
}

function subjectOf(
  { digest, policy }: Pick<Ports, "digest" | "policy">,
  appId: string,
  ref: CustomerRef,
): Result<LoginSubject, FailureOf<"mobile-no.invalid">> {
  if ("customerIdentity" in ref) return ok({ appId, customerId: ref.customerIdentity, phoneHashes: [] });
  return readMobileNo(ref.mobileNo, policy).map((mobileNo) => ({
    appId,
    phoneHashes: phoneHashes(digest, appId, mobileNo),
  }));
}
