import { z } from "zod";

/** Tillkit's schema. The hand-written servers keep their tables in `public`. */
export const SCHEMA = "tillkit";

/** The schema of the facts for every server of a shop. */
export const shopFacts = z.object({
  databaseUrl: z.string(),
  appId: z.string(),
  appSecret: z.string(),
  pepper: z.string(),
  credentialKey: z.string(),
});
/** The facts for every server of a shop. */
export type ShopFacts = z.infer<typeof shopFacts>;

/** The number of database connections of each server, hand-written or not. */
export const POOL_MAX = 10;

/** Returns the headers of a request of the app. */
export function appHeaders({ appId, appSecret }: Pick<ShopFacts, "appId" | "appSecret">) {
  return { app_id: appId, app_secret: appSecret };
}
