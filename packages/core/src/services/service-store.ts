import type { ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { CustomerService, ServiceType } from "./service-type.js";

/**
 * Stores service types.
 *
 * The only failure is `storage.unavailable`. `serviceTypeStoreContract` of
 * `@tillkit/contract-tests` tests an implementation.
 */
export interface ServiceTypeStore {
  /**
   * Stores the type unless its number exists in the app, and returns the stored type.
   *
   * Concurrent calls with one number all return the same type.
   */
  insertOnce(type: ServiceType): ResultAsync<ServiceType, StorageFailure>;
  /** Returns the app's type with this number, or `undefined`. */
  find(appId: string, serviceTypeNo: string): ResultAsync<ServiceType | undefined, StorageFailure>;
  /** Returns the app's types, sorted by number. */
  list(appId: string): ResultAsync<readonly ServiceType[], StorageFailure>;
}

/**
 * Reads the timed services of customers.
 *
 * `OrderStore.transition`, `RefundStore.confirm` and `RefundStore.settle` write them, in the
 * transaction that moves the order. The only failure is `storage.unavailable`.
 * `serviceStoreContract` of `@tillkit/contract-tests` tests an implementation.
 *
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/refunds-revoke-service-time.md | A full refund revokes the service time of its order}
 */
export interface ServiceStore {
  /**
   * Returns the customer's services, including expired ones, oldest first.
   *
   * Services of the same age are sorted by `serviceTypeNo`.
   */
  list(appId: string, customerIdentity: string): ResultAsync<readonly CustomerService[], StorageFailure>;
}
