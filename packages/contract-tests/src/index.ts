export {
  aBillLine,
  aClient,
  aClosure,
  aCode,
  aConfirmation,
  aCount,
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
  aSettlement,
  aSettlementEntry,
  AT,
  AWKWARD,
  DAY,
  MINUTE,
  RACERS,
  sha256,
  unique,
} from "./fixtures.js";
export { expectFailure, expectOk, type Opened, opening, race } from "./opening.js";
export { bindingContract, type BindingOptions, type OpenBinding } from "./http/binding.js";
export { apiContract } from "./http/api.js";
export { listen, type Listening } from "./http/listen.js";
export { HOSTILE_TEXTS, type HostileRequest, hostileRequests } from "./http/hostile.js";
export type { SignedNotification, TestHost, TestSmsSender, TestWallet } from "./http/test-host.js";
export { type SmsStage, smsSenderContract } from "./ports/sms-sender.js";
export {
  type SpoiltCall,
  type SpoiltHow,
  walletContract,
  type WalletContractOptions,
  type WalletStage,
} from "./ports/wallet.js";
export { walletBillContract, type WalletBillStage } from "./ports/wallet-bills.js";
export { appStoreContract } from "./ports/app-store.js";
export { billExceptionStoreContract } from "./ports/bill-exception-store.js";
export { billLineStoreContract } from "./ports/bill-line-store.js";
export { billReconciliationContract } from "./ports/bill-reconciliation.js";
export { billSettlementStoreContract } from "./ports/bill-settlement-store.js";
export { codeStoreContract } from "./ports/code-store.js";
export { downloadsClientStoreContract } from "./ports/downloads-client-store.js";
export { downloadsSourceContract } from "./ports/downloads-source.js";
export { orderStoreContract } from "./ports/order-store.js";
export { type CredentialsAtRest, type OpenedPayTools, payToolStoreContract } from "./ports/pay-tool-store.js";
export { quotaStoreContract } from "./ports/quota-store.js";
export { refundStoreContract } from "./ports/refund-store.js";
export { serviceStoreContract } from "./ports/service-store.js";
export { serviceTypeStoreContract } from "./ports/service-type-store.js";
export { sessionStoreContract } from "./ports/session-store.js";
export { type Contended, type SharedStorage, sharedStorageContract } from "./ports/shared-storage.js";
export { type OpenedStores, storesContract } from "./ports/stores.js";
export { type DamageableStores, unreadableRowsContract } from "./ports/unreadable-rows.js";
