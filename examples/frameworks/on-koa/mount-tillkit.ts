import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { alipayWallet } from "@tillkit/alipay";
import { orThrow } from "@tillkit/core";
import { limitedSurfaces } from "@tillkit/core/http";
import { dashboardSurface } from "@tillkit/dashboard";
import { createTillkit, type Tillkit } from "@tillkit/host";
import { nodeListener } from "@tillkit/node";
import { checkReadiness, checkSchema, pgClient, postgresStores } from "@tillkit/postgres";
import {
  closeServer,
  readKeyring,
  scryptHasher,
  systemClock as clock,
  systemRandom as random,
} from "@tillkit/runtime";
import { wechatPayWallet } from "@tillkit/wechat-pay";
import pg from "pg";

/** A Koa application whose framework creates the server from `callback`. */
export interface KoaApplication {
  callback(): (request: IncomingMessage, response: ServerResponse) => Promise<unknown>;
}

/** Tillkit in an application. */
export interface MountedTillkit extends Pick<Tillkit, "start" | "health"> {
  /** Ends the background tasks, completes the running requests, and closes the storage. */
  stop(server: Server | undefined): Promise<void>;
}

/** Opens Tillkit on PostgreSQL, and mounts it before the middleware of the application. */
export async function mountTillkit(app: KoaApplication): Promise<MountedTillkit> {
  const schema = "tillkit";
  const sql = pgClient(new pg.Pool({ connectionString: setting("DATABASE_URL") }));
  await orThrow(checkSchema(sql, schema));
  const keyring = await orThrow(readKeyring(setting("TILLKIT_KEYS_FILE")));
  const tillkit = createTillkit({
    stores: postgresStores({ sql, schema, credentialKeys: keyring.credentialKeys }),
    wallets: {
      WALLET_A: wechatPayWallet({ clock, random, gateways: sandbox("TILLKIT_WALLET_A_GATEWAY") }),
      WALLET_B: alipayWallet({ clock, gateways: sandbox("TILLKIT_WALLET_B_GATEWAY") }),
    },
    keyring,
    publicUrl: setting("PUBLIC_URL"),
    checkStorage: () => checkReadiness(sql, schema),
  });

  const { payments, notifications, metrics } = limitedSurfaces(tillkit.ports);
  const accounts = { passwords: scryptHasher(), mountPath: "/dashboard" };
  const mounts = {
    "/pay": payments,
    "/wallets": notifications,
    "/dashboard": dashboardSurface(tillkit.ports, { accounts }),
    "/": metrics,
  };
  const callback = app.callback.bind(app);
  // The wallets sign the raw bytes, so Tillkit must answer before a middleware reads the body.
  app.callback = () => {
    const own = callback();
    // Behind a proxy, also pass `peerOf`.
    const listener = nodeListener(mounts, { otherwise: (request, response) => void own(request, response) });
    return async (request, response) => listener(request, response);
  };

  return {
    start: () => tillkit.start(),
    health: () => tillkit.health(),
    stop: async (server) => {
      await tillkit.stop();
      if (server !== undefined) await closeServer(server);
      await sql.close();
    },
  };
}

/** Returns an environment variable. Throws if it is missing. */
export function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === "") throw new Error(`Set the environment variable ${name}.`);
  return value;
}

/** Returns the gateway of DEV pay tools: a sandbox, or by default the real wallet. */
function sandbox(name: string): { readonly DEV?: string } {
  const address = process.env[name];
  return address === undefined ? {} : { DEV: address };
}
