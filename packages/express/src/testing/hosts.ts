import type expressFunction from "express";
import { vi } from "vitest";

type ExpressModule = { readonly default: typeof expressFunction };

/** One Express, and this package on top of that very Express. */
async function load(actual: () => Promise<ExpressModule>) {
  vi.resetModules();
  vi.doMock("express", actual);
  const { default: express } = await actual();
  return { express, ...(await import("../index.js")) };
}

/** Every Express this package promises to work on. */
export const versions = [
  { version: "Express 4", ...(await load(() => import(import.meta.resolve("express4")))) },
  { version: "Express 5", ...(await load(() => import(import.meta.resolve("express")))) },
] as const;
