import { once } from "node:events";
import { createServer } from "node:http";
import type { Ports } from "@tillkit/core";
import { dashboardSurface } from "@tillkit/dashboard";
import { nodeListener } from "@tillkit/node";
import * as oidc from "openid-client";
import { rightsOf } from "./rights-of.js";
import { singleSignOn } from "./single-sign-on.js";

/** Where the host mounts the page and the sign-in. */
export const MOUNTS = { mountPath: "/dashboard", signOnPath: "/sign-on" } as const;

/** The provider, and this host as its client. */
export interface ClientOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The port on 127.0.0.1. */
  readonly port: number;
  /** The origin in the browser's address bar. Defaults to the port on 127.0.0.1. */
  readonly origin?: string;
  readonly now?: () => number;
}

/** Serves the operators' page with single sign-on, and returns its address. */
export async function serveWithSingleSignOn(ports: Ports, options: ClientOptions) {
  const { issuer, clientId, clientSecret, port, origin = `http://127.0.0.1:${String(port)}`, now } = options;
  const isLocal = new URL(issuer).hostname === "127.0.0.1";
  const provider = await oidc.discovery(new URL(issuer), clientId, clientSecret, undefined, {
    timeout: 5,
    // Plain HTTP only for a provider on this machine: the package marks the function as deprecated
    // so that it stands out.
    // oxlint-disable-next-line typescript/no-deprecated
    ...(isLocal && { execute: [oidc.allowInsecureRequests] }),
  });
  const { surface, ...signOn } = singleSignOn({
    provider,
    origin,
    ...MOUNTS,
    rightsOf,
    scope: "openid groups",
    ...(now !== undefined && { now }),
  });
  const dashboard = dashboardSurface(ports, { ...signOn, mountPath: MOUNTS.mountPath });
  const server = createServer(nodeListener({ [MOUNTS.signOnPath]: surface, [MOUNTS.mountPath]: dashboard }));
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `${origin}${MOUNTS.mountPath}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

/** Returns a free port, which the provider must know before the host starts. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return address.port;
}
