/** The names of calls to a wallet, in the event `wallet.called`. */
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
