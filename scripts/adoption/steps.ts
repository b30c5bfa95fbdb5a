import type { AdoptionStep } from "./lib/step.js";
import { bundledHost } from "./steps/bundled-host.js";
import { bundles } from "./steps/bundles.js";
import { consumer } from "./steps/consumer.js";
import { dev } from "./steps/dev.js";
import { documentedClient } from "./steps/documented-client.js";
import { embedderTests } from "./steps/embedder-tests.js";
import { express } from "./steps/express.js";
import { fastifyPostgres } from "./steps/fastify-postgres.js";
import { frameworks } from "./steps/frameworks.js";
import { installedPackages } from "./steps/installed-packages.js";
import { next } from "./steps/next.js";
import { platforms } from "./steps/platforms.js";
import { productionExample } from "./steps/production-example.js";
import { sms } from "./steps/sms.js";
import { sqliteAdapter } from "./steps/sqlite-adapter.js";
import { withoutNodeTypes } from "./steps/without-node-types.js";

/** All steps, the longest first, so that the processors finish at about the same time. */
export const ADOPTION_STEPS: readonly AdoptionStep[] = [
  next,
  platforms,
  consumer,
  productionExample,
  frameworks,
  bundles,
  fastifyPostgres,
  embedderTests,
  sqliteAdapter,
  sms,
  dev,
  bundledHost,
  express,
  documentedClient,
  withoutNodeTypes,
  installedPackages,
];
