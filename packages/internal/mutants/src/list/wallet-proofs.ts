import type { Mutant } from "../mutant.js";
const VERIFY_MESSAGE = "packages/wechat-pay/src/signing/verify-message.ts";
const OPEN_RESOURCE = "packages/wechat-pay/src/signing/decrypt-resource.ts";
const GATEWAYS = "packages/wechat-pay/src/gateway/gateways.ts";
const READ_NOTIFICATION = "packages/alipay/src/notifications/read-notification.ts";
const VERIFY_SIGNATURE = "packages/wallet-kit/src/signing/signature.ts";
const READ_RESPONSE = "packages/alipay/src/gateway/read-response.ts";
const READ_FORM = "packages/alipay/src/notifications/read-form.ts";
const ALIPAY_GATEWAYS = "packages/alipay/src/gateway/gateways.ts";
const PARSE_GATEWAY_URL = "packages/wallet-kit/src/gateway/parse-gateway-url.ts";

/** Mutants of the checks that a message comes from the wallet and that a call goes to it. */
export const WALLET_PROOFS: readonly Mutant[] = [
  {
    name: "wallet-a-signature-unchecked",
    guards: "a response of WALLET_A needs a valid signature",
    file: VERIFY_MESSAGE,
    find: 'if (!verifySignature(messageBytes(timestamp, nonce, body), signature, key)) return err("forged");',
    replace: "",
  },
  {
    name: "wallet-a-old-message-taken",
    guards: "an old message of WALLET_A is refused",
    file: VERIFY_MESSAGE,
    find: 'return Math.abs(now - Number(timestamp) * 1000) > skew ? err("stale") : ok(undefined);',
    replace: 'return now < -skew ? err("stale") : ok(undefined);',
  },
  {
    name: "wallet-a-message-of-the-future-taken",
    guards: "a message of WALLET_A with a future time is refused",
    file: VERIFY_MESSAGE,
    find: "Math.abs(now - Number(timestamp) * 1000) > skew",
    replace: "now - Number(timestamp) * 1000 > skew",
  },
  {
    name: "wallet-a-other-signature-type-taken",
    guards: "only one signature algorithm of WALLET_A is accepted",
    file: VERIFY_MESSAGE,
    find: " || type !== SIGNATURE_TYPE)",
    replace: ")",
  },
  {
    name: "wallet-a-tag-unchecked",
    guards: "the authentication tag of an encrypted message is checked",
    file: OPEN_RESOURCE,
    find: "Buffer.concat([text, decipher.final()])",
    replace: "Buffer.concat([text])",
  },
  {
    name: "wallet-a-associated-data-unchecked",
    guards: "the associated data of an encrypted message is authenticated",
    file: OPEN_RESOURCE,
    find: "decipher.setAAD(Buffer.from(associatedData));",
    replace: "",
  },
  {
    name: "wallet-a-dev-at-the-real-gateway",
    guards: "a DEV account of WALLET_A never reaches real money",
    file: GATEWAYS,
    find: '(appEnv === "PROD" ? prod : dev)',
    replace: '(appEnv === "PROD" ? prod : dev ?? prod)',
  },
  {
    name: "gateway-over-plain-http",
    guards: "calls to a wallet are encrypted",
    file: PARSE_GATEWAY_URL,
    find: "if (isBare && isSafe) return url;",
    replace: "if (isBare) return url;",
  },
  {
    name: "wallet-b-notification-unchecked",
    guards: "a notification of WALLET_B needs a valid signature",
    file: READ_NOTIFICATION,
    find: "if (keys.some(({ key }) => verifySignature(bytes, sign, key))) return text;",
    replace: "if (keys.length > 0) return text;",
  },
  {
    name: "wallet-b-weak-signature-taken",
    guards: "a signature of WALLET_B must use SHA-256",
    file: VERIFY_SIGNATURE,
    find: "verify(ALGORITHM, bytes, key, decoded);",
    replace: '(verify(ALGORITHM, bytes, key, decoded) || verify("RSA-SHA1", bytes, key, decoded));',
  },
  {
    name: "wallet-b-answer-unsigned",
    guards: "a response of WALLET_B without a signature is refused",
    file: READ_RESPONSE,
    find: "if (signature === undefined) return unverified(`has no signature${codes}`);",
    replace: 'if (signature === undefined) return response === undefined ? unverified("") : ok(response);',
  },
  {
    name: "wallet-b-answer-unchecked",
    guards: "a response of WALLET_B needs a valid signature",
    file: READ_RESPONSE,
    find: "if (!candidates.some(({ key }) => verifySignature(node, signature, key)))",
    replace: "if (candidates.length === -1)",
  },
  {
    name: "wallet-b-answer-about-another-order",
    guards: "a signed response about another order is refused",
    file: READ_RESPONSE,
    find: "if (response.out_trade_no !== undefined && response.out_trade_no !== outTradeNo)",
    replace: 'if (response.out_trade_no === "")',
  },
  {
    name: "wallet-b-parameter-twice",
    guards: "a repeated parameter is refused, so the signed one is the parsed one",
    file: READ_FORM,
    find: "if (parameters.has(name)) return undefined;",
    replace: "",
  },
  {
    name: "wallet-b-prod-at-the-sandbox",
    guards: "a PROD account of WALLET_B calls the real gateway",
    file: ALIPAY_GATEWAYS,
    find: "https://openapi.alipay.com/gateway.do",
    replace: "https://openapi-sandbox.dl.alipaydev.com/gateway.do",
  },
  {
    name: "wallet-b-gateway-unchecked",
    guards: "the address of WALLET_B's gateway is checked",
    file: ALIPAY_GATEWAYS,
    find: "parseGatewayUrl(appEnv, address);",
    replace: "void [appEnv, address];",
  },
];
