import type { ResultAsync } from "neverthrow";
import type { AuditEntry } from "../audit/audit-entry.js";
import type { StorageFailure } from "../errors/failure.js";
import type { ServiceType } from "./service-type.js";

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
   * Concurrent calls with one number all return the same type. If the type is stored, the same step
   * appends `audit` to the audit log.
   */
  insertOnce(type: ServiceType, audit?: AuditEntry): ResultAsync<ServiceType, StorageFailure>;
  /** Returns the app's type with this number, or `undefined`. */
  find(appId: string, serviceTypeNo: string): ResultAsync<ServiceType | undefined, StorageFailure>;
  /** Returns the app's types, sorted by number. */
  list(appId: string): ResultAsync<readonly ServiceType[], StorageFailure>;
}
