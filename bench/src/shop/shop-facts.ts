import { z } from "zod";

/** The schema of ours; what is written by hand keeps its tables in `public`. */
export const SCHEMA = "tillkit";

/** What every server of a shop is told. */
export const shopFacts = z.object({
  databaseUrl: z.string(),
  appId: z.string(),
  appSecret: z.string(),
  pepper: z.string(),
  credentialKey: z.string(),
});
/** What every server of a shop is told. */
export type ShopFacts = z.infer<typeof shopFacts>;

/** Connections to the database a server may use, whoever wrote it. */
export const POOL_MAX = 10;

/** The headers of a request of the app. */
export function appHeaders({ appId, appSecret }: Pick<ShopFacts, "appId" | "appSecret">) {
  return { app_id: appId, app_secret: appSecret };
}
