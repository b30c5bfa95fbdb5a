import type { WechatPayCredentialProblem } from "./parse-credentials.js";

/** Joins the problems of credentials into one text for an operator. */
export function problemsText(problems: readonly WechatPayCredentialProblem[]): string {
  return problems.map(({ field, problem }) => `${field} ${problem}`).join("; ");
}
