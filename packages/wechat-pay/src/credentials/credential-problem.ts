import type { AccountProblem, AccountProblemCode } from "@tillkit/core/ports";

/** The fields of the `credentials` of a WALLET_A account. */
export const CREDENTIAL_NAMES = [
  "merchantPrivateKey",
  "merchantSerialNo",
  "merchantCertificate",
  "apiV3Key",
  "platformKeys",
  "fundsAccount",
  "provider",
  "shipments",
  "appSecret",
] as const;

/** One problem with credentials, for an operator. Does not contain the value. */
export interface WechatPayCredentialProblem {
  /** `credentials` if the problem is an unknown field name. */
  readonly field: (typeof CREDENTIAL_NAMES)[number] | "credentials";
  readonly code: AccountProblemCode;
  /** What is wrong, and which value to provide instead. */
  readonly problem: string;
  /** The same in Chinese. */
  readonly problemZh: string;
}

/** What is wrong with a field, in two languages. The text follows the field's name. */
export interface ProblemText {
  readonly code: AccountProblemCode;
  readonly en: string;
  readonly zh: string;
}

/** Creates a problem of one field. */
export function credentialProblem(
  field: WechatPayCredentialProblem["field"],
  { code, en, zh }: ProblemText,
): WechatPayCredentialProblem {
  return { field, code, problem: en, problemZh: zh };
}

/** Returns a problem as the port reports it. */
export function accountProblem({
  field,
  code,
  problem,
  problemZh,
}: WechatPayCredentialProblem): AccountProblem {
  return { code, field, message: { en: `${field} ${problem}`, zh: `${field} ${problemZh}` } };
}

/** Joins the problems of credentials into one text for an operator. */
export function problemsText(problems: readonly WechatPayCredentialProblem[]): string {
  return problems.map(({ field, problem }) => `${field} ${problem}`).join("; ");
}
