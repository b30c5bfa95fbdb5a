import type { AdoptionStep } from "./lib/step.js";
import { bundledHost } from "./steps/bundled-host.js";
import { bundles } from "./steps/bundles.js";
import { consumer } from "./steps/consumer.js";
import { createTillkit } from "./steps/create-tillkit.js";
import { dev } from "./steps/dev.js";
import { documentedClient } from "./steps/documented-client.js";
import { embedderTests } from "./steps/embedder-tests.js";
import { express } from "./steps/express.js";
import { fastifyPostgres } from "./steps/fastify-postgres.js";
import { frameworks } from "./steps/frameworks.js";
import { guides } from "./steps/guides.js";
import { installedPackages } from "./steps/installed-packages.js";
import { jestCommonJs } from "./steps/jest-commonjs.js";
import { next } from "./steps/next.js";
import { onKoa } from "./steps/on-koa.js";
import { platforms } from "./steps/platforms.js";
import { productionExample } from "./steps/production-example.js";
import { sms } from "./steps/sms.js";
import { sqliteAdapter } from "./steps/sqlite-adapter.js";
import { withoutNodeTypes } from "./steps/without-node-types.js";

/** All steps, the longest first, so that the processors finish at about the same time. */
export const ADOPTION_STEPS: readonly AdoptionStep[] = [
  guides,
  next,
  platforms,
  consumer,
  productionExample,
  frameworks,
  ...createTillkit,
  ...onKoa,
  bundles,
  fastifyPostgres,
  embedderTests,
  jestCommonJs,
  sqliteAdapter,
  sms,
  dev,
  bundledHost,
  express,
  documentedClient,
  withoutNodeTypes,
  installedPackages,
];
