import type { WalletAccount } from "@tillkit/core";

type Addresses = Readonly<Record<WalletAccount["appEnv"], string>>;

/** Alipay's own gateways. */
const OFFICIAL: Addresses = {
  DEV: "https://openapi-sandbox.dl.alipaydev.com/gateway.do",
  PROD: "https://openapi.alipay.com/gateway.do",
};

const LOOPBACK = new Set(["127.0.0.1", "[::1]", "localhost"]);

/** Returns the gateway of each environment. Throws if an address is not secure. */
export function gatewayAddresses(gateways: Partial<Addresses>): Addresses {
  const addresses = { ...OFFICIAL, ...gateways };
  for (const [appEnv, address] of Object.entries(addresses)) {
    const url = URL.canParse(address) ? new URL(address) : undefined;
    const trusted = url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK.has(url.hostname));
    if (!trusted || url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "") {
      throw new Error(
        `The ${appEnv} gateway must be an https address without user, query or fragment; http is allowed for this machine only.`,
      );
    }
  }
  return addresses;
}
