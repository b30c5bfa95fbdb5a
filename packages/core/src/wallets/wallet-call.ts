/** The calls to a wallet that the observer is told of. */
export type WalletCall =
  | "prepare"
  | "query"
  | "close"
  | "refund"
  | "queryRefund"
  | "applyAbnormalRefund"
  | "readBill"
  | "readFundFlow";
