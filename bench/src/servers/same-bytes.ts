import type { RequestListener } from "node:http";
import { z } from "zod";
import { beServer } from "../harness/be-server.js";

const facts = z.object({
  on: z.enum(["node", "express"]).default("node"),
  /** Of the route, where it is one. */
  path: z.string().default("/"),
  body: z.string(),
});

/** Answers everything with the same bytes: what Node, or Express on it, and the load generator can do between them. */
beServer(async (given) => {
  const { on, path, body } = facts.parse(given);
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "content-length": `${Buffer.byteLength(body)}`,
  };
  const bare: RequestListener = (request, response) => {
    // A body that is not read would keep the connection from its next request.
    request.resume();
    response.writeHead(200, headers).end(body);
  };
  if (on === "node") return bare;
  // Only now: the bare server shall not carry it.
  const { default: express } = await import("express");
  return express().all(path, (_request, response) => {
    response.set(headers).send(body);
  });
});
