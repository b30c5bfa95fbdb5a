export { alipayWallet, type AlipayWalletOptions } from "./alipay-wallet.js";
export { checkAlipayCredentials } from "./check-credentials.js";
export type { AlipayCredentialName, AlipayCredentialProblem, CredentialFault } from "./credential-problem.js";
export { type AlipayCredentials, type AlipayKey, parseAlipayCredentials } from "./credentials.js";
export type { KeyFault } from "./read-key.js";
