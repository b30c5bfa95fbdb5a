import { cents, shanghaiTime, yuan } from "./wire.js";

/** The members of the result in a response. */
export type ResultHeader = Readonly<Record<string, unknown>>;

interface Trade {
  readonly terms: string;
  readonly outTradeNo: string;
  readonly tradeNo: string;
  readonly amount: number;
  readonly subject: string;
  readonly expiresAt: string;
  paidAt?: string;
  closed: boolean;
  readonly refunds: Map<string, number>;
}

/** Receives the facts of each notification. */
export type Notify = (facts: Readonly<Record<string, string>>) => void;

/** The trades of one seller at the test server. */
export interface Trades {
  /** Returns the response of an API method. */
  answer(method: string, content: ReadonlyMap<string, string>): ResultHeader;
  /** Returns the order of a payment code. */
  scanned(code: string): ReadonlyMap<string, string> | undefined;
  /** Returns the order of a trade that the merchant created. */
  created(tradeNo: string): ReadonlyMap<string, string> | undefined;
  /** Opens an order as a customer. The trade exists from then on. */
  open(content: ReadonlyMap<string, string>): boolean;
  pay(outTradeNo: string): boolean;
  readonly balance: () => number;
}

const OK = { code: "10000", msg: "Success" };

/** Returns a refusal of a business request. */
export function businessRefusal(subCode: string): ResultHeader {
  return { code: "40004", msg: "Business Failed", sub_code: subCode, sub_msg: "业务失败/说明" };
}

/** Creates the trades of a seller without orders. */
export function openTrades(now: () => number, notify: Notify): Trades {
  const trades = new Map<string, Trade>();
  const codes = new Map<string, ReadonlyMap<string, string>>();
  const precreated = new Map<string, string>();
  let made = 0;

  const contents = new Map<string, ReadonlyMap<string, string>>();
  const termsOf = (content: ReadonlyMap<string, string>) => JSON.stringify([...content].sort());
  const refunded = ({ refunds }: Trade) => [...refunds.values()].reduce((sum, one) => sum + one, 0);
  const statusOf = (trade: Trade) => {
    if (trade.paidAt !== undefined)
      return refunded(trade) === trade.amount ? "TRADE_CLOSED" : "TRADE_SUCCESS";
    return trade.closed || shanghaiTime(now()) >= trade.expiresAt ? "TRADE_CLOSED" : "WAIT_BUYER_PAY";
  };

  function sendNotification(trade: Trade, more: Readonly<Record<string, string>> = {}): void {
    notify({
      out_trade_no: trade.outTradeNo,
      trade_no: trade.tradeNo,
      trade_status: statusOf(trade),
      subject: trade.subject,
      total_amount: yuan(trade.amount),
      ...(trade.paidAt === undefined ? {} : { gmt_payment: trade.paidAt }),
      ...more,
    });
  }

  const methods: Readonly<
    Record<string, (content: ReadonlyMap<string, string>, outTradeNo: string) => ResultHeader>
  > = {
    "alipay.trade.precreate": (content, outTradeNo) => {
      const trade = trades.get(outTradeNo);
      if (trade?.paidAt !== undefined) return businessRefusal("ACQ.TRADE_HAS_SUCCESS");
      if (trade !== undefined && statusOf(trade) === "TRADE_CLOSED")
        return businessRefusal("ACQ.TRADE_HAS_CLOSE");
      const known = precreated.get(outTradeNo) ?? termsOf(content);
      if (known !== termsOf(content)) return businessRefusal("ACQ.CONTEXT_INCONSISTENT");
      precreated.set(outTradeNo, known);
      made += 1;
      const qr_code = `https://qr.alipay.com/bax${String(made)}`;
      codes.set(qr_code, content);
      return { ...OK, out_trade_no: outTradeNo, qr_code };
    },
    "alipay.trade.create": (content, outTradeNo) => {
      const trade = trades.get(outTradeNo);
      if (trade?.paidAt !== undefined) return businessRefusal("ACQ.TRADE_HAS_SUCCESS");
      if (trade !== undefined && statusOf(trade) === "TRADE_CLOSED")
        return businessRefusal("ACQ.TRADE_HAS_CLOSE");
      const buyer = [content.get("buyer_id"), content.get("buyer_open_id")].filter((id) => id !== undefined);
      const isUserId = /^2088\d{12}$/.test(content.get("buyer_id") ?? "");
      if (buyer.length !== 1 || isUserId !== content.has("buyer_id"))
        return businessRefusal("ACQ.INVALID_PARAMETER");
      if (content.get("product_code") !== "JSAPI_PAY" || !content.has("op_app_id"))
        return businessRefusal("ACQ.INVALID_PARAMETER");
      if (trade === undefined && !open(content)) return businessRefusal("ACQ.INVALID_PARAMETER");
      const known = trades.get(outTradeNo);
      if (known === undefined || known.terms !== termsOf(content))
        return businessRefusal("ACQ.CONTEXT_INCONSISTENT");
      contents.set(known.tradeNo, content);
      return { ...OK, out_trade_no: outTradeNo, trade_no: known.tradeNo };
    },
    "alipay.trade.query": (_content, outTradeNo) => {
      const trade = trades.get(outTradeNo);
      if (trade === undefined) return businessRefusal("ACQ.TRADE_NOT_EXIST");
      return {
        ...OK,
        buyer_logon_id: "159****5620",
        out_trade_no: outTradeNo,
        trade_no: trade.tradeNo,
        trade_status: statusOf(trade),
        total_amount: yuan(trade.amount),
        ...(trade.paidAt === undefined ? {} : { send_pay_date: trade.paidAt }),
      };
    },
    "alipay.trade.close": (_content, outTradeNo) => {
      const trade = trades.get(outTradeNo);
      if (trade === undefined) return businessRefusal("ACQ.TRADE_NOT_EXIST");
      if (statusOf(trade) !== "WAIT_BUYER_PAY") return businessRefusal("ACQ.REASON_TRADE_STATUS_INVALID");
      trade.closed = true;
      return { ...OK, out_trade_no: outTradeNo, trade_no: trade.tradeNo };
    },
    "alipay.trade.refund": (content, outTradeNo) => {
      const trade = trades.get(outTradeNo);
      const number = content.get("out_request_no") ?? outTradeNo;
      const amount = cents(content.get("refund_amount"));
      if (trade === undefined) return businessRefusal("ACQ.TRADE_NOT_EXIST");
      if (trade.paidAt === undefined) return businessRefusal("ACQ.TRADE_STATUS_ERROR");
      const before = trade.refunds.get(number);
      if (before !== undefined && before !== amount) return businessRefusal("ACQ.DISCORDANT_REPEAT_REQUEST");
      if (before === undefined && refunded(trade) + amount > trade.amount)
        return businessRefusal("ACQ.REFUND_AMT_NOT_EQUAL_TOTAL");
      trade.refunds.set(number, amount);
      const refund_fee = yuan(refunded(trade));
      if (before === undefined)
        sendNotification(trade, { out_biz_no: number, refund_fee, gmt_refund: `${shanghaiTime(now())}.319` });
      return { ...OK, out_trade_no: outTradeNo, fund_change: before === undefined ? "Y" : "N", refund_fee };
    },
    "alipay.trade.fastpay.refund.query": (content, outTradeNo) => {
      const trade = trades.get(outTradeNo);
      const number = content.get("out_request_no") ?? "";
      const amount = trade?.refunds.get(number);
      if (trade === undefined) return businessRefusal("ACQ.TRADE_NOT_EXIST");
      if (amount === undefined) return OK;
      const options = content.get("query_options") ?? "";
      return {
        ...OK,
        out_trade_no: outTradeNo,
        out_request_no: number,
        refund_amount: yuan(amount),
        total_amount: yuan(trade.amount),
        refund_status: "REFUND_SUCCESS",
        ...(options.includes("gmt_refund_pay") ? { gmt_refund_pay: shanghaiTime(now()) } : {}),
      };
    },
  };

  function open(content: ReadonlyMap<string, string>): boolean {
    const outTradeNo = content.get("out_trade_no") ?? "";
    const expiresAt = content.get("time_expire") ?? "";
    const known = trades.get(outTradeNo);
    if (known !== undefined) return known.terms === termsOf(content) && statusOf(known) === "WAIT_BUYER_PAY";
    if (shanghaiTime(now()) >= expiresAt) return false;
    made += 1;
    const tradeNo = `20261121220014${String(made).padStart(14, "0")}`;
    const amount = cents(content.get("total_amount"));
    const subject = content.get("subject") ?? "";
    const trade = { terms: termsOf(content), outTradeNo, tradeNo, amount, subject, expiresAt };
    trades.set(outTradeNo, { ...trade, closed: false, refunds: new Map() });
    return true;
  }

  return {
    answer: (method, content) => {
      const run = methods[method];
      if (run === undefined)
        return { code: "40002", msg: "Invalid Arguments", sub_code: "isv.invalid-method" };
      return run(content, content.get("out_trade_no") ?? "");
    },
    scanned: (code) => codes.get(code),
    created: (tradeNo) => contents.get(tradeNo),
    open,
    pay: (outTradeNo) => {
      const trade = trades.get(outTradeNo);
      if (trade === undefined || statusOf(trade) !== "WAIT_BUYER_PAY") return false;
      trade.paidAt = shanghaiTime(now());
      sendNotification(trade);
      return true;
    },
    balance: () =>
      [...trades.values()]
        .filter(({ paidAt }) => paidAt !== undefined)
        .reduce((sum, trade) => sum + trade.amount - refunded(trade), 0),
  };
}
