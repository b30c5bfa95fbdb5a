export { type PemPair, type SixPairs } from "./stored-pairs.js";
export { otherWalletKeys, rsaPairs, testWalletKeys } from "./test-keys.js";
