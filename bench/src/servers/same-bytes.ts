import type { RequestListener } from "node:http";
import { z } from "zod";
import { runAsServer } from "../harness/run-as-server.js";

const facts = z.object({
  on: z.enum(["node", "express"]).default("node"),
  /** The path of the Express route. */
  path: z.string().default("/"),
  body: z.string(),
});

/**
 * Sends the same bytes to every request: the limit of Node, or of Express, with the load generator.
 */
runAsServer(async (given) => {
  const { on, path, body } = facts.parse(given);
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "content-length": `${Buffer.byteLength(body)}`,
  };
  const bare: RequestListener = (request, response) => {
    // An unread body would block the next request of the connection.
    request.resume();
    response.writeHead(200, headers).end(body);
  };
  if (on === "node") return bare;
  // Imported here, so that the bare server does not load Express.
  const { default: express } = await import("express");
  return express().all(path, (_request, response) => {
    response.set(headers).send(body);
  });
});
