import type { WalletAccount } from "@tillkit/core";
import { parseGatewayUrl } from "@tillkit/wallet-kit";

/** The address of each environment's gateway. */
export type Gateways = Readonly<Record<WalletAccount["appEnv"], string>>;

/** Alipay's own gateways. */
const OFFICIAL: Gateways = {
  DEV: "https://openapi-sandbox.dl.alipaydev.com/gateway.do",
  PROD: "https://openapi.alipay.com/gateway.do",
};

/** Returns the gateway of each environment. Throws if an address is not secure. */
export function resolveGateways(gateways: Partial<Gateways>): Gateways {
  const resolved = { ...OFFICIAL, ...gateways };
  for (const [appEnv, address] of Object.entries(resolved)) parseGatewayUrl(appEnv, address);
  return resolved;
}
