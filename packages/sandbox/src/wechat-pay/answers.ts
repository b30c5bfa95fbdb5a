/** A response of WeChat Pay before it is signed. */
export interface WalletAAnswer {
  readonly status: number;
  /** JSON text; empty for 204. */
  readonly body: string;
}

/** The field that is wrong, the problem, and where the field is. */
export interface WalletADetail {
  readonly field: string;
  readonly issue: string;
  readonly location: "authorization" | "body" | "query" | "header";
}

/** Every error that the simulated WeChat Pay returns, with HTTP status and message of API v3. */
const ERRORS = {
  PARAM_ERROR: { status: 400, message: "参数错误" },
  INVALID_REQUEST: { status: 400, message: "请求参数符合参数格式，但不符合业务规则" },
  APPID_MCHID_NOT_MATCH: { status: 400, message: "appid和mch_id不匹配" },
  MCH_NOT_EXISTS: { status: 400, message: "商户号不存在" },
  ORDER_CLOSED: { status: 400, message: "订单已关闭" },
  ORDERPAID: { status: 400, message: "订单已支付" },
  NO_STATEMENT_EXIST: { status: 400, message: "账单文件不存在" },
  STATEMENT_CREATING: { status: 400, message: "账单生成中" },
  SIGN_ERROR: { status: 401, message: "签名错误" },
  OUT_TRADE_NO_USED: { status: 403, message: "商户订单号重复" },
  NO_AUTH: { status: 403, message: "商户无权限" },
  NOT_ENOUGH: { status: 403, message: "余额不足" },
  TRADE_ERROR: { status: 403, message: "交易错误" },
  ORDER_NOT_EXIST: { status: 404, message: "订单不存在" },
  RESOURCE_NOT_EXISTS: { status: 404, message: "资源不存在" },
  NOT_FOUND: { status: 404, message: "接口不存在" },
  FREQUENCY_LIMITED: { status: 429, message: "频率超限" },
  SYSTEM_ERROR: { status: 500, message: "系统错误" },
} as const satisfies Record<string, { readonly status: number; readonly message: string }>;

/** The code of an error, in the current spelling. */
export type WalletACode = keyof typeof ERRORS;

/** Codes that parts of WeChat Pay still spell without the underscores. */
const OLD_SPELLINGS: Partial<Record<WalletACode, string>> = {
  ORDER_CLOSED: "ORDERCLOSED",
  ORDER_NOT_EXIST: "ORDERNOTEXIST",
  NOT_ENOUGH: "NOTENOUGH",
  SYSTEM_ERROR: "SYSTEMERROR",
};

/** Writes an error response of WeChat Pay, in the current or the old spelling. */
export function refusalText(
  code: WalletACode,
  spelling: "old" | null,
  detail?: WalletADetail,
): WalletAAnswer {
  const { status, message } = ERRORS[code];
  const spelled = spelling === "old" ? (OLD_SPELLINGS[code] ?? code) : code;
  return {
    status,
    body: JSON.stringify({ code: spelled, message, ...(detail === undefined ? {} : { detail }) }),
  };
}

/** The reason why WeChat Pay refuses a call. */
export interface WalletARefusal {
  readonly code: WalletACode;
  readonly detail?: WalletADetail;
}
