import type expressFunction from "express";
import * as binding from "../index.js";

type ExpressModule = { readonly default: typeof expressFunction };

async function load(actual: () => Promise<ExpressModule>) {
  const { default: express } = await actual();
  return { express, ...binding };
}

/** Every Express version that this package supports, with the exports of this package. */
export const versions = [
  { version: "Express 4", ...(await load(() => import(import.meta.resolve("express4")))) },
  { version: "Express 5", ...(await load(() => import(import.meta.resolve("express")))) },
] as const;
