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
export { HOSTILE_TEXTS, type HostileRequest, hostileRequests } from "./support/http/hostile.js";
export type { TestNotification, TestHost, TestSmsSender, TestWallet } from "./support/http/test-host.js";
export { type SmsHarness, smsSenderContract } from "./suites/ports/sms-sender.js";
export {
  type FaultyCall,
  type FaultKind,
  walletContract,
  type WalletContractOptions,
  type WalletHarness,
} from "./suites/ports/wallet.js";
export { walletBillContract, type WalletBillHarness } from "./suites/ports/wallet-bills.js";
export { accessTokenStoreContract } from "./suites/ports/access-token-store.js";
export { alertStoreContract } from "./suites/ports/alert-store.js";
export { figuresStoreContract } from "./suites/ports/figures-store.js";
export { type OpenedReadiness, readinessStoreContract } from "./suites/ports/readiness-store.js";
export { appStoreContract } from "./suites/ports/app-store.js";
export { auditedChangesContract } from "./suites/ports/audited-changes.js";
export { orderSearchContract } from "./suites/ports/order-search.js";
export { auditLogContract } from "./suites/ports/audit-log.js";
export { operatorSessionStoreContract } from "./suites/ports/operator-session-store.js";
export { operatorStoreContract } from "./suites/ports/operator-store.js";
export { signInAttemptStoreContract } from "./suites/ports/sign-in-attempt-store.js";
export { billExceptionStoreContract } from "./suites/ports/bill-exception-store.js";
export { billLineStoreContract } from "./suites/ports/bill-line-store.js";
export { keptBillStoreContract } from "./suites/ports/kept-bill-store.js";
export { billReconciliationContract } from "./suites/ports/bill-reconciliation.js";
export { billSettlementStoreContract } from "./suites/ports/bill-settlement-store.js";
export { codeStoreContract } from "./suites/ports/code-store.js";
export { customerDataStoreContract } from "./suites/ports/customer-data-store.js";
export { downloadsClientStoreContract } from "./suites/ports/downloads-client-store.js";
export { downloadsRegistryContract } from "./suites/ports/downloads-registry.js";
export { downloadsSourceContract } from "./suites/ports/downloads-source.js";
export { eventDeliveryStoreContract } from "./suites/ports/event-delivery-store.js";
export { orderStoreContract } from "./suites/ports/order-store.js";
export {
  type CredentialsAtRest,
  type OpenedPayTools,
  payToolStoreContract,
} from "./suites/ports/pay-tool-store.js";
export { quotaStoreContract } from "./suites/ports/quota-store.js";
export { refundApprovalStoreContract } from "./suites/ports/refund-approval-store.js";
export {
  anApproval,
  aRefundApproval,
  aRejection,
  decisionEntry,
  requestApproval,
} from "./support/refund-approval-fixture.js";
export { refundStoreContract } from "./suites/ports/refund-store.js";
export { serviceStoreContract } from "./suites/ports/service-store.js";
export { serviceTypeStoreContract } from "./suites/ports/service-type-store.js";
export { sessionStoreContract } from "./suites/ports/session-store.js";
export { type Contended, type SharedStorage, sharedStorageContract } from "./suites/ports/shared-storage.js";
export { type OpenedStores, storesContract } from "./suites/ports/stores.js";
export {
  type Misconfiguration,
  type MisconfigurableStores,
  misconfiguredStorageContract,
} from "./suites/ports/misconfigured-storage.js";
export { type DamageableStores, unreadableRowsContract } from "./suites/ports/unreadable-rows.js";
