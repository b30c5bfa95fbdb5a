/** Calls to a wallet that Tillkit emits to the observer. */
export type WalletCall =
  | "prepare"
  | "query"
  | "close"
  | "refund"
  | "queryRefund"
  | "applyAbnormalRefund"
  | "readBill"
  | "readFundFlow"
  | "requestAccessToken"
  | "reportShipment";
