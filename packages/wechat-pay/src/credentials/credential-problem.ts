/** The fields of the `credentials` of a WALLET_A account. */
export const CREDENTIAL_NAMES = [
  "merchantPrivateKey",
  "merchantSerialNo",
  "merchantCertificate",
  "apiV3Key",
  "platformKeys",
] as const;

/** One problem with credentials, for an operator. Does not contain the value. */
export interface WechatPayCredentialProblem {
  /** `credentials` if the problem is an unknown field name. */
  readonly field: (typeof CREDENTIAL_NAMES)[number] | "credentials";
  /** What is wrong, and which value to provide instead. */
  readonly problem: string;
}

/** Joins the problems of credentials into one text for an operator. */
export function problemsText(problems: readonly WechatPayCredentialProblem[]): string {
  return problems.map(({ field, problem }) => `${field} ${problem}`).join("; ");
}
