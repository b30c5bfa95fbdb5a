import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Incident } from "../incident.js";
import { repeat } from "../repeat.js";

/** Makes the look-up of every host name fail, so that no rehearsal calls a real wallet. */
const NO_NAMES = `
  import dns from "node:dns";
  const { lookup } = dns;
  dns.lookup = (name, ...rest) => {
    if (/^[0-9.]+$/.test(name)) return lookup(name, ...rest);
    rest.at(-1)(Object.assign(new Error("getaddrinfo ENOTFOUND " + name), { code: "ENOTFOUND" }));
  };`;

/** Sets the clock of a worker ten minutes ahead at a signal. */
const LEAP = `
  const { now } = Date;
  process.on("SIGUSR2", () => (Date.now = () => now() + 600_000));`;

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
  {
    name: "Platform certificate rotated",
    alerts: [],
    cause: { log: "new certificate of the wallet trusted", shows: /"channel":"WALLET_A"/ },
    stage: async (scenario, signal) => {
      const buyAtBoth = async (bizNo: string) => {
        await scenario.buy(`${bizNo}-a`, "WALLET_A");
        await scenario.buy(`${bizNo}-b`, "WALLET_B");
        await scenario.ask(`/detail.json?bizNo=${bizNo}-a&customerIdentity=user-1`);
      };
      await buyAtBoth("before-the-rotation");
      await scenario.control("/rotate-keys", { wallet: "A" });
      await scenario.control("/rotate-keys", { wallet: "B" });
      await repeat(signal, 500, (nth) => buyAtBoth(`rotated-${nth}`));
    },
  },
  {
    name: "Unverifiable answer",
    alerts: ["TillkitWalletSilent"],
    cause: { log: "wallet called", shows: /signature/ },
    stage: async (scenario, signal) => {
      const fault = "bad-signature";
      await scenario.control("/faults", { walletA: { prepay: fault, query: fault } });
      await repeat(signal, 500, (nth) => scenario.order(`unverifiable-${nth}`, "WALLET_A"));
    },
  },
  {
    name: "Clock off by ten minutes",
    alerts: ["TillkitClockOff"],
    // The wallet states whole seconds.
    cause: { log: "clock differs from the wallet's", shows: /"skewMs":(?:599|60\d)\d{3}/ },
    host: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(LEAP)}` },
    stage: async (scenario, signal) => {
      for (const worker of scenario.workers()) process.kill(worker, "SIGUSR2");
      await repeat(signal, 500, (nth) => scenario.order(`ahead-${nth}`, "WALLET_A"));
    },
  },
  {
    name: "Refund at the wallet for days",
    alerts: ["TillkitRefundOverdue", "TillkitOrderAlarm"],
    cause: {
      command: "tillkit orders explain",
      with: ({ appId }) => ["--app", appId, "slow-refund"],
      shows: /SENT|overdue/i,
    },
    stage: async (scenario) => {
      await scenario.control("/refunds", { walletA: { takes: null } });
      await scenario.buy("slow-refund", "WALLET_A");
      const how = ["--all", "--operator", "kim", "--reason", "bought twice"];
      await scenario.tillkit(["orders", "refund", "--app", scenario.appId, "slow-refund", ...how]);
      // A rehearsal cannot wait for days, so it makes the stored refund older.
      const earlier = String(6 * 86_400_000);
      await scenario.asOwner(
        `update tillkit.refunds set created_ms = created_ms - ${earlier}, modified_ms = modified_ms - ${earlier}`,
      );
    },
  },
  {
    name: "Bills missing for days",
    alerts: ["TillkitBillDayMissing"],
    cause: { command: "tillkit bills reconcile", shows: /ENOTFOUND|not reachable|could not/ },
    host: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(NO_NAMES)}` },
    // Only accounts of production have bills that must be compared.
    prepare: async (scenario) => {
      const text = await readFile(join(scenario.folder, "sandbox", "wallet-a.json"), "utf8");
      const file = join(scenario.folder, "production.json");
      await writeFile(file, text.replace('"appEnv": "DEV"', '"appEnv": "PROD"'), { mode: 0o600 });
      const set = await scenario.tillkit(["pay-tools", "set", "--app", scenario.appId, file]);
      if (!set.text.includes("PROD")) throw new Error(set.text);
      await scenario.asOwner("update tillkit.pay_tools set sign_status = 'OK'");
    },
    // A rehearsal cannot wait for days, so it makes the stored pay tools older.
    stage: (scenario) =>
      scenario.asOwner(`update tillkit.pay_tools set created_ms = created_ms - ${String(4 * 86_400_000)}`),
  },
  {
    name: "SMS carrier refuses",
    alerts: ["TillkitSmsFails"],
    cause: { log: "SMS carrier called", shows: /"outcome":"rejected","detail":"the gateway answered/ },
    stage: async (scenario, signal) => {
      await scenario.control("/faults", { sms: "reject" });
      await repeat(signal, 300, (nth) => scenario.ask(`/sms.json?mobileNo=138${String(10_000_000 + nth)}`));
    },
  },
  {
    name: "First alarm",
    alerts: ["TillkitOrderAlarm"],
    cause: { command: "tillkit alarms list", shows: /SECOND_PAYMENT/ },
    stage: async (scenario) => {
      const paid = await scenario.buy("paid-twice", "WALLET_A");
      await scenario.control("/notify", { outTradeNo: paid, as: "other-payment" });
    },
  },
];
