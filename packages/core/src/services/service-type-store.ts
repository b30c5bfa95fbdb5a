import type { ResultAsync } from "neverthrow";
import type { AuditEntry } from "../audit/audit-entry.js";
import type { StorageFailure } from "../errors/failure.js";
import type { ServiceType } from "./service-type.js";

/**
 * Stores service types.
 *
 * The only failure is a {@link StorageFailure}. `serviceTypeStoreContract` of
 * `@tillkit/contract-tests` tests an implementation.
 */
export interface ServiceTypeStore {
  /**
   * Stores the type unless its number exists in the app, and returns the stored type.
   *
   * Concurrent calls with the same number all return the same type. If the type is stored, the same
   * step appends `audit` to the audit log.
   */
  insertOnce(type: ServiceType, audit?: AuditEntry): ResultAsync<ServiceType, StorageFailure>;
  /**
   * Changes the name of a type, and returns the type, or `undefined` if it does not exist.
   *
   * Stored orders and services keep the name that they have. If the type exists, the same step
   * appends `audit` to the audit log. `entryWithBefore` adds the replaced `serviceName` to the
   * entry.
   */
  rename(
    appId: string,
    serviceTypeNo: string,
    serviceName: string,
    audit?: AuditEntry,
  ): ResultAsync<ServiceType | undefined, StorageFailure>;
  /**
   * Sets `retiredAt` to `at` unless it is set, and returns the type, or `undefined` if it does not
   * exist.
   *
   * Concurrent calls all return the same time. If this call set the time, the same step appends
   * `audit` to the audit log. Each `find` that begins after this call returned a type finds the
   * type retired, in every process.
   */
  retire(
    appId: string,
    serviceTypeNo: string,
    at: number,
    audit?: AuditEntry,
  ): ResultAsync<ServiceType | undefined, StorageFailure>;
  /**
   * Removes `retiredAt`, and returns the type, or `undefined` if it does not exist.
   *
   * If the type was retired, the same step appends `audit` to the audit log.
   */
  restore(
    appId: string,
    serviceTypeNo: string,
    audit?: AuditEntry,
  ): ResultAsync<ServiceType | undefined, StorageFailure>;
  /** Returns the app's type with this number, or `undefined`. Never returns a cached type. */
  find(appId: string, serviceTypeNo: string): ResultAsync<ServiceType | undefined, StorageFailure>;
  /** Returns the app's types, sorted by number. */
  list(appId: string): ResultAsync<readonly ServiceType[], StorageFailure>;
}
