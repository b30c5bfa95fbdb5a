import { postgresAccessTokenStore } from "../wallets/access-token-store.js";
import { postgresAlertStore } from "../alerts/alert-store.js";
import { postgresFiguresStore } from "../figures/figures-store.js";
import type { Stores } from "@tillkit/core";
import { postgresAppStore } from "../apps/app-store.js";
import { postgresAuditLog } from "../audit/audit-log.js";
import { postgresBillExceptionStore } from "../bills/bill-exception-store.js";
import { postgresBillLineStore } from "../bills/bill-line-store.js";
import { postgresBillSettlementStore } from "../bills/bill-settlement-store.js";
import { postgresCodeStore } from "../sessions/code-store.js";
import { credentialCipher, type CredentialKey } from "../credentials/credential-cipher.js";
import { postgresCustomerDataStore } from "../customers/customer-data-store.js";
import { postgresDownloadsClientStore } from "../downloads/downloads-client-store.js";
import { postgresDownloadsSource } from "../downloads/downloads-source.js";
import type { BatchOptions } from "../batching/batched.js";
import { postgresEventDeliveryStore } from "../events/event-delivery-store.js";
import { postgresKeptBillStore } from "../bills/kept-bill-store.js";
import { postgresOperatorSessionStore } from "../operators/operator-session-store.js";
import { postgresOperatorStore } from "../operators/operator-store.js";
import { postgresOrderSearch } from "../orders/order-search.js";
import { postgresOrderStore } from "../orders/order-store.js";
import { postgresPayToolStore } from "../pay-tools/pay-tool-store.js";
import { postgresQuotaStore } from "../quotas/quota-store.js";
import { postgresReadinessStore } from "../readiness/readiness-store.js";
import { postgresRefundApprovalStore } from "../refund-approvals/refund-approval-store.js";
import { postgresRefundStore } from "../refunds/refund-store.js";
import { postgresServiceStore } from "../services/service-store.js";
import { postgresServiceTypeStore } from "../services/service-type-store.js";
import { postgresSessionStore } from "../sessions/session-store.js";
import { postgresSignInAttemptStore } from "../operators/sign-in-attempt-store.js";
import type { OnUnreadable } from "../sql/row-reader.js";
import type { SqlClient } from "../sql/sql-client.js";
import { storeClient } from "../cluster/store-client.js";

/** The options of {@link postgresStores}. */
export interface PostgresStorage {
  readonly sql: SqlClient;
  /** The migrated schema. */
  readonly schema: string;
  /** The keys that encrypt wallet credentials, the current one first. */
  readonly credentialKeys: readonly CredentialKey[];
  /** How concurrent calls share statements. */
  readonly batching?: BatchOptions;
  /**
   * Whether the tables are distributed over the nodes of a Citus cluster.
   *
   * By default the stores read the catalogue before their first statement.
   */
  readonly distributed?: boolean;
  /**
   * Receives each row that a list or a claim of due work skips because it is unreadable.
   *
   * By default the process emits a warning, once for each row.
   */
  readonly onUnreadable?: OnUnreadable;
}

/**
 * Creates all stores on PostgreSQL. Run {@link migrate} first. Throws if the keys are unusable.
 *
 * @returns the stores, over one client.
 * @example
 * ```ts
 * import { postgresStores } from "@tillkit/postgres";
 *
 * const stores = postgresStores({ sql, schema: "tillkit", credentialKeys });
 * ```
 */
export function postgresStores({
  sql: client,
  schema,
  credentialKeys,
  batching,
  distributed,
  onUnreadable,
}: PostgresStorage): Stores {
  const sql = storeClient(client, schema, distributed);
  const cipher = credentialCipher(credentialKeys);
  return {
    apps: postgresAppStore(sql, schema, onUnreadable),
    payTools: postgresPayToolStore(sql, schema, cipher, batching, onUnreadable),
    orders: postgresOrderStore(sql, schema, batching, onUnreadable),
    orderSearch: postgresOrderSearch(sql, schema, onUnreadable),
    refunds: postgresRefundStore(sql, schema, batching, onUnreadable),
    refundApprovals: postgresRefundApprovalStore(sql, schema, batching, onUnreadable),
    billLines: postgresBillLineStore(sql, schema),
    billSettlements: postgresBillSettlementStore(sql, schema),
    keptBills: postgresKeptBillStore(sql, schema),
    billExceptions: postgresBillExceptionStore(sql, schema, onUnreadable),
    serviceTypes: postgresServiceTypeStore(sql, schema, onUnreadable),
    services: postgresServiceStore(sql, schema, onUnreadable),
    codes: postgresCodeStore(sql, schema, batching),
    sessions: postgresSessionStore(sql, schema, batching),
    customerData: postgresCustomerDataStore(sql, schema),
    quotas: postgresQuotaStore(sql, schema, batching),
    downloads: postgresDownloadsSource(sql, schema),
    downloadsClients: postgresDownloadsClientStore(sql, schema, onUnreadable),
    eventDeliveries: postgresEventDeliveryStore(sql, schema, batching, onUnreadable),
    operators: postgresOperatorStore(sql, schema, cipher),
    operatorSessions: postgresOperatorSessionStore(sql, schema, cipher),
    signInAttempts: postgresSignInAttemptStore(sql, schema),
    auditLog: postgresAuditLog(sql, schema),
    alerts: postgresAlertStore(sql, schema),
    figures: postgresFiguresStore(sql, schema),
    accessTokens: postgresAccessTokenStore(sql, schema, cipher),
    readiness: postgresReadinessStore(sql, schema),
  };
}
