import { expect, it } from "vitest";
import { caseCount } from "../../support/case-count.js";
import { aDownloadsClient } from "./downloads.js";
import { type HostileRequest, hostileRequests } from "../../support/http/hostile-requests.js";
import type { Service, StartService } from "../../support/http/service.js";

/** The end of every hostile text, which no other text contains. */
const MARK = "zq7x";
const AT_ONCE = 20;

/** All allowed response headers, and patterns of their values. */
const HEADERS: Readonly<Record<string, RegExp>> = {
  "cache-control": /^no-store$/,
  connection: /^(keep-alive|close)$/,
  "content-encoding": /^(br|gzip)$/,
  "content-length": /^\d+$/,
  "content-security-policy": /^default-src 'none'; style-src 'unsafe-inline'$/,
  "content-type": /^(application\/json|text\/html|text\/plain)(; ?charset=utf-8)?$/i,
  etag: /^W\/"[0-9a-f]{64}"$/,
  date: /^[A-Za-z0-9 :,]+$/,
  "keep-alive": /^timeout=\d+$/,
  "ratelimit-limit": /^\d+$/,
  "ratelimit-policy": /^[\w"=;, -]+$/,
  "ratelimit-remaining": /^\d+$/,
  "ratelimit-reset": /^\d+$/,
  "referrer-policy": /^no-referrer$/,
  "retry-after": /^\d+$/,
  vary: /^accept-encoding$/,
  "x-content-type-options": /^nosniff$/,
  "x-trace-id": /^[0-9a-f]{32}$/,
};

/** Tests that no sent value becomes a response header or a part of one. */
export function injectionContract(start: StartService): void {
  it("puts no sent value into the response headers, for any value in any place", async () => {
    const service = await start({ policy: { smsPerDay: 1_000_000 } });
    await aDownloadsClient(service, 1_000_000);
    const ask = async (request: HostileRequest) => {
      const { surface, path, query, hostile, what } = request;
      const answer = await fetch(
        `${baseOf(service, surface)}${path}${query === "" ? "" : `?${query}`}`,
        initOf(service, request),
      );
      const text = await answer.text();
      // The host itself responds to a path that no surface owns.
      if (answer.status === 404 && surface === "notifications") return;
      const odd = [...answer.headers].filter(([name, value]) => HEADERS[name]?.test(value) !== true);
      expect(odd, what).toEqual([]);
      const isPage = answer.headers.get("content-type")?.startsWith("text/") ?? false;
      if (hostile !== undefined && isPage) expect(text, what).not.toContain(MARK);
    };
    const requests = [...hostileRequests(service.ports.policy, MARK)];
    expect(requests.length).toBeGreaterThan(1_000);
    // By default, sends only every fifth request. These requests still include every place.
    const sent = requests.filter((_, nth) => nth % caseCount({ few: 5, many: 1 }) === 0);
    expect(placesOf(sent)).toEqual(placesOf(requests));
    for (let first = 0; first < sent.length; first += AT_ONCE)
      await Promise.all(sent.slice(first, first + AT_ONCE).map(ask));
  }, 60_000);
}

/** Returns the endpoints with the places of hostile texts in them. */
function placesOf(requests: readonly HostileRequest[]): ReadonlySet<string> {
  return new Set(requests.flatMap(({ hostile, what }) => (hostile === undefined ? [] : what.split(' "', 1))));
}

function initOf({ demo }: Service, { surface, method, headers, body }: HostileRequest): RequestInit {
  const credentials = surface === "payments" ? { app_id: demo.appId, app_secret: demo.appSecret } : {};
  return {
    method,
    headers: { ...credentials, ...headers },
    redirect: "manual",
    ...(method === "POST" ? { body } : {}),
  };
}

function baseOf(
  { baseUrl, metricsUrl, notificationsUrl }: Service,
  surface: "payments" | "metrics" | "notifications",
) {
  return { payments: baseUrl, metrics: metricsUrl, notifications: notificationsUrl }[surface];
}
