import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
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

/** A server on a free port of this machine. */
export interface Listening {
  readonly server: Server;
  readonly port: number;
  readonly baseUrl: string;
  /** Hangs up on whoever is still connected. */
  close(): Promise<void>;
}

/** Serves an application until it is closed. */
export async function listen(app: RequestListener): Promise<Listening> {
  const server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { server, port: address.port, baseUrl: `http://127.0.0.1:${address.port}`, close };
}
