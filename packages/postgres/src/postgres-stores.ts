import type { Stores } from "@tillkit/core";
import { postgresAppStore } from "./app-store.js";
import { postgresBillExceptionStore } from "./bill-exception-store.js";
import { postgresBillLineStore } from "./bill-line-store.js";
import { postgresBillSettlementStore } from "./bill-settlement-store.js";
import { postgresCodeStore } from "./code-store.js";
import { credentialCipher, type CredentialKey } from "./credential-cipher.js";
import { postgresDownloadsClientStore } from "./downloads-client-store.js";
import { postgresDownloadsSource } from "./downloads-source.js";
import type { Grouping } from "./grouped.js";
import { postgresOrderStore } from "./order-store.js";
import { postgresPayToolStore } from "./pay-tool-store.js";
import { postgresQuotaStore } from "./quota-store.js";
import { postgresRefundStore } from "./refund-store.js";
import { postgresServiceStore } from "./service-store.js";
import { postgresServiceTypeStore } from "./service-type-store.js";
import { postgresSessionStore } from "./session-store.js";
import type { OnUnreadable } from "./row-reader.js";
import type { SqlClient } from "./sql-client.js";

/** Where the stores keep what they hold. */
export interface PostgresStorage {
  readonly sql: SqlClient;
  /** The schema the migrations were run in. */
  readonly schema: string;
  /** What wallet credentials are encrypted under, the current key first. */
  readonly credentialKeys: readonly CredentialKey[];
  /** How calls made at the same time share statements; `{ atMost: 1 }` gives each its own, as a Citus cluster needs it. */
  readonly grouping?: Grouping;
  /**
   * Is called with each row that a list, or a claim of due work, leaves out because it cannot be
   * read. By default the process is warned, once for each row.
   */
  readonly onUnreadable?: OnUnreadable;
}

/** Every storage port on PostgreSQL. Run `migrate` first. Throws on unusable keys. */
export function postgresStores({
  sql,
  schema,
  credentialKeys,
  grouping,
  onUnreadable,
}: PostgresStorage): Stores {
  return {
    apps: postgresAppStore(sql, schema, onUnreadable),
    payTools: postgresPayToolStore(sql, schema, credentialCipher(credentialKeys), grouping, onUnreadable),
    orders: postgresOrderStore(sql, schema, grouping, onUnreadable),
    refunds: postgresRefundStore(sql, schema, onUnreadable),
    billLines: postgresBillLineStore(sql, schema),
    billSettlements: postgresBillSettlementStore(sql, schema),
    billExceptions: postgresBillExceptionStore(sql, schema, onUnreadable),
    serviceTypes: postgresServiceTypeStore(sql, schema, onUnreadable),
    services: postgresServiceStore(sql, schema, onUnreadable),
    codes: postgresCodeStore(sql, schema, grouping),
    sessions: postgresSessionStore(sql, schema, grouping),
    quotas: postgresQuotaStore(sql, schema, grouping),
    downloads: postgresDownloadsSource(sql, schema),
    downloadsClients: postgresDownloadsClientStore(sql, schema, onUnreadable),
  };
}
