import { Agent, createServer, get, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { Surface } from "@tillkit/core/http";
import { surfaceRouter } from "@tillkit/express";
import express from "express";
import type { Row } from "../measure.js";

const BODY = JSON.stringify({ code: 0, msg: "success", data: "x".repeat(300) });
const HEADERS = { "content-type": "application/json; charset=utf-8" };

/** The empty cost of the Express binding, compared with a bare route and a bare server that answer the same bytes. */
export async function bindingRow(): Promise<Row> {
  const surface: Surface = {
    maxRequestBytes: 65_536,
    owns: () => true,
    handle: () => Promise.resolve({ status: 200, headers: HEADERS, body: BODY }),
  };
  const bare = express().get("/detail.json", (_request, response) => {
    response.set(HEADERS).send(BODY);
  });
  const servers = await Promise.all([
    serve(express().use(surfaceRouter(surface))),
    serve(bare),
    serve((_request, response) => response.writeHead(200, HEADERS).end(BODY)),
  ]);
  const [ours, route, node] = servers;
  return {
    contestants: [
      { name: "surfaceRouter on Express 5", once: ours.once, atOnce: 8 },
      { name: "bare Express 5 route", once: route.once, atOnce: 8 },
      { name: "bare node:http", once: node.once, atOnce: 8 },
    ],
    close: async () => {
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}

async function serve(listener: RequestListener) {
  const server = createServer(listener);
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address: AddressInfo | string | null = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const once = () =>
    new Promise<void>((resolve, reject) => {
      get({ agent, host: "127.0.0.1", port, path: "/detail.json" }, (response) => {
        response.resume().on("end", resolve).on("error", reject);
      }).on("error", reject);
    });
  const close = async () => {
    agent.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return { once, close };
}
