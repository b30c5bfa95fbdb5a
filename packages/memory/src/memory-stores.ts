import type { Stores } from "@tillkit/core";
import { memoryKeptBillStore } from "./kept-bill-store.js";
import { memoryAccessTokenStore } from "./access-token-store.js";
import { memoryAlertStore } from "./alert-store.js";
import { memoryFiguresStore } from "./figures-store.js";
import { memoryAppStore } from "./app-store.js";
import { memoryAuditLog } from "./audit-log.js";
import { memoryBillExceptionStore } from "./bill-exception-store.js";
import { memoryBillLineStore } from "./bill-line-store.js";
import { memoryBillSettlementStore } from "./bill-settlement-store.js";
import { memoryCodeStore } from "./code-store.js";
import { memoryCustomerDataStore } from "./customer-data-store.js";
import { memoryDownloadsClientStore } from "./downloads-client-store.js";
import { memoryDownloadsSource } from "./downloads-source.js";
import { memoryEventDeliveryStore } from "./event-delivery-store.js";
import { memoryState, type MemoryState } from "./memory-state.js";
import { memoryOperatorSessionStore } from "./operator-session-store.js";
import { memoryOperatorStore } from "./operator-store.js";
import { memoryOrderSearch } from "./order-search.js";
import { memoryOrderStore } from "./order-store.js";
import { memoryPayToolStore } from "./pay-tool-store.js";
import { memoryQuotaStore } from "./quota-store.js";
import { memoryReadinessStore } from "./readiness-store.js";
import { memoryRefundApprovalStore } from "./refund-approval-store.js";
import { memoryRefundStore } from "./refund-store.js";
import { memoryServiceStore } from "./service-store.js";
import { memoryServiceTypeStore } from "./service-type-store.js";
import { memorySessionStore } from "./session-store.js";
import { memorySignInAttemptStore } from "./sign-in-attempt-store.js";

/**
 * Creates all stores in memory. The data is lost when the process ends.
 *
 * @param state The data of the stores. Defaults to empty data.
 * @returns the stores.
 * @example
 * ```ts
 * import { memoryStores } from "@tillkit/memory";
 *
 * const stores = memoryStores();
 * const app = await stores.apps.find("app_1");
 * ```
 */
export function memoryStores(state: MemoryState = memoryState()): Stores {
  return {
    apps: memoryAppStore(state),
    payTools: memoryPayToolStore(state),
    orders: memoryOrderStore(state),
    orderSearch: memoryOrderSearch(state),
    refunds: memoryRefundStore(state),
    refundApprovals: memoryRefundApprovalStore(state),
    billLines: memoryBillLineStore(state),
    keptBills: memoryKeptBillStore(state),
    billSettlements: memoryBillSettlementStore(state),
    billExceptions: memoryBillExceptionStore(state),
    serviceTypes: memoryServiceTypeStore(state),
    services: memoryServiceStore(state),
    codes: memoryCodeStore(state),
    sessions: memorySessionStore(state),
    customerData: memoryCustomerDataStore(state),
    quotas: memoryQuotaStore(state),
    downloads: memoryDownloadsSource(state),
    downloadsClients: memoryDownloadsClientStore(state),
    eventDeliveries: memoryEventDeliveryStore(state),
    operators: memoryOperatorStore(state),
    operatorSessions: memoryOperatorSessionStore(state),
    signInAttempts: memorySignInAttemptStore(state),
    auditLog: memoryAuditLog(state),
    alerts: memoryAlertStore(state),
    figures: memoryFiguresStore(state),
    accessTokens: memoryAccessTokenStore(state),
    readiness: memoryReadinessStore(state),
  };
}
