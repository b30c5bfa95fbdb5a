import { fetchHandler } from "@tillkit/fetch";

// Next.js shows no socket. Without a proxy, clients could send any `x-forwarded-for` themselves.
const PROXIES = Number(process.env["TRUST_PROXY"] ?? 0);
const peerOf = ({ headers }: Request) =>
  PROXIES === 0 ? undefined : headers.get("x-forwarded-for")?.split(",").at(-PROXIES)?.trim();

/** Answers requests for which there is no page. README.md shows a page that sells. */
async function handle(request: Request): Promise<Response> {
  const host = await globalThis.host;
  if (host === undefined) throw new Error("src/instrumentation.ts has not opened the host.");
  const { mounts, shop } = host;
  // Take the customer from your log-in instead of the path.
  const otherwise = async ({ method, url }: Request) => {
    const [, action = "", customer = "", bizNo = ""] = new URL(url).pathname.split("/");
    if (method === "POST" && action === "buy")
      return Response.json(await shop.buy({ customerIdentity: customer }));
    if (method === "GET" && action === "bought") return Response.json(await shop.check(customer, bizNo));
    return new Response(null, { status: 404 });
  };
  return fetchHandler(mounts, { otherwise, peerOf })(request);
}

export { handle as GET, handle as POST, handle as HEAD, handle as OPTIONS, handle as PUT, handle as DELETE };
