import { expect, it } from "vitest";
import { looksLikeProduction } from "./looks-like-production.js";

it.each([
  { nodeEnv: "production", databaseUrl: undefined },
  { nodeEnv: "development", databaseUrl: "postgres://till@db/pay_prod" },
  { nodeEnv: undefined, databaseUrl: "postgres://till@db.production.example:5432/pay" },
  { nodeEnv: undefined, databaseUrl: "postgresql://db/LIVE2" },
])("recognizes production: $nodeEnv $databaseUrl", (signs) => {
  expect(looksLikeProduction(signs)).toBe(true);
});

it.each([
  { nodeEnv: "test", databaseUrl: undefined },
  { nodeEnv: "development", databaseUrl: "postgres://prod:live@db/products" },
  { nodeEnv: undefined, databaseUrl: "postgres://db/delivery?application_name=prod" },
  { nodeEnv: undefined, databaseUrl: "prod" },
])("treats anything else as development: $nodeEnv $databaseUrl", (signs) => {
  expect(looksLikeProduction(signs)).toBe(false);
});
