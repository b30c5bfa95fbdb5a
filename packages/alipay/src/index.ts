export { alipayWallet, type AlipayWalletOptions } from "./alipay-wallet.js";
export { checkAlipayCredentials } from "./credentials/check-credentials.js";
export type {
  AlipayCredentialName,
  AlipayCredentialProblem,
  CredentialFault,
} from "./credentials/credential-problem.js";
export {
  type AlipayCredentials,
  type AlipayKey,
  parseAlipayCredentials,
} from "./credentials/parse-credentials.js";
export type { KeyFault } from "./credentials/read-key.js";
