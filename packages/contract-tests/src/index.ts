export { anAuditEntry, anOperatorAccount, anOperatorSession } from "./support/operator-fixtures.js";
export {
  aBillLine,
  aKeptBill,
  aKeptBillLine,
  aClient,
  aClosure,
  aCode,
  tryLimits,
  aConfirmation,
  anAdoption,
  aWithdrawal,
  aCount,
  aComparedBill,
  aFoundException,
  aFullOrder,
  aHash,
  aKeyedHash,
  anAccount,
  anAlarm,
  anApp,
  anEntry,
  anId,
  anOrder,
  aPayment,
  aRefund,
  aSecret,
  aServiceType,
  aSession,
  aSendClaim,
  aSettlement,
  aSettlementEntry,
  FIXTURE_TIME,
  UNUSUAL_TEXT,
  DAY,
  MINUTE,
  CONCURRENT_CALLERS,
  sha256,
  unique,
} from "./support/fixtures.js";
export { manyCases } from "./support/many-cases.js";
export { caseCount, type CaseCounts } from "./support/case-count.js";
export { expectFailure, expectOk, type Opened, openBeforeEach, race } from "./support/open-before-each.js";
export { bindingContract } from "./suites/http/binding.js";
export type { BindingOptions, OpenBinding } from "./support/http/open-binding.js";
export { http2BindingContract } from "./suites/http/binding-http2.js";
export { http2MessagesContract } from "./suites/http/http2-messages.js";
export { apiContract } from "./suites/http/api.js";
export { messagesContract } from "./suites/http/messages.js";
export type { ReplyCheck, ServiceExchange, SurfaceName } from "./support/http/checked-surface.js";
export { type PumpingOptions, smsPumpingContract } from "./suites/http/sms-pumping.js";
export { requestFormsContract } from "./suites/http/request-forms.js";
export { listen, type Listening, listenHttp2 } from "./support/http/listen.js";
export { HOSTILE_TEXTS, type HostileRequest, hostileRequests } from "./support/http/hostile-requests.js";
export type { TestNotification, TestHost, TestSmsSender, TestWallet } from "./support/http/test-host.js";
export { type SmsHarness, smsSenderContract } from "./suites/ports/sessions/sms-sender.js";
export {
  type FaultyCall,
  type FaultKind,
  walletContract,
  type WalletContractOptions,
  type WalletHarness,
} from "./suites/ports/wallets/wallet.js";
export { walletBillContract, type WalletBillHarness } from "./suites/ports/wallets/wallet-bills.js";
export { accessTokenStoreContract } from "./suites/ports/wallets/access-token-store.js";
export { alertStoreContract } from "./suites/ports/alerts/alert-store.js";
export { figuresStoreContract } from "./suites/ports/figures/figures-store.js";
export { type OpenedReadiness, readinessStoreContract } from "./suites/ports/readiness/readiness-store.js";
export { appStoreContract } from "./suites/ports/apps/app-store.js";
export { auditedChangesContract } from "./suites/ports/audit/audited-changes.js";
export { orderSearchContract } from "./suites/ports/orders/order-search.js";
export { auditLogContract } from "./suites/ports/audit/audit-log.js";
export { operatorSessionStoreContract } from "./suites/ports/operators/operator-session-store.js";
export { operatorStoreContract } from "./suites/ports/operators/operator-store.js";
export { signInAttemptStoreContract } from "./suites/ports/operators/sign-in-attempt-store.js";
export { billExceptionStoreContract } from "./suites/ports/bills/bill-exception-store.js";
export { billLineStoreContract } from "./suites/ports/bills/bill-line-store.js";
export { keptBillStoreContract } from "./suites/ports/bills/kept-bill-store.js";
export { billReconciliationContract } from "./suites/ports/bills/bill-reconciliation.js";
export { billSettlementStoreContract } from "./suites/ports/bills/bill-settlement-store.js";
export { codeStoreContract } from "./suites/ports/sessions/code-store.js";
export { customerDataStoreContract } from "./suites/ports/customers/customer-data-store.js";
export { downloadsClientStoreContract } from "./suites/ports/downloads/downloads-client-store.js";
export { downloadsRegistryContract } from "./suites/ports/downloads/downloads-registry.js";
export { downloadsSourceContract } from "./suites/ports/downloads/downloads-source.js";
export { eventDeliveryStoreContract } from "./suites/ports/events/event-delivery-store.js";
export { orderStoreContract } from "./suites/ports/orders/order-store.js";
export {
  type CredentialsAtRest,
  type OpenedPayTools,
  payToolStoreContract,
} from "./suites/ports/pay-tools/pay-tool-store.js";
export { quotaStoreContract } from "./suites/ports/quotas/quota-store.js";
export { refundApprovalStoreContract } from "./suites/ports/refund-approvals/refund-approval-store.js";
export {
  anApproval,
  aRefundApproval,
  aRejection,
  decisionEntry,
  requestApproval,
} from "./support/refund-approval-fixture.js";
export { refundStoreContract } from "./suites/ports/refunds/refund-store.js";
export { serviceStoreContract } from "./suites/ports/services/service-store.js";
export { serviceTypeStoreContract } from "./suites/ports/services/service-type-store.js";
export { sessionStoreContract } from "./suites/ports/sessions/session-store.js";
export {
  type Contended,
  type SharedStorage,
  sharedStorageContract,
} from "./suites/ports/stores/shared-storage.js";
export { type OpenedStores, storesContract } from "./suites/ports/stores/stores.js";
export {
  type Misconfiguration,
  type MisconfigurableStores,
  misconfiguredStorageContract,
} from "./suites/ports/stores/misconfigured-storage.js";
export { type DamageableStores, unreadableRowsContract } from "./suites/ports/stores/unreadable-rows.js";
