export { postgresAppStore } from "./app-store.js";
export { postgresCodeStore } from "./code-store.js";
export { postgresBillExceptionStore } from "./bill-exception-store.js";
export { inSnapshot } from "./in-snapshot.js";
export { postgresBillLineStore } from "./bill-line-store.js";
export { postgresKeptBillStore } from "./kept-bill-store.js";
export { postgresBillSettlementStore } from "./bill-settlement-store.js";
export { credentialCipher, type CredentialCipher, type CredentialKey } from "./credential-cipher.js";
export { postgresDownloadsClientStore } from "./downloads-client-store.js";
export { postgresEventDeliveryStore } from "./event-delivery-store.js";
export { postgresAuditLog } from "./audit-log.js";
export { postgresDownloadsSource } from "./downloads-source.js";
export {
  distribute,
  type DistributeOptions,
  type Distribution,
  type DistributionFailure,
  type DistributionProgress,
} from "./distribute.js";
export { DISTRIBUTION_COLUMNS } from "./distribution.js";
export type { DistributionStep } from "./plan-distribution.js";
export { grantsSql } from "./grants.js";
export type { BatchOptions } from "./batched.js";
export { inspectNodes } from "./inspect-nodes.js";
export { inspectSchema, type InspectOptions } from "./inspect-schema.js";
export { migrate, type MigrateOptions, type MigrationLockFailure } from "./migrate.js";
export type { Migration } from "./migration.js";
export { MIGRATIONS } from "./migrations.js";
export type { LockWait } from "./with-lock-retries.js";
export { postgresOrderStore } from "./order-store.js";
export { nodeUrl } from "./node-url.js";
export { postgresPayToolStore } from "./pay-tool-store.js";
export { pgClient, type PgOptions } from "./pg-client.js";
export type { PgConnection, PgPool } from "./pg-connections.js";
export { storageFailureOf } from "./storage-failure.js";
export { type PostgresStorage, postgresStores } from "./postgres-stores.js";
export { type MigrationPlan, planMigrations, type PlanOptions } from "./plan-migrations.js";
export { postgresQuotaStore } from "./quota-store.js";
export { readAccounts, type StoredAccount } from "./read-accounts.js";
export { reencryptCredentials } from "./reencrypt-credentials.js";
export { sampleOrders, type SampleSize } from "./sample-orders.js";
export { type DoubledId, findDoubledIds } from "./doubled-ids.js";
export { type OnUnreadable, type UnreadableRow, unreadableRowOf } from "./row-reader.js";
export { postgresRefundStore } from "./refund-store.js";
export {
  cachingAppStore,
  cachingDownloadsClientStore,
  cachingPayToolStore,
} from "./caching/caching-stores.js";
export type { SchemaFinding, SchemaFindingKind } from "./schema-finding.js";
export { roleSettingsSql } from "./role-settings.js";
export { postgresReadinessStore, readinessFailureOf } from "./readiness-store.js";
export { checkReadiness } from "./check-readiness.js";
export { checkSchema, type SchemaFailure, type SchemaState } from "./schema-state.js";
export { postgresServiceStore } from "./service-store.js";
export { postgresServiceTypeStore } from "./service-type-store.js";
export { postgresSessionStore } from "./session-store.js";
export type { HandlerSql } from "./handler-sql.js";
export { transactionalHandler, type TransactionalHandlerOptions } from "./transactional-handler.js";
export type {
  NodeAddress,
  SqlClient,
  SqlQueries,
  SqlRow,
  SqlRunner,
  SqlStatement,
  SqlValue,
  TransactionOptions,
} from "./sql-client.js";
