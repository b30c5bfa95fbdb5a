export { memoryAppStore } from "./apps/app-store.js";
export { memoryBillExceptionStore } from "./bills/bill-exception-store.js";
export { memoryBillLineStore } from "./bills/bill-line-store.js";
export { memoryKeptBillStore } from "./bills/kept-bill-store.js";
export { memoryBillSettlementStore } from "./bills/bill-settlement-store.js";
export { memoryCodeStore } from "./sessions/code-store.js";
export { memoryDownloadsClientStore } from "./downloads/downloads-client-store.js";
export { memoryDownloadsSource } from "./downloads/downloads-source.js";
export { memoryEventDeliveryStore } from "./events/event-delivery-store.js";
export { EXAMPLE_PEPPER, exampleDigest } from "./state/example-digest.js";
export { memoryPorts, type MemoryPorts } from "./ports/memory-ports.js";
export {
  type StoredBillLine,
  type StoredBillRun,
  type StoredCodes,
  type StoredDelivery,
  type StoredOrder,
  type StoredQuota,
  type StoredService,
  memoryState,
  type MemoryState,
} from "./state/memory-state.js";
export { memoryStores } from "./stores/memory-stores.js";
export { memoryWallet, type MemoryWallet, type WalletCall } from "./wallets/memory-wallet.js";
export { memoryOrderStore } from "./orders/order-store.js";
export { memoryPayToolStore } from "./pay-tools/pay-tool-store.js";
export { memoryQuotaStore } from "./quotas/quota-store.js";
export { recordingSmsSender, type RecordingSmsSender } from "./sessions/recording-sms-sender.js";
export { memoryRefundStore } from "./refunds/refund-store.js";
export { memoryServiceStore } from "./services/service-store.js";
export { memoryServiceTypeStore } from "./services/service-type-store.js";
export { memorySessionStore } from "./sessions/session-store.js";
export { testClock, type TestClock } from "./ports/test-clock.js";
export type { SignedNotification } from "./wallets/notification-writer.js";
export { aShop } from "./shop/a-shop.js";
export type { FaultableMethod, FaultablePort, FaultablePorts, PortFailure } from "./shop/faultable-ports.js";
export type { FaultOptions, HeldCall, PortFaults } from "./shop/port-faults.js";
export type { Shop, ShopOptions, ShopPorts } from "./shop/shop.js";
export type { FalseNotification, OrderOfShop, ShopWallet } from "./shop/shop-wallet.js";
