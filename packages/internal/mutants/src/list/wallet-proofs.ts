import type { Mutant } from "../mutant.js";
const VERIFY_MESSAGE = "packages/wechat-pay/src/signing/verify-message.ts";
const OPEN_RESOURCE = "packages/wechat-pay/src/signing/open-resource.ts";
const GATEWAYS = "packages/wechat-pay/src/gateway/gateways.ts";
const READ_NOTIFICATION = "packages/alipay/src/notifications/read-notification.ts";
const RSA = "packages/alipay/src/signing/rsa.ts";
const READ_ANSWER = "packages/alipay/src/gateway/read-answer.ts";
const READ_FORM = "packages/alipay/src/notifications/read-form.ts";
const GATEWAY_ADDRESSES = "packages/alipay/src/gateway/gateway-addresses.ts";

/** Mutants of the checks that a message comes from the wallet and that a call goes to it. */
export const WALLET_PROOFS: readonly Mutant[] = [
  {
    name: "wallet-a-signature-unchecked",
    guards: "WALLET_A is trusted by its signature",
    file: VERIFY_MESSAGE,
    find: 'if (!verifyBytes(messageBytes(timestamp, nonce, body), signature, key)) return err("forged");',
    replace: "",
  },
  {
    name: "wallet-a-old-message-taken",
    guards: "a message of WALLET_A is fresh",
    file: VERIFY_MESSAGE,
    find: 'return Math.abs(now - Number(timestamp) * 1000) > skew ? err("stale") : ok(undefined);',
    replace: 'return now < -skew ? err("stale") : ok(undefined);',
  },
  {
    name: "wallet-a-message-of-the-future-taken",
    guards: "a message of WALLET_A is not from the future",
    file: VERIFY_MESSAGE,
    find: "Math.abs(now - Number(timestamp) * 1000) > skew",
    replace: "now - Number(timestamp) * 1000 > skew",
  },
  {
    name: "wallet-a-other-signature-type-taken",
    guards: "WALLET_A signs in one way",
    file: VERIFY_MESSAGE,
    find: " || type !== SIGNATURE_TYPE)",
    replace: ")",
  },
  {
    name: "wallet-a-tag-unchecked",
    guards: "an encrypted message of WALLET_A is proven by its tag",
    file: OPEN_RESOURCE,
    find: "Buffer.concat([text, decipher.final()])",
    replace: "Buffer.concat([text])",
  },
  {
    name: "wallet-a-associated-data-unchecked",
    guards: "the data beside an encrypted message is proven with it",
    file: OPEN_RESOURCE,
    find: "decipher.setAAD(Buffer.from(associatedData));",
    replace: "",
  },
  {
    name: "wallet-a-dev-at-the-real-gateway",
    guards: "a DEV account of WALLET_A never reaches real money",
    file: GATEWAYS,
    find: '(appEnv === "PROD" ? real : sandbox)',
    replace: '(appEnv === "PROD" ? real : sandbox ?? real)',
  },
  {
    name: "wallet-a-over-plain-http",
    guards: "calls to WALLET_A cannot be listened to",
    file: GATEWAYS,
    find: "if (!bare || !safe) {",
    replace: "if (!bare) {",
  },
  {
    name: "wallet-b-notification-unchecked",
    guards: "WALLET_B's notification is trusted by its signature",
    file: READ_NOTIFICATION,
    find: "return keys.some(({ key }) => verifyBytes(bytes, sign, key));",
    replace: "return keys.length > 0 || keys.some(({ key }) => verifyBytes(bytes, sign, key));",
  },
  {
    name: "wallet-b-weak-signature-taken",
    guards: "a signature of WALLET_B is made with SHA-256",
    file: RSA,
    find: "verify(ALGORITHM, bytes, key, decoded);",
    replace: '(verify(ALGORITHM, bytes, key, decoded) || verify("RSA-SHA1", bytes, key, decoded));',
  },
  {
    name: "wallet-b-answer-unsigned",
    guards: "WALLET_B's answer has a signature",
    file: READ_ANSWER,
    find: "if (signature === undefined) return unverified(`has no signature${codes}`);",
    replace: 'if (signature === undefined) return said === undefined ? unverified("") : ok(said);',
  },
  {
    name: "wallet-b-answer-unchecked",
    guards: "WALLET_B's answer is trusted by its signature",
    file: READ_ANSWER,
    find: "if (!candidates.some(({ key }) => verifyBytes(node, signature, key)))",
    replace: "if (candidates.length === -1)",
  },
  {
    name: "wallet-b-answer-about-another-order",
    guards: "a signed answer about one order says nothing of another",
    file: READ_ANSWER,
    find: "if (said.out_trade_no !== undefined && said.out_trade_no !== outTradeNo)",
    replace: 'if (said.out_trade_no === "")',
  },
  {
    name: "wallet-b-parameter-twice",
    guards: "what is signed and what is read is one parameter",
    file: READ_FORM,
    find: "if (parameters.has(decoded)) return undefined;",
    replace: "",
  },
  {
    name: "wallet-b-prod-at-the-sandbox",
    guards: "a PROD account of WALLET_B calls the real gateway",
    file: GATEWAY_ADDRESSES,
    find: "https://openapi.alipay.com/gateway.do",
    replace: "https://openapi-sandbox.dl.alipaydev.com/gateway.do",
  },
  {
    name: "wallet-b-over-plain-http",
    guards: "calls to WALLET_B cannot be listened to",
    file: GATEWAY_ADDRESSES,
    find: 'url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK.has(url.hostname))',
    replace: "url !== undefined",
  },
];
