import { configurePayTool, createApp, orThrow } from "@tillkit/core";
import { memoryPorts } from "@tillkit/memory";

/** A pay tool of WALLET_B for the memory wallet, which needs no keys. */
export const payToolB = {
  payChannel: "WALLET_B",
  accountId: "2088000000000000",
  walletAppId: "2014000000000000",
  appEnv: "DEV",
  appName: "Bench",
  appPackageName: "example.bench",
  appSignature: "",
  credentials: {},
} as const;

/** Creates in-memory ports with one app that accepts WALLET_B payments. */
export async function openDemoApp() {
  const ports = memoryPorts();
  const { app } = await orThrow(createApp(ports, { name: "Bench" }));
  await orThrow(configurePayTool(ports, app.appId, payToolB));
  return { ports, appId: app.appId };
}
