import type { ResultAsync } from "neverthrow";
import type { AuditEntry } from "../audit/audit-entry.js";
import type { StorageFailure } from "../errors/failure.js";
import type { ReplaceResult } from "../apps/replaced-record.js";
import type { CustomerService } from "./service-type.js";

/** A page of all services, for an export. */
export interface AllServicesQuery {
  /** Absent: the services of every app. */
  readonly appId?: string | undefined;
  /** The last service of the previous page. Absent for the first page. */
  readonly after?: Pick<CustomerService, "customerIdentity" | "appId" | "serviceTypeNo"> | undefined;
  readonly limit: number;
}

/**
 * The result of {@link ServiceStore.importOnce}.
 *
 * `exists`: the customer had a service of this type already.
 */
export interface ServiceImportResult {
  readonly outcome: "stored" | "exists";
  readonly service: CustomerService;
}

/**
 * Reads the timed services of customers, and imports those of a previous system.
 *
 * Orders change services through other stores: `OrderStore.transition`, `RefundStore.confirm` and
 * `RefundStore.settle` change the service in the transaction that changes the order. The only
 * failure is `storage.unavailable`. `serviceStoreContract` of `@tillkit/contract-tests` tests an
 * implementation.
 *
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/services.md |
 *   Timed services}
 */
export interface ServiceStore {
  /**
   * Returns the customer's services, including expired ones, oldest first.
   *
   * Services of the same age are sorted by `serviceTypeNo`.
   */
  list(appId: string, customerIdentity: string): ResultAsync<readonly CustomerService[], StorageFailure>;
  /**
   * Stores the service unless the customer has one of its type, and returns the stored service.
   *
   * The imported time, from `gmtCreate` to `expireTime`, counts like a first order that cannot be
   * refunded. Concurrent calls with the same key all return the same service, and one of them
   * stored it.
   *
   * @param service - `expireTime` is not before `gmtCreate`.
   */
  importOnce(service: CustomerService): ResultAsync<ServiceImportResult, StorageFailure>;
  /**
   * Replaces an imported service that no order has extended.
   *
   * Nothing is replaced unless the stored service equals `previous`. One of several concurrent
   * calls with the same `previous` replaces the service. The result is `touched` if any order has
   * extended the service, even a refunded order, or if the service began with an order.
   *
   * @param service - the new service. Its key is that of `previous`.
   * @param audit - appended to the audit log in the same step, if the service was replaced.
   */
  replaceImported(
    previous: CustomerService,
    service: CustomerService,
    audit?: AuditEntry,
  ): ResultAsync<ReplaceResult, StorageFailure>;
  /** Returns whether the service was imported, and no order has extended it. */
  isUntouchedImport(
    service: Pick<CustomerService, "appId" | "customerIdentity" | "serviceTypeNo">,
  ): ResultAsync<boolean, StorageFailure>;
  /**
   * Returns one page of all services, sorted by `customerIdentity`, `appId` and `serviceTypeNo`.
   *
   * The texts are compared byte by byte. Fails if a service cannot be read, so that an export is
   * never incomplete.
   */
  listAll(query: AllServicesQuery): ResultAsync<readonly CustomerService[], StorageFailure>;
}
