import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { nodeListener } from "@tillkit/node";
import { closeServer, serverLimits } from "@tillkit/runtime";
import { HOST, openHost, PORT, TRUST_PROXY } from "./tillkit.ts";

const { mounts, shop, log, stopOnSignal } = await openHost();

// `POST /buy/{customer}` and `GET /bought/{customer}/{bizNo}`. Take the customer from your log-in
// instead of the path.
const answerShop = async (method: string, path: string) => {
  const [, action = "", customer = "", bizNo = ""] = path.split("/");
  if (method === "POST" && action === "buy" && customer !== "")
    return shop.buy({ customerIdentity: customer });
  if (method === "GET" && action === "bought") return shop.check(customer, bizNo);
  return undefined;
};
const otherwise: RequestListener = async (request, response) => {
  try {
    const body = await answerShop(request.method ?? "", request.url ?? "");
    response.writeHead(body ? 200 : 404, { "content-type": "application/json" }).end(JSON.stringify(body));
  } catch (error) {
    console.error(error);
    response.writeHead(500).end();
  }
};
// Behind proxies: the address that the first proxy appended.
const peerOf = ({ headers, socket }: IncomingMessage) =>
  TRUST_PROXY === 0
    ? socket.remoteAddress
    : headers["x-forwarded-for"]?.toString().split(",").at(-TRUST_PROXY)?.trim();
const server = createServer(serverLimits, nodeListener(mounts, { otherwise, peerOf }));
server.listen(PORT, HOST, () => log(`listening http://127.0.0.1:${PORT}`));
stopOnSignal(() => closeServer(server));
