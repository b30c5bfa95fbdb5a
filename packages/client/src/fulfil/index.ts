export { createFulfiller } from "./create-fulfiller.js";
export { DEFAULT_SCHEDULE } from "./check-schedule.js";
export type {
  CheckedPurchases,
  Effect,
  EffectContext,
  Fulfiller,
  FulfillerOptions,
  FulfilmentCall,
  Verification,
} from "./fulfiller.js";
export type {
  FulfilmentStore,
  Purchase,
  PurchaseClaim,
  PurchaseOutcome,
  PurchaseStatus,
  StoredPurchase,
} from "./fulfilment-store.js";
export { memoryFulfilmentStore } from "./memory-fulfilment-store.js";
