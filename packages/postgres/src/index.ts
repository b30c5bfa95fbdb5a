export { postgresAppStore } from "./apps/app-store.js";
export { postgresCodeStore } from "./sessions/code-store.js";
export { postgresBillExceptionStore } from "./bills/bill-exception-store.js";
export { inSnapshot } from "./client/in-snapshot.js";
export { postgresBillLineStore } from "./bills/bill-line-store.js";
export { postgresKeptBillStore } from "./bills/kept-bill-store.js";
export { postgresBillSettlementStore } from "./bills/bill-settlement-store.js";
export {
  credentialCipher,
  type CredentialCipher,
  type CredentialKey,
} from "./credentials/credential-cipher.js";
export { postgresDownloadsClientStore } from "./downloads/downloads-client-store.js";
export { postgresEventDeliveryStore } from "./events/event-delivery-store.js";
export { postgresAuditLog } from "./audit/audit-log.js";
export { postgresDownloadsSource } from "./downloads/downloads-source.js";
export {
  distribute,
  type DistributeOptions,
  type Distribution,
  type DistributionFailure,
  type DistributionProgress,
} from "./admin/distribution/distribute.js";
export { DISTRIBUTION_COLUMNS } from "./cluster/distribution.js";
export type { DistributionStep } from "./admin/distribution/plan-distribution.js";
export { grantsSql } from "./rights/grants.js";
export type { BatchOptions } from "./batching/batched.js";
export { inspectNodes } from "./admin/distribution/inspect-nodes.js";
export { inspectSchema, type InspectOptions } from "./admin/inspect-schema.js";
export { migrate, type MigrateOptions, type MigrationLockFailure } from "./admin/migrate.js";
export type { Migration } from "./admin/migration.js";
export { MIGRATIONS } from "./admin/migrations.js";
export type { LockWait } from "./admin/with-lock-retries.js";
export { postgresOrderStore } from "./orders/order-store.js";
export { nodeUrl } from "./client/node-url.js";
export { postgresPayToolStore } from "./pay-tools/pay-tool-store.js";
export { pgClient, type PgOptions } from "./client/pg-client.js";
export type { PgConnection, PgPool } from "./client/pg-connections.js";
export { storageFailureOf } from "./client/storage-failure.js";
export { type PostgresStorage, postgresStores } from "./stores/postgres-stores.js";
export { type MigrationPlan, planMigrations, type PlanOptions } from "./admin/plan-migrations.js";
export { postgresQuotaStore } from "./quotas/quota-store.js";
export { readAccounts, type StoredAccount } from "./admin/read-accounts.js";
export { reencryptCredentials } from "./admin/reencrypt-credentials.js";
export { sampleOrders, type SampleSize } from "./orders/sample-orders.js";
export { type DoubledId, findDoubledIds } from "./orders/doubled-ids.js";
export { type OnUnreadable, type UnreadableRow, unreadableRowOf } from "./sql/row-reader.js";
export { postgresRefundStore } from "./refunds/refund-store.js";
export {
  cachingAppStore,
  cachingDownloadsClientStore,
  cachingPayToolStore,
} from "./caching/caching-stores.js";
export type { SchemaFinding, SchemaFindingKind } from "./rights/schema-finding.js";
export { roleSettingsSql } from "./admin/role-settings.js";
export { postgresReadinessStore, readinessFailureOf } from "./readiness/readiness-store.js";
export { checkReadiness } from "./admin/check-readiness.js";
export { checkSchema, type SchemaFailure, type SchemaState } from "./admin/schema-state.js";
export { postgresServiceStore } from "./services/service-store.js";
export { postgresServiceTypeStore } from "./services/service-type-store.js";
export { postgresSessionStore } from "./sessions/session-store.js";
export type { HandlerSql } from "./events/handler-sql.js";
export { transactionalHandler, type TransactionalHandlerOptions } from "./events/transactional-handler.js";
export type {
  NodeAddress,
  SqlClient,
  SqlQueries,
  SqlRow,
  SqlRunner,
  SqlStatement,
  SqlValue,
  TransactionOptions,
} from "./sql/sql-client.js";
