export { memoryAppStore } from "./app-store.js";
export { memoryBillExceptionStore } from "./bill-exception-store.js";
export { memoryBillLineStore } from "./bill-line-store.js";
export { memoryKeptBillStore } from "./kept-bill-store.js";
export { memoryBillSettlementStore } from "./bill-settlement-store.js";
export { memoryCodeStore } from "./code-store.js";
export { memoryDownloadsClientStore } from "./downloads-client-store.js";
export { memoryDownloadsSource } from "./downloads-source.js";
export { memoryEventDeliveryStore } from "./event-delivery-store.js";
export { EXAMPLE_PEPPER, exampleDigest } from "./example-digest.js";
export { memoryPorts, type MemoryPorts } from "./memory-ports.js";
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
} from "./memory-state.js";
export { memoryStores } from "./memory-stores.js";
export { memoryWallet, type MemoryWallet, type WalletCall } from "./memory-wallet.js";
export { memoryOrderStore } from "./order-store.js";
export { memoryPayToolStore } from "./pay-tool-store.js";
export { memoryQuotaStore } from "./quota-store.js";
export { recordingSmsSender, type RecordingSmsSender } from "./recording-sms-sender.js";
export { memoryRefundStore } from "./refund-store.js";
export { memoryServiceStore } from "./service-store.js";
export { memoryServiceTypeStore } from "./service-type-store.js";
export { memorySessionStore } from "./session-store.js";
export { testClock, type TestClock } from "./test-clock.js";
export type { SignedNotification } from "./notification-writer.js";
export { aShop } from "./shop/a-shop.js";
export type { FaultableMethod, FaultablePort, FaultablePorts, PortFailure } from "./shop/faultable-ports.js";
export type { FaultOptions, HeldCall, PortFaults } from "./shop/port-faults.js";
export type { Shop, ShopOptions, ShopPorts } from "./shop/shop.js";
export type { FalseNotification, OrderOfShop, ShopWallet } from "./shop/shop-wallet.js";
