import type { WechatPayCredentialProblem } from "./parse-credentials.js";

/** The problems of credentials as one text for an operator. */
export function problemsText(problems: readonly WechatPayCredentialProblem[]): string {
  return problems.map(({ field, problem }) => `${field} ${problem}`).join("; ");
}
