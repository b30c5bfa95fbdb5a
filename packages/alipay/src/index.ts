export { alipayWallet, type AlipayWalletOptions } from "./alipay-wallet.js";
export { checkAlipayAccount } from "./credentials/check-account.js";
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
