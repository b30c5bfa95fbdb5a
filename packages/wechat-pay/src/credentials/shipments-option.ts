import { err, ok, type Result } from "neverthrow";
import { credentialProblem, type WechatPayCredentialProblem } from "./credential-problem.js";

/** How the customer gets the goods, and the `logistics_type` of WeChat for it. */
const LOGISTICS_TYPES = { VIRTUAL: 3, PICKUP: 4, SAME_CITY: 2 } as const;

/** How the deliveries of a pay tool are reported. */
export interface ShipmentsOption {
  readonly logisticsType: (typeof LOGISTICS_TYPES)[keyof typeof LOGISTICS_TYPES];
}

/**
 * Parses the option `shipments` and checks `appSecret`.
 *
 * @returns the option, or `undefined` if deliveries are not reported. The secret alone switches
 *   nothing on, so that an operator can switch reports off and keep the secret.
 */
export function shipmentsOption(
  { shipments, appSecret }: Readonly<Record<string, string>>,
  hasOtherSecret = false,
): Result<ShipmentsOption | undefined, readonly WechatPayCredentialProblem[]> {
  const name = shipments?.trim();
  const kind = isKind(name) ? name : undefined;
  const problems = [
    name === undefined || kind !== undefined ? [] : [NOT_A_KIND],
    appSecret === undefined || isAppSecret(appSecret) ? [] : [NOT_A_SECRET],
    kind !== undefined && appSecret === undefined && !hasOtherSecret ? [NO_SECRET] : [],
  ].flat();
  if (problems.length > 0) return err(problems);
  return ok(kind === undefined ? undefined : { logisticsType: LOGISTICS_TYPES[kind] });
}

function isKind(name: string | undefined): name is keyof typeof LOGISTICS_TYPES {
  return name !== undefined && Object.hasOwn(LOGISTICS_TYPES, name);
}

function isAppSecret(text: string): boolean {
  return /^[0-9A-Za-z]{32}$/.test(text);
}

const KINDS = Object.keys(LOGISTICS_TYPES);

const NOT_A_KIND = credentialProblem("shipments", {
  code: "malformed",
  en: `is not ${KINDS.join(", ")}; remove it if deliveries must not be reported`,
  zh: `不是 ${KINDS.join("、")} 之一，如无需上报发货信息请移除`,
});

const NOT_A_SECRET = credentialProblem("appSecret", {
  code: "malformed",
  en: "is not 32 letters and digits; paste the AppSecret of the mini-program, not a key of WeChat Pay",
  zh: "不是 32 位字母和数字，请粘贴小程序的 AppSecret，而不是微信支付的密钥",
});

const NO_SECRET = credentialProblem("appSecret", {
  code: "missing",
  en: "is missing; shipments needs the AppSecret of the mini-program in walletAppId",
  zh: "缺失，启用 shipments 需要 walletAppId 对应小程序的 AppSecret",
});
