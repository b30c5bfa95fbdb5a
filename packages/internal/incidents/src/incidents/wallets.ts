import type { Incident } from "../incident.js";
import { repeat } from "../repeat.js";

/** Incidents between a host and its wallets. */
export const WALLET_INCIDENTS: readonly Incident[] = [
  {
    name: "Wrong notification address",
    alerts: ["TillkitNotificationsMissing"],
    cause: { log: "payment recorded", shows: /"source":"query"/ },
    host: { PUBLIC_URL: "http://127.0.0.1:1" },
    stage: (scenario, signal) =>
      repeat(signal, 500, async (nth) => {
        await scenario.buy(`wrong-address-${nth}`);
        await scenario.ask(`/detail.json?bizNo=wrong-address-${nth}&customerIdentity=user-1`);
      }),
  },
  {
    name: "Merchant key replaced at the wallet",
    alerts: ["TillkitOrderAlarm", "TillkitWalletRefuses"],
    cause: { command: "tillkit pay-tools check", shows: /SIGN_ERROR/ },
    stage: async (scenario, signal) => {
      await scenario.control("/faults", { walletA: { merchant: "revoked-key" } });
      await repeat(signal, 500, (nth) => scenario.order(`replaced-key-${nth}`, "WALLET_A"));
    },
  },
];
