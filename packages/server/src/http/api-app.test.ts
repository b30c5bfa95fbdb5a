import type { Surface } from "@tillkit/core/http";
import express, { Router } from "express";
import { expect, it, onTestFinished } from "vitest";
import { openLogger } from "../log/logger.js";
import type { Routes } from "../options.js";
import { apiApp } from "./api-app.js";
import { listen } from "./http-server.js";

const paid: Surface = {
  maxRequestBytes: 1,
  owns: () => true,
  handle: async () => ({ status: 200, headers: {}, body: "paid" }),
};

/** Serves Tillkit at `/pay`, and `routes`. */
async function serve(routes?: Routes) {
  const lines: string[] = [];
  const logger = openLogger("info", { write: (line) => void lines.push(line) });
  const app = apiApp({ "/pay": paid }, { trustProxy: 0 }, logger, routes);
  const server = await listen(app, { host: "127.0.0.1", port: 0 });
  onTestFinished(() => server.close());
  const ask = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`);
    return [response.status, await response.text()];
  };
  return { ask, lines };
}

it.each([
  ["an application", express()],
  ["a router", Router()],
])("serves the routes of %s after those of Tillkit, and answers 404 for other paths", async (_, own) => {
  own.get(["/pay", "/thanks"], (_request, response) => {
    response.send("own");
  });
  const { ask } = await serve(own);
  expect(await ask("/thanks")).toEqual([200, "own"]);
  expect(await ask("/pay")).toEqual([200, "paid"]);
  expect(await ask("/elsewhere")).toEqual([404, "There is nothing here.\n"]);
});

it("answers 404 without routes", async () => {
  expect(await (await serve()).ask("/thanks")).toEqual([404, "There is nothing here.\n"]);
});

it("answers an error of a route without its message, and logs it without personal data", async () => {
  const own = Router();
  own.get("/broken", () => {
    throw new Error("13800138000");
  });
  const { ask, lines } = await serve(own);
  expect(await ask("/broken")).toEqual([500, "Something went wrong here.\n"]);
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
    { level: "error", msg: "a request broke", err: { type: "Error" } },
  ]);
  expect(lines.join()).not.toContain("13800138000");
});
