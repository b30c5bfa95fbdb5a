import type { Stores } from "@tillkit/core";
import type { ReadinessStore } from "@tillkit/core/ports";
import type { Opened } from "../../../support/open-before-each.js";
import { accessTokenStoreContract } from "../wallets/access-token-store.js";
import { alertStoreContract } from "../alerts/alert-store.js";
import { figuresStoreContract } from "../figures/figures-store.js";
import { appStoreContract } from "../apps/app-store.js";
import { auditLogContract } from "../audit/audit-log.js";
import { auditedChangesContract } from "../audit/audited-changes.js";
import { billReconciliationContract } from "../bills/bill-reconciliation.js";
import { billExceptionStoreContract } from "../bills/bill-exception-store.js";
import { billLineStoreContract } from "../bills/bill-line-store.js";
import { billSettlementStoreContract } from "../bills/bill-settlement-store.js";
import { codeStoreContract } from "../sessions/code-store.js";
import { downloadsClientStoreContract } from "../downloads/downloads-client-store.js";
import { downloadsRegistryContract } from "../downloads/downloads-registry.js";
import { downloadsSourceContract } from "../downloads/downloads-source.js";
import { eventDeliveryStoreContract } from "../events/event-delivery-store.js";
import { isolationContract } from "./isolation.js";
import { keptBillStoreContract } from "../bills/kept-bill-store.js";
import { operatorSessionStoreContract } from "../operators/operator-session-store.js";
import { operatorStoreContract } from "../operators/operator-store.js";
import { orderSearchContract } from "../orders/order-search.js";
import { orderStoreContract } from "../orders/order-store.js";
import { customerDataStoreContract } from "../customers/customer-data-store.js";
import { concurrentResultsContract } from "./concurrent-results.js";
import { type OpenedPayTools, payToolStoreContract } from "../pay-tools/pay-tool-store.js";
import { quotaStoreContract } from "../quotas/quota-store.js";
import { readinessStoreContract } from "../readiness/readiness-store.js";
import { refundApprovalStoreContract } from "../refund-approvals/refund-approval-store.js";
import { refundStoreContract } from "../refunds/refund-store.js";
import { serviceStoreContract } from "../services/service-store.js";
import { serviceTypeStoreContract } from "../services/service-type-store.js";
import { sessionStoreContract } from "../sessions/session-store.js";
import { signInAttemptStoreContract } from "../operators/sign-in-attempt-store.js";

/** The stores that were opened for one test, with access to their stored credentials. */
export interface OpenedStores extends Opened<Stores> {
  /** For a storage that ends with the process, the reason why it does not encrypt credentials. */
  readonly credentialsAtRest: OpenedPayTools["credentialsAtRest"];
  /** The readiness store over a storage that refuses writes. */
  readonly readOnly: ReadinessStore;
}

/**
 * Tests the requirements of all stores. `open` returns empty stores over one storage per test.
 *
 * @example
 * ```ts
 * import { storesContract } from "@tillkit/contract-tests";
 * import { memoryState, memoryStores } from "@tillkit/memory";
 *
 * const FROZEN = Object.freeze({ writtenAt: 0 });
 * storesContract("memory", async () => ({
 *   port: memoryStores(),
 *   credentialsAtRest: "the process keeps them in memory only",
 *   readOnly: memoryStores({ ...memoryState(), readiness: FROZEN }).readiness,
 *   close: async () => {},
 * }));
 * ```
 */
export function storesContract(adapter: string, open: () => Promise<OpenedStores>): void {
  const only =
    <K extends keyof Stores>(name: K) =>
    async (): Promise<Opened<Stores[K]>> => {
      const opened = await open();
      return { port: opened.port[name], close: () => opened.close() };
    };
  appStoreContract(adapter, only("apps"));
  payToolStoreContract(adapter, async () => {
    const { port, ...opened } = await open();
    return { ...opened, port: port.payTools };
  });
  orderStoreContract(adapter, open);
  orderSearchContract(adapter, open);
  refundStoreContract(adapter, open);
  refundApprovalStoreContract(adapter, open);
  billLineStoreContract(adapter, only("billLines"));
  billSettlementStoreContract(adapter, only("billSettlements"));
  keptBillStoreContract(adapter, only("keptBills"));
  billExceptionStoreContract(adapter, only("billExceptions"));
  billReconciliationContract(adapter, open);
  serviceTypeStoreContract(adapter, only("serviceTypes"));
  serviceStoreContract(adapter, open);
  codeStoreContract(adapter, only("codes"));
  sessionStoreContract(adapter, only("sessions"));
  customerDataStoreContract(adapter, open);
  quotaStoreContract(adapter, only("quotas"));
  downloadsSourceContract(adapter, open);
  downloadsRegistryContract(adapter, open);
  downloadsClientStoreContract(adapter, open);
  eventDeliveryStoreContract(adapter, open);
  auditLogContract(adapter, only("auditLog"));
  auditedChangesContract(adapter, open);
  operatorStoreContract(adapter, open);
  operatorSessionStoreContract(adapter, open);
  signInAttemptStoreContract(adapter, only("signInAttempts"));
  alertStoreContract(adapter, only("alerts"));
  figuresStoreContract(adapter, only("figures"));
  accessTokenStoreContract(adapter, only("accessTokens"));
  readinessStoreContract(adapter, async () => {
    const { port, ...opened } = await open();
    return { ...opened, port: port.readiness };
  });
  isolationContract(adapter, open);
  concurrentResultsContract(adapter, open);
}
