import type { ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { CustomerService, ServiceType } from "./service-type.js";

/** Where service types live: a small table. Proved by `serviceTypeStoreContract`. The only failure is `storage.unavailable`. */
export interface ServiceTypeStore {
  /** Keeps the type unless its number is taken in the app, and returns whichever is kept. Concurrent calls agree. */
  insertOnce(type: ServiceType): ResultAsync<ServiceType, StorageFailure>;
  /** The app's type with this number. */
  find(appId: string, serviceTypeNo: string): ResultAsync<ServiceType | undefined, StorageFailure>;
  /** The app's types, by number. */
  list(appId: string): ResultAsync<readonly ServiceType[], StorageFailure>;
}

/**
 * Where customers' services are read. They are written by `OrderStore.transition` and `RefundStore.confirm`, in the transaction that
 * moves the order. Proved by `serviceStoreContract`. The only failure is `storage.unavailable`.
 */
export interface ServiceStore {
  /** The customer's services, expired ones included, oldest first, then by `serviceTypeNo`. */
  list(appId: string, customerIdentity: string): ResultAsync<readonly CustomerService[], StorageFailure>;
}
