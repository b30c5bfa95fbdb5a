import type { Mutant } from "../mutant.js";
const SOURCE_FROM = "packages/core/src/source-from.ts";
const CHANNEL_NAMES = "packages/core/src/http/payments/pay-channel-names.ts";
const WIRE_NAMES = "packages/core/src/wire-names.ts";
const POLICY = "packages/core/src/policy.ts";
const INPUT = "packages/core/src/shared/input.ts";
const CREATE_ORDER = "packages/core/src/orders/create-order.ts";
const CUSTOMER_NAME = "packages/core/src/orders/customer-name.ts";
const GET_ORDER = "packages/core/src/orders/get-order.ts";
const SLASH = "packages/core/src/http/without-trailing-slash.ts";
const NOTIFICATIONS = "packages/core/src/http/notifications/surface.ts";
const MESSAGE = "packages/core/src/errors/message.ts";

/** Mutants of the rules about names, empty texts and paths on the wire. */
export const WIRE: readonly Mutant[] = [
  {
    name: "renamed-channel-pays-at-the-other-wallet",
    guards: "a renamed channel selects the wallet that the policy names",
    file: CHANNEL_NAMES,
    find: 'name === WALLET_A ? "WALLET_A" : "WALLET_B"',
    replace: 'name === WALLET_A ? "WALLET_B" : "WALLET_A"',
    needsContract: true,
  },
  {
    name: "default-channel-name-still-accepted",
    guards: "a request must use the policy's name of a channel",
    file: CHANNEL_NAMES,
    find: ".enum([WALLET_A, WALLET_B], issue",
    replace: '.enum([WALLET_A, WALLET_B, "WALLET_A", "WALLET_B"], issue',
    needsContract: true,
  },
  {
    name: "answers-with-internal-channel-name",
    guards: "a response uses the policy's name of a channel",
    file: CHANNEL_NAMES,
    find: "return payChannelNames[payChannel];",
    replace: "return payChannelNames[payChannel] === undefined ? payChannel : payChannel;",
    needsContract: true,
  },
  {
    name: "store-of-no-policy-accepted",
    guards: "a store token must be in the policy",
    file: SOURCE_FROM,
    find: "return [...sourceFromTokens, OTHER_STORES];",
    replace: 'return [...sourceFromTokens, "store_01", OTHER_STORES];',
    needsContract: true,
  },
  {
    name: "other-stores-not-accepted",
    guards: "others is accepted with every policy",
    file: SOURCE_FROM,
    find: "return [...sourceFromTokens, OTHER_STORES];",
    replace: "return [...sourceFromTokens];",
    needsContract: true,
  },
  {
    name: "one-name-for-both-channels",
    guards: "the two channels must have different names",
    file: WIRE_NAMES,
    find: 'if (WALLET_A === WALLET_B) return [{ path, rule: "must be two different names" }];',
    replace: "",
  },
  {
    name: "channel-names-swapped",
    guards: "no channel can have the default name of the other",
    file: WIRE_NAMES,
    find: 'if (WALLET_A === "WALLET_B")',
    replace: 'if (WALLET_A === "")',
  },
  {
    name: "store-token-twice",
    guards: "the tokens of the policy are unique",
    file: WIRE_NAMES,
    find: "return tokens.indexOf(token) === index ?",
    replace: "return tokens.indexOf(token) <= index ?",
  },
  {
    name: "wire-names-not-checked",
    guards: "a policy with unusable names is refused",
    file: POLICY,
    find: '    [["payChannelNames"], () => channelProblems(policy.payChannelNames)],\n',
    replace: "",
  },
  {
    name: "messages-name-channels-internally",
    guards: "an error message uses the policy's name of a channel",
    file: MESSAGE,
    find: '(channel === "WALLET_A" ? WALLET_A : WALLET_B)',
    replace: "(channel === WALLET_A ? WALLET_A : channel)",
    needsContract: true,
  },
  {
    name: "unknown-choice-counts-as-absent",
    guards: "only the empty text counts as absent",
    file: INPUT,
    find: 'const empty = z.literal("").transform(() => fallback);',
    replace: "const empty = z.string().transform(() => fallback);",
    needsContract: true,
  },
  {
    name: "empty-choice-refused",
    guards: "an empty sourceFrom or paySource counts as absent",
    file: INPUT,
    find: 'const empty = z.literal("").transform(() => fallback);',
    replace: 'const empty = z.literal("\\u0000").transform(() => fallback);',
    needsContract: true,
  },
  {
    name: "personal-data-stored-as-a-name",
    guards: "a name that is personal data is not stored",
    file: CREATE_ORDER,
    find: "customerName: storedCustomerName(input.customerName, ports.policy),",
    replace: "customerName: input.customerName,",
    needsContract: true,
  },
  {
    name: "phone-number-stored-as-a-name",
    guards: "a name that is a phone number is not stored",
    file: CUSTOMER_NAME,
    find: "hasEmailAddress(text) || hasPhoneNumber(text, policy) || hasIdentityCardNumber(text)",
    replace: "hasEmailAddress(text) || hasIdentityCardNumber(text)",
    needsContract: true,
  },
  {
    name: "email-address-stored-as-a-name",
    guards: "a name that is an e-mail address is not stored",
    file: CUSTOMER_NAME,
    find: "hasEmailAddress(text) || hasPhoneNumber(text, policy) || hasIdentityCardNumber(text)",
    replace: "hasPhoneNumber(text, policy) || hasIdentityCardNumber(text)",
    needsContract: true,
  },
  {
    name: "identity-optional-for-every-app",
    guards: "an app with accounts must name the customer of the order",
    file: GET_ORDER,
    find: "if (customerIdentity === undefined && accountBased)",
    replace: 'if (customerIdentity === "" && accountBased)',
    needsContract: true,
  },
  {
    name: "identity-required-of-every-app",
    guards: "an app without accounts may leave the identity out",
    file: GET_ORDER,
    find: "if (customerIdentity === undefined && accountBased)",
    replace: "if (customerIdentity === undefined)",
    needsContract: true,
  },
  {
    name: "many-slashes-after-a-path",
    guards: "a path may end in at most one slash",
    file: SLASH,
    find: 'path.endsWith("/") ? path.slice(0, -1) : path',
    replace: 'path.replace(/\\/+$/, "")',
    needsContract: true,
  },
  {
    name: "no-slash-after-a-notification-address",
    guards: "a notification address may end in a slash",
    file: NOTIFICATIONS,
    find: "const path = withoutTrailingSlash(request.path);",
    replace: "const { path } = request;",
    needsContract: true,
  },
];
