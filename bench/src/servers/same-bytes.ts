import { z } from "zod";
import { beServer } from "../harness/be-server.js";

const facts = z.object({ body: z.string() });

/** A bare server that answers everything with the same bytes: what Node and the load generator can do between them. */
beServer(async (given) => {
  const { body } = facts.parse(given);
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
  };
  return (request, response) => {
    // A body that is not read would keep the connection from its next request.
    request.resume();
    response.writeHead(200, headers).end(body);
  };
});
