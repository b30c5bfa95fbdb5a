export { checkWechatPayAccount } from "./credentials/check-account.js";
export type { WechatPayCredentialProblem } from "./credentials/credential-problem.js";
export { parseWechatPayCredentials, type WechatPayCredentials } from "./credentials/parse-credentials.js";
export type { GatewayAddresses, GatewayOptions } from "./gateway/gateways.js";
export type { PayerClientIp } from "./orders/payer-address.js";
export { wechatPayWallet, type WechatPayWalletOptions } from "./wechat-pay-wallet.js";
