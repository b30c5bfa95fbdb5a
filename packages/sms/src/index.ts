export { failover } from "./failover.js";
export { receiptsSurface, type ReceiptsOptions } from "./receipts/receipts-surface.js";
