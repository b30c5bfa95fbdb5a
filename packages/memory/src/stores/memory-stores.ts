import type { Stores } from "@tillkit/core";
import { memoryKeptBillStore } from "../bills/kept-bill-store.js";
import { memoryAccessTokenStore } from "../wallets/access-token-store.js";
import { memoryAlertStore } from "../alerts/alert-store.js";
import { memoryFiguresStore } from "../figures/figures-store.js";
import { memoryAppStore } from "../apps/app-store.js";
import { memoryAuditLog } from "../audit/audit-log.js";
import { memoryBillExceptionStore } from "../bills/bill-exception-store.js";
import { memoryBillLineStore } from "../bills/bill-line-store.js";
import { memoryBillSettlementStore } from "../bills/bill-settlement-store.js";
import { memoryCodeStore } from "../sessions/code-store.js";
import { memoryCustomerDataStore } from "../customers/customer-data-store.js";
import { memoryDownloadsClientStore } from "../downloads/downloads-client-store.js";
import { memoryDownloadsSource } from "../downloads/downloads-source.js";
import { memoryEventDeliveryStore } from "../events/event-delivery-store.js";
import { memoryState, type MemoryState } from "../state/memory-state.js";
import { memoryOperatorSessionStore } from "../operators/operator-session-store.js";
import { memoryOperatorStore } from "../operators/operator-store.js";
import { memoryOrderSearch } from "../orders/order-search.js";
import { memoryOrderStore } from "../orders/order-store.js";
import { memoryPayToolStore } from "../pay-tools/pay-tool-store.js";
import { memoryQuotaStore } from "../quotas/quota-store.js";
import { memoryReadinessStore } from "../readiness/readiness-store.js";
import { memoryRefundApprovalStore } from "../refund-approvals/refund-approval-store.js";
import { memoryRefundStore } from "../refunds/refund-store.js";
import { memoryServiceStore } from "../services/service-store.js";
import { memoryServiceTypeStore } from "../services/service-type-store.js";
import { memorySessionStore } from "../sessions/session-store.js";
import { memorySignInAttemptStore } from "../operators/sign-in-attempt-store.js";

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
