import { Agent, createServer, get, type RequestListener, type Server } from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import type { Surface } from "@tillkit/core/http";
import { surfaceRouter } from "@tillkit/express";
import { fetchHandler } from "@tillkit/fetch";
import { nodeListener } from "@tillkit/node";
import express from "express";
import { Hono } from "hono";
import { inProcess } from "../harness/in-process.js";
import type { Contestant, Role, BenchRow } from "../harness/row.js";

const BODY = JSON.stringify({ code: 0, msg: "success", data: "x".repeat(300) });
const HEADERS = { "content-type": "application/json; charset=utf-8" };
const LENGTH = { "content-length": String(Buffer.byteLength(BODY)) };

/** How much processor time a binding may add, in microseconds. */
const ADDED_CPU = 10;

const surface: Surface = {
  maxRequestBytes: 65_536,
  owns: () => true,
  handle: () => Promise.resolve({ status: 200, headers: HEADERS, body: BODY }),
};

const bareNode: RequestListener = (_request, response) => {
  response.writeHead(200, { ...HEADERS, ...LENGTH }).end(BODY);
};

/** Measures the overhead of the Express binding, with a bare route and server as comparison. */
export function expressRow(): Promise<BenchRow> {
  const bare = express().get("/detail.json", (_request, response) => {
    response.set(HEADERS).send(BODY);
  });
  return rowOf(
    "an answer of a surface through Express 5",
    "bare Express 5 route",
    ["surfaceRouter on Express 5", createServer(express().use(surfaceRouter(surface)))],
    ["bare Express 5 route", createServer(bare)],
    ["bare node:http", createServer(bareNode), "limit"],
  );
}

/** Measures the overhead of the `node:http` binding, with a bare server as comparison. */
export function nodeRow(): Promise<BenchRow> {
  return rowOf(
    "an answer of a surface through node:http",
    "bare node:http",
    ["nodeListener", createServer(nodeListener({ "/": surface }))],
    ["bare node:http", createServer(bareNode), "limit"],
  );
}

/**
 * Measures the overhead of the fetch binding, with a bare function and a Hono route as comparison.
 */
export function fetchRow(): Promise<BenchRow> {
  const bare = () => new Response(BODY, { headers: { ...HEADERS, ...LENGTH } });
  return rowOf(
    "an answer of a surface through Request and Response",
    "bare function on it",
    ["fetchHandler on @hono/node-server", serverOf(fetchHandler({ "/": surface }))],
    ["bare function on it", serverOf(bare)],
    ["bare Hono route on it", serverOf(new Hono().get("/detail.json", bare).fetch)],
    ["bare node:http", createServer(bareNode), "limit"],
  );
}

function serverOf(fetch: (request: Request) => Promise<Response> | Response): Server {
  const server = createAdaptorServer({ fetch });
  if ("closeAllConnections" in server) return server;
  throw new Error("The server is not a server of node:http.");
}

type Entry = readonly [name: string, server: Server, role?: Role];

/**
 * Creates a row of servers in this process.
 *
 * @param than - the contestant that Tillkit may exceed by {@link ADDED_CPU}.
 */
async function rowOf(
  work: string,
  than: string,
  ours: Entry,
  ...others: readonly Entry[]
): Promise<BenchRow> {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const contestantOf = async ([name, server, role = "alternative"]: Entry): Promise<Contestant> => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    return inProcess({ name, role, once: () => ask(agent, port), atOnce: 8 });
  };
  const contestants = await Promise.all(others.map(contestantOf));
  return {
    work,
    contestants: [await contestantOf([ours[0], ours[1], "ours"]), ...contestants],
    targets: [{ kind: "added-cpu", than, atMost: ADDED_CPU }],
    shortRounds: true,
    close: async () => {
      agent.destroy();
      const closed = [ours, ...others].map(([, server]) => new Promise((resolve) => server.close(resolve)));
      await Promise.all(closed);
    },
  };
}

function ask(agent: Agent, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    get({ agent, host: "127.0.0.1", port, path: "/detail.json" }, (response) => {
      response.resume().on("end", resolve).on("error", reject);
    }).on("error", reject);
  });
}
