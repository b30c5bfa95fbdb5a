export { type PemPair } from "./stored-pairs.js";
export { otherWalletKeys, rsaPairs, testWalletKeys } from "./test-keys.js";
