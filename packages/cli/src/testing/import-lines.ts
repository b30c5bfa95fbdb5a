/** The time of the lines, epoch milliseconds. */
export const LINE_TIME = 1_750_000_000_000;

/** Returns the line of a PAID order in the form of an export. Its `bizNo` sorts by `number`. */
export function aLine(number: number, changes: Readonly<Record<string, unknown>> = {}): string {
  const members = {
    appId: "old",
    bizNo: `b-${String(number).padStart(6, "0")}`,
    id: `w-${number}`,
    customerIdentity: `user-${number % 7}`,
    amount: 600,
    goodsTitle: "会员月卡",
    payChannel: "WALLET_A",
    paySource: "APP",
    paymentStatus: "PAID",
    attachData: '{"sku": 1}',
    sourceFrom: "huawei",
    pmtDt: LINE_TIME + 1,
    walletTradeNo: "420000",
    refundedAmount: 0,
    gmtCreate: LINE_TIME,
    gmtModified: LINE_TIME + 2,
  };
  return JSON.stringify({ ...members, ...changes });
}
